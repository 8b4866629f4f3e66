// Texts of the objects over the previewed frame, loaded with it.

export const canvasWords = {
  "canvas.title": ["Logos, texts and captions on the frame", "画面上的水印、文字与字幕"],
  "canvas.at": ["centre {x} % from the left, {y} % from the top, {width} % wide", "中心距左 {x}%、距上 {y}%，宽 {width}%"],
  "canvas.options": ["Options", "选项"],
  "canvas.at.short": ["left {x} %, top {y} %, width {width} %", "左 {x}%，上 {y}%，宽 {width}%"],
  "canvas.keys": [
    "Arrow keys move it (Shift: larger steps), + and - scale it, Esc deselects it. Ctrl while dragging ignores the guides.",
    "方向键移动（按住 Shift 步幅更大），+ 和 - 缩放，Esc 取消选中；拖动时按住 Ctrl 不吸附参考线。",
  ],
  "canvas.zone": ["Safe zone", "安全区"],
  "canvas.zone.none": ["Hidden", "不显示"],
  "canvas.zone.tiktok": ["TikTok", "TikTok"],
  "canvas.zone.douyin": ["Douyin", "抖音"],
  "canvas.zone.xiaohongshu": ["Xiaohongshu", "小红书"],
  "canvas.zone.channels": ["WeChat Channels", "视频号"],
  "canvas.zone.shorts": ["YouTube Shorts", "YouTube Shorts"],
  "canvas.zone.lead": ["Approximate: apps change their layouts, and phones differ.", "仅供参考：各平台会调整界面，不同手机也有差异。"],
} as const satisfies Record<string, readonly [string, string]>;
