// Labels of fields that are not in the service's table of fields: those of clips, groups and pools.

type Pair = readonly [en: string, zh: string];
interface ExtraField { label: Pair; hint?: Pair; words?: Readonly<Record<string, Pair>> }

const LINK: ExtraField = { label: ["Link", "链接"] };
const LENGTH: ExtraField = { label: ["Length in seconds", "时长（秒）"] };
const FROM: ExtraField = { label: ["Use from second", "起始秒"] };
const TO: ExtraField = { label: ["Use up to second", "结束秒"] };
const MOTION: ExtraField = { label: ["Motion of this image", "此图片的运动"], hint: ["The setting for all images applies unless set here.", "不选则与所有图片一致。"] };
const OF_MIX = {
  speed: { label: ["Speed", "速度"], hint: ["The pitch is kept. Images have no speed.", "音调不变，对图片无效。"] },
  volume: { label: ["Volume in percent", "音量（%）"] },
  look: { label: ["Look of this clip", "此素材的滤镜"], hint: ["The look of all clips applies unless set here.", "不选则与所有素材一致。"] },
} as const satisfies Record<string, ExtraField>;
const VOICE: ExtraField = { label: ["Voice-over", "配音"] };
const CAPTIONS: ExtraField = { label: ["Subtitle file", "字幕文件"] };

const clip = (at: string, link: string): Record<string, ExtraField> => ({
  [`${at}/${link}`]: LINK, [`${at}/duration`]: LENGTH, [`${at}/from`]: FROM, [`${at}/to`]: TO, [`${at}/imageMotion`]: MOTION,
});

const mixClip = (at: string): Record<string, ExtraField> => ({
  ...clip(at, "url"), ...Object.fromEntries(Object.entries(OF_MIX).map(([name, words]) => [`${at}/${name}`, words])),
});

export const extraFields: Readonly<Record<string, ExtraField>> = {
  ...clip("/params/videoList/0", "filename"),
  ...mixClip("/params/videoList/0/videos/0"),
  ...mixClip("/params/scenes/0/resources/0"),
  "/params/videoList": { label: ["Videos", "视频"] },
  "/params/videoList/0": { label: ["Video", "视频"] },
  "/params/videoList/0/copies": { label: ["Number of videos", "生成份数"] },
  "/params/videoList/0/videos": { label: ["Clips", "素材"] },
  "/params/videoList/0/videos/0": { label: ["Clip", "素材"] },
  "/params/videoList/0/videos/0/sceneName": { label: ["Your own name", "备注名称"] },
  "/params/videoList/0/videos/0/layout": {
    label: ["Split screen", "分屏"], hint: ["Shows a second clip in the other half for as long as this one.", "另一半画面显示第二个素材，时长以本素材为准。"],
    words: { "left-right": ["Left and right", "左右"], "top-bottom": ["Top and bottom", "上下"] },
  },
  "/params/videoList/0/videos/0/second": { label: ["Second clip", "第二个素材"] },
  "/params/videoList/0/videos/0/second/url": { label: ["Second clip", "第二个素材"], hint: ["A shorter clip repeats.", "较短的素材会循环播放。"] },
  "/params/videoList/0/videos/0/second/from": FROM,
  "/params/videoList/0/videos/0/second/to": TO,
  "/params/videoList/0/totalDuration": { label: ["Trim to", "时长上限"], hint: ["Seconds. Empty: full length.", "单位为秒，留空为全长。"] },
  "/params/scenes": { label: ["Scenes", "场景"] },
  "/params/scenes/0": { label: ["Scene", "场景"] },
  "/params/scenes/0/sceneName": { label: ["Scene name", "场景名称"] },
  "/params/scenes/0/sceneKey": { label: ["Scene key", "场景标识"] },
  "/params/scenes/0/duration": { label: ["Length", "时长"] },
  "/params/scenes/0/length": { label: ["Length of the scene", "场景时长"], words: { duration: ["As set above", "按上方设定"], voice: ["That of its audio", "由场景音频决定"] } },
  "/params/scenes/0/text": { label: ["Captions of this scene", "场景字幕"], hint: ["What its audio says, word for word. Without audio, they are spread over the scene.", "逐字输入场景音频的内容；没有音频时按场景时长分布。"] },
  "/params/scenes/0/clipStart": { label: ["Clip start", "此场景素材起点"] },
  "/params/scenes/0/resources": { label: ["Clips", "素材"] },
  "/params/scenes/0/resources/0": { label: ["Clip", "素材"] },
  "/params/scenes/0/audioResources": { label: ["Scene audio", "场景音频"] },
  "/params/scenes/0/audioResources/0/url": LINK,
  "/params/scenes/0/audioResources/0/text": { label: ["Text to speak", "朗读文本"] },
  "/params/scenes/0/audioResources/0/voice": { label: ["Voice", "音色"] },
  "/params/scenes/0/audioResources/0/speed": { label: ["Speed of speech", "语速"] },
  "/params/scenes/0/audioResources/0/duration": { label: ["Use only the first seconds", "只用前若干秒"] },
  "/params/scenes/0/audioResources/0/volume": { label: ["Volume in percent", "音量（%）"] },
  "/params/scenes/0/audioResources/0/startTime": { label: ["Starts at second", "起始秒"] },
  "/params/combinations": { label: ["Chosen combinations", "指定组合"] },
  "/params/combinations/0": { label: ["Combination", "组合"] },
  "/params/starts": { label: ["Start times of chosen clips", "指定素材起点"] },
  "/params/options": { label: ["Options", "选项"] },
  "/params/options/preset": {
    label: ["Video quality", "画质"],
    hint: ["Higher quality takes longer to render.", "画质越高，制作越慢。"],
    words: { draft: ["Fast draft", "快速预览"], standard: ["Standard", "标准"], high: ["High", "高"] },
  },
  "/params/options/effect": { label: ["Effect", "特效"] },
  "/params/options/subtitle": { label: ["Subtitles", "字幕"] },
  "/params/options/subtitle/style": { label: ["Caption style", "字幕样式"] },
  "/params/options/subtitle/style/highlight": { label: ["Spoken word", "朗读高亮"] },
  "/params/options/voicePool": { label: ["Several voices", "多条配音"] },
  "/params/options/voicePool/0": { label: ["Voice", "配音"] },
  "/params/options/voicePool/0/audio": VOICE,
  "/params/options/voicePool/0/audio/url": VOICE,
  "/params/options/voicePool/0/subtitle": CAPTIONS,
  "/params/options/voicePool/0/subtitle/url": CAPTIONS,
  "/labels": { label: ["Labels", "标签"] },
  "/labels/0": { label: ["Label", "标签"] },
};
