// Names of fields whose control is not made from the service's table: those of clips, rows and pools.

type Pair = readonly [en: string, zh: string];
interface More { label: Pair; hint?: Pair; words?: Readonly<Record<string, Pair>> }

const LINK: More = { label: ["Link", "链接"] };
const LENGTH: More = { label: ["Length in seconds", "时长（秒）"] };
const FROM: More = { label: ["Use from second", "起始秒"] };
const TO: More = { label: ["Use up to second", "结束秒"] };
const MOTION: More = { label: ["Movement of this picture", "此图片的运动"], hint: ["As for all pictures, unless chosen here.", "不选则与所有图片一致。"] };
const VOICE: More = { label: ["Voice-over", "配音"] };
const CAPTIONS: More = { label: ["Subtitle file", "字幕文件"] };

const clip = (at: string, link: string): Record<string, More> => ({
  [`${at}/${link}`]: LINK, [`${at}/duration`]: LENGTH, [`${at}/from`]: FROM, [`${at}/to`]: TO, [`${at}/imageMotion`]: MOTION,
});

export const more: Readonly<Record<string, More>> = {
  ...clip("/params/videoList/0", "filename"),
  ...clip("/params/videoList/0/videos/0", "url"),
  ...clip("/params/scenes/0/resources/0", "url"),
  "/params/videoList": { label: ["Videos", "视频"] },
  "/params/videoList/0": { label: ["Video", "视频"] },
  "/params/videoList/0/copies": { label: ["Videos to make of it", "生成份数"] },
  "/params/videoList/0/videos": { label: ["Clips", "素材"] },
  "/params/videoList/0/videos/0": { label: ["Clip", "素材"] },
  "/params/videoList/0/videos/0/sceneName": { label: ["A name for you", "备注名称"] },
  "/params/videoList/0/totalDuration": { label: ["Cut after", "截取至"] },
  "/params/scenes": { label: ["Scenes", "场景"] },
  "/params/scenes/0": { label: ["Scene", "场景"] },
  "/params/scenes/0/sceneName": { label: ["Name of the scene", "场景名称"] },
  "/params/scenes/0/sceneKey": { label: ["Key of the scene", "场景标识"] },
  "/params/scenes/0/duration": { label: ["Length", "时长"] },
  "/params/scenes/0/clipStart": { label: ["Where its clips begin", "此场景素材起点"] },
  "/params/scenes/0/resources": { label: ["Clips", "素材"] },
  "/params/scenes/0/resources/0": { label: ["Clip", "素材"] },
  "/params/scenes/0/audioResources": { label: ["Sounds of the scene", "场景音频"] },
  "/params/scenes/0/audioResources/0/url": LINK,
  "/params/scenes/0/audioResources/0/duration": { label: ["Use only the first seconds", "只用前若干秒"] },
  "/params/scenes/0/audioResources/0/startTime": { label: ["Starts at second", "起始秒"] },
  "/params/combinations": { label: ["Chosen combinations", "指定组合"] },
  "/params/combinations/0": { label: ["Combination", "组合"] },
  "/params/starts": { label: ["Where chosen clips begin", "指定素材起点"] },
  "/params/options": { label: ["Options", "选项"] },
  "/params/options/preset": {
    label: ["Picture quality", "画质"],
    hint: ["More work for a better picture, or less for a faster one.", "画质越高，制作越慢。"],
    words: { draft: ["Fast draft", "快速预览"], standard: ["Standard", "标准"], high: ["High", "高"] },
  },
  "/params/options/effect": { label: ["Effect", "特效"] },
  "/params/options/subtitle": { label: ["Subtitles", "字幕"] },
  "/params/options/subtitle/style": { label: ["Look of the captions", "字幕样式"] },
  "/params/options/subtitle/style/highlight": { label: ["Word being spoken", "朗读高亮"] },
  "/params/options/voicePool": { label: ["Several voices", "多条配音"] },
  "/params/options/voicePool/0": { label: ["Voice", "配音"] },
  "/params/options/voicePool/0/audio": VOICE,
  "/params/options/voicePool/0/audio/url": VOICE,
  "/params/options/voicePool/0/subtitle": CAPTIONS,
  "/params/options/voicePool/0/subtitle/url": CAPTIONS,
  "/labels": { label: ["Labels", "标签"] },
  "/labels/0": { label: ["Label", "标签"] },
};
