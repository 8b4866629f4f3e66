// Texts for dropped files and their uses.

export const dropped = {
  "dropped.skipped": ["Skipped, because this task cannot use {n|it|them}: {names}", "当前制作方式无法使用以下文件，已略过：{names}"],
  "dropped.unreadable": ["The folder cannot be read. Drop it again, or choose its files.", "无法读取该文件夹，请重新拖入或直接选择其中的文件。"],
  "dropped.more": ["{names} and {n} more", "{names} 等，另有 {n} 个"],
  "dropped.done": ["{n} {n|file was|files were} added to the options below the clips. Ctrl+Z removes {n|it|them}.", "已将 {n} 个文件添加到素材下方的选项中，按 Ctrl+Z 可撤销。"],
} as const;

/** Loaded with the dialog. */
export const dropDialogWords = {
  "dropped.title": ["Use these files", "使用这些文件"],
  "dropped.audio": ["Audio", "音频"],
  "dropped.image": ["Images", "图片"],
  "dropped.captions": ["Captions", "字幕"],
  "dropped.table": ["Table", "表格"],
  "dropped.of": ["{kind}: {names}", "{kind}：{names}"],
  "dropped.each": ["Choose for each file", "逐个选择"],
  "dropped.use.music": ["Music", "背景音乐"],
  "dropped.use.voice": ["Voice-over", "配音"],
  "dropped.use.soundtrack": ["Both in one file", "两者（同一文件）"],
  "dropped.use.clip": ["Clip", "素材"],
  "dropped.use.logo": ["Logo", "水印"],
  "dropped.use.captions": ["Captions", "字幕"],
  "dropped.use.skip": ["Do not use", "不使用"],
  "dropped.hint.music": ["Repeats until the video ends. It is lowered while a voice-over speaks.", "循环至画面结束；有配音时自动压低。"],
  "dropped.hint.music.several": ["Each video gets one of them.", "每个成片使用其中一首。"],
  "dropped.hint.voice": ["Plays once from the start.", "从头播放一次。"],
  "dropped.hint.voice.several": ["Each video gets one of them.", "每个成片使用其中一条。"],
  "dropped.hint.soundtrack": ["For a finished soundtrack with speech and music: it plays once, and the clips are muted.", "适用于已混好人声与音乐的音轨：播放一次，素材原声静音。"],
  "dropped.hint.logo": ["In the upper right corner; you can move and resize it.", "位于右上角，可移动和缩放。"],
  "dropped.hint.captions": ["They replace captions that are already there.", "将替换现有字幕。"],
  "dropped.hint.captions.several": ["A video has one caption file: only the first is used. Choose for each file to use another one.", "一个视频只有一份字幕，默认使用第一个文件；可逐个选择其他文件。"],
  "dropped.clips": ["{n} {n|video is|videos are} added as {n|a clip|clips}.", "{n} 个视频将作为素材添加。"],
  "dropped.table.none": ["Only tables can be opened here: Excel workbooks (.xlsx) and CSV files. Skipped: {names}", "此处只能打开表格：Excel 工作簿（.xlsx）和 CSV 文件。已略过：{names}"],
  "dropped.template": ["Fill the template", "填写模板"],
  "dropped.template.none": ["Do not use the table", "不使用表格"],
  "dropped.template.missing": ["A table makes a video for each row, and needs a template. Save a task as a template first, then open the table again.", "表格的每一行生成一个成片，需要先有模板。请先将作品保存为模板，再打开表格。"],
  "dropped.template.hint": ["The table makes a video for each row. Unfinished tasks are kept.", "表格的每一行生成一个成片；未完成的内容会保留。"],
  "dropped.with": ["Put the other files into the table", "将其他文件填入表格"],
  "dropped.go": ["Add {n} {n|file|files}", "添加 {n} 个文件"],
  "dropped.go.batch": ["Open the table", "打开表格"],
} as const;
