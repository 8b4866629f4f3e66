// Labels and short explanations of request fields, by their place below `/params`. Ranges and defaults are not here:
// the service describes those.

import { language } from "../lib/prefs";

type Label = readonly [en: string, zh: string, hintEn?: string, hintZh?: string];

const range = (en: string, zh: string, hintEn?: string, hintZh?: string): Label => [en, zh, hintEn, hintZh];

const dedup: Record<string, Label> = {
  "options/isMirror": ["Mirror left to right", "左右镜像"],
  "options/isFilter": ["Colour look", "滤镜", "One named look, drawn for each video.", "为每个视频随机选取一种滤镜。"],
  "options/fps": ["Frames a second", "输出帧率"],
  "options/frameExtraction": ["Drop frames", "抽帧", "Keep only so many frames a second before the output rate is set.", "在设定输出帧率前，仅保留这么多帧。"],
  "options/frameExtraction/range": range("Frames kept a second", "每秒保留帧数"),
  "options/speed": ["Change speed", "变速", "Picture and sound together; the pitch is kept.", "画面与声音同步变速，音调不变。"],
  "options/speed/range": range("Speed", "速度"),
  "options/rotation": ["Turn the picture", "旋转", "Never leaves empty corners.", "不会出现空白角。"],
  "options/rotation/direction": ["Direction", "方向"],
  "options/rotation/range": range("Angle in degrees", "角度（度）"),
  "options/zoom": ["Zoom in", "放大", "About the centre; edges are cut.", "以中心放大，裁去边缘。"],
  "options/zoom/range": range("Factor", "倍数"),
  "options/colourMixing": ["Adjust colours", "调色", "Each value is drawn for each video between its two ends.", "每项在范围内为每个视频随机取值。"],
  "options/colourMixing/brightness": range("Brightness", "亮度"),
  "options/colourMixing/contrast": range("Contrast", "对比度"),
  "options/colourMixing/saturation": range("Saturation", "饱和度"),
  "options/colourMixing/gamma": range("Gamma", "伽马"),
  "options/hueMixing": ["Shift hue", "色相偏移", "Fixed amounts; nothing is drawn.", "固定值，不随机。"],
  "options/hueMixing/h": ["Hue in degrees", "色相（度）"],
  "options/hueMixing/s": ["More saturation", "饱和度增量"],
  "options/hueMixing/b": ["More brightness", "亮度增量"],
  "options/colorBalance": ["Colour balance", "色彩平衡", "More red, green or blue by tonal range.", "按影调增加红、绿、蓝。"],
  "options/colorBalance/rs": ["Red, shadows", "阴影·红"],
  "options/colorBalance/gs": ["Green, shadows", "阴影·绿"],
  "options/colorBalance/bs": ["Blue, shadows", "阴影·蓝"],
  "options/colorBalance/rm": ["Red, midtones", "中间调·红"],
  "options/colorBalance/gm": ["Green, midtones", "中间调·绿"],
  "options/colorBalance/bm": ["Blue, midtones", "中间调·蓝"],
  "options/colorBalance/rh": ["Red, highlights", "高光·红"],
  "options/colorBalance/gh": ["Green, highlights", "高光·绿"],
  "options/colorBalance/bh": ["Blue, highlights", "高光·蓝"],
  "options/PIP": ["Picture in picture", "画中画", "The video smaller, over something that fills the frame.", "缩小画面，背景填满画框。"],
  "options/PIP/padding": ["Margin in percent", "边距（%）"],
  "options/PIP/fillMode": ["Behind it", "背景"],
  "options/PIP/fillVideoPath": ["Background file", "背景文件", "A video or picture; without one a colour or the video itself, blurred.", "视频或图片；不选则使用纯色或模糊的原视频。"],
  "options/picMask": ["Picture masks", "图片蒙版", "Pictures laid over the whole frame.", "覆盖全画面的图片。"],
  "options/picMask/picFiles": ["Pictures", "图片"],
  "options/picMask/layerCount": ["Layers", "层数"],
  "options/picMask/trans": ["Opacity in percent", "不透明度（%）", "3 is barely visible, 100 covers.", "3 几乎不可见，100 完全覆盖。"],
  "options/videoMask": ["Video masks", "视频蒙版", "Videos laid over the whole frame, without their sound.", "覆盖全画面的视频，不含声音。"],
  "options/videoMask/videoFiles": ["Videos", "视频"],
  "options/videoMask/layerCount": ["Layers", "层数"],
  "options/videoMask/trans": ["Opacity in percent", "不透明度（%）", "3 is barely visible, 100 covers.", "3 几乎不可见，100 完全覆盖。"],
  "options/effect/value": ["Effect", "特效"],
  "options/effect/trans": ["Strength in percent", "强度（%）", "3 is barely visible.", "3 几乎不可见。"],
  "options/effect/duration": ["Seconds it lasts", "持续（秒）"],
  "options/effect/position": ["Begins at percent of the length", "起始位置（%）"],
};

const track = (name: "backgroundMusic" | "audio", en: string, zh: string, hintEn: string, hintZh: string): Record<string, Label> => ({
  [`options/${name}`]: [en, zh, hintEn, hintZh],
  [`options/${name}/url`]: [en, zh, hintEn, hintZh],
  [`options/${name}/volume`]: ["Volume in percent", "音量（%）"],
  [`options/${name}/fadeIn`]: ["Fade in, seconds", "淡入（秒）"],
  [`options/${name}/fadeOut`]: ["Fade out, seconds", "淡出（秒）"],
  [`options/${name}/duration`]: ["Use only the first seconds", "只用前若干秒", "Empty: all of it.", "留空则全部使用。"],
});

const mix: Record<string, Label> = {
  "isShortest": ["Cut all to the shortest", "按最短截齐", "Every clip of a group is cut to its shortest.", "每组素材都按最短的截取。"],
  "options/isShortest": ["Cut all to the shortest", "按最短截齐", "All scenes of a video get the length of its shortest.", "成片的所有场景都取最短场景的时长。"],
  "options/resolution": ["Size", "尺寸"],
  "options/resolutionMode": ["Clips of another shape", "比例不符时"],
  "options/background": ["Behind them", "背景", "Where the picture does not fill the frame.", "画面未填满时的背景。"],
  "options/originalVolume": ["Clips' own sound in percent", "原声音量（%）"],
  "options/ducking": ["Lower the music under speech", "人声时压低音乐"],
  "options/loudness": ["Loudness in LUFS", "响度（LUFS）", "Empty: as it is. −14 to −16 suits the web, −23 broadcast.", "留空不调整。网络常用 −14 至 −16，广播 −23。"],
  ...track("backgroundMusic", "Background music", "背景音乐", "Repeats until the picture ends.", "循环至画面结束。"),
  ...track("audio", "Voice-over", "配音", "Plays once from the start.", "从头播放一次。"),
  "options/subtitle/url": ["Subtitle file", "字幕文件", "SRT or VTT.", "SRT 或 VTT。"],
  "options/subtitle/style/fontSize": ["Font size", "字号"],
  "options/subtitle/style/magnification": ["Magnification", "放大倍数", "Times the font size it is the height in pixels.", "与字号相乘即像素高度。"],
  "options/subtitle/style/fontColor": ["Text colour", "文字颜色"],
  "options/subtitle/style/outlineColor": ["Outline", "描边颜色"],
  "options/subtitle/style/backColor": ["Box", "底色"],
  "options/subtitle/style/bottom": ["Pixels from the bottom", "距底部（像素）"],
  "audioMode": ["Sounds of scenes", "场景音频"],
  "generateCount": ["Number of videos", "成片数量"],
};

const common: Record<string, Label> = {
  "seed": ["Seed", "随机种子", "The same seed and files make the same videos. Empty: drawn.", "相同种子与素材生成相同成片。留空随机。"],
  "/callbackUrl": ["Callback address", "回调地址", "Called once when the task has ended.", "任务结束时调用一次。"],
  "/clientTaskId": ["Your own id", "自定义编号", "The same request with the same id is never charged twice.", "相同编号的相同请求不会重复计费。"],
};

const labels: Record<string, Label> = { ...dedup, ...mix, ...common };

/** Words for choices, by field and value. */
const choices: Record<string, readonly [string, string]> = {
  "resolution=720:1280": ["720 × 1280 portrait", "720 × 1280 竖屏"],
  "resolution=1080:1920": ["1080 × 1920 portrait", "1080 × 1920 竖屏"],
  "resolution=1280:720": ["1280 × 720 landscape", "1280 × 720 横屏"],
  "resolution=1920:1080": ["1920 × 1080 landscape", "1920 × 1080 横屏"],
  "resolutionMode=none": ["Show whole", "完整显示"],
  "resolutionMode=crop": ["Fill and crop", "填满裁切"],
  "resolutionMode=stretch": ["Stretch", "拉伸"],
  "background=black": ["Black", "黑色"],
  "background=blur": ["Blurred", "模糊"],
  "direction=clockwise": ["Clockwise", "顺时针"],
  "direction=counterclockwise": ["Counterclockwise", "逆时针"],
  "fillMode=1": ["Plain", "原样"],
  "fillMode=2": ["Blurred", "模糊"],
  "audioMode=split": ["In their own scene", "限于本场景"],
  "audioMode=merge": ["As one track", "合并为一轨"],
};

function find(pointer: string): Label | undefined {
  return labels[pointer.replace(/^\/params\//, "")];
}

export function label(pointer: string): string {
  return find(pointer)?.[language.value === "zh" ? 1 : 0] ?? pointer.split("/").at(-1) ?? pointer;
}

export function hint(pointer: string): string | undefined {
  return find(pointer)?.[language.value === "zh" ? 3 : 2];
}

export function choice(pointer: string, value: string | number): string {
  const words = choices[`${pointer.split("/").at(-1)}=${value}`];
  return words?.[language.value === "zh" ? 1 : 0] ?? String(value);
}
