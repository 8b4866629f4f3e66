//! Rows of both mixes.

use super::Field;
use super::Kind::{
    Array, Bool, Choice, Color, Fps, Integer, Lines, Number, Object, Place, Positive, Text, Url,
};
use crate::fonts::CaptionFont;
use crate::request::InputRole::{Bumper, Clip, Music, Overlay, SceneAudio, Subtitle, Voice};
use crate::transitions;

/// Rows of baseVideoMix's `params`.
pub(super) const BASE: &[Field] = &[
    Field::new("/params/videoList", Array(1, 100), "Groups of clips; each group gives one output.").needed(),
    Field::new("/params/videoList/0", Object, "One group."),
    Field::new("/params/videoList/0/videos", Array(1, 100), "Clips of the group, in order.").needed(),
    Field::new("/params/videoList/0/videos/0", Object, "One clip."),
    Field::new("/params/videoList/0/videos/0/url", Url(Clip), "URL of the clip.").needed(),
    Field::new(
        "/params/videoList/0/videos/0/duration",
        Positive(86_400.0),
        "Declared length in seconds; it only prices. Of a picture, how long it is shown: 3 s where it is absent.",
    )
    .unit("s"),
    Field::new("/params/videoList/0/videos/0/imageMotion", Choice(&["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]), "How it moves if it is a picture.").otherwise("`options.imageMotion`"),
    Field::new(
        "/params/videoList/0/videos/0/from",
        Number(0.0, 86_400.0),
        "Use the file from this second on.",
    )
    .or("0")
    .unit("s"),
    Field::new("/params/videoList/0/videos/0/to", Positive(86_400.0), "Use the file up to this second only.")
        .unit("s")
        .otherwise("its end"),
    Field::new("/params/videoList/0/videos/0/sceneName", Text(500), "A name for you; it has no effect."),
    Field::new(
        "/params/videoList/0/totalDuration",
        Positive(600.0),
        "Cuts the output to this many seconds; a shorter one stays as it is.",
    )
    .unit("s"),
    Field::new("/params/isShortest", Bool, "Cut every clip of a group to the group's shortest.")
        .or("false")
        .label("Cut all to the shortest", "按最短截齐")
        .hint("Every clip of a group is cut to its shortest.", "每组素材都按最短的截取。")
        .section("picture"),
];

/// Rows of proVideoMix's `params`.
pub(super) const PRO: &[Field] = &[
    Field::new("/params/scenes", Array(1, 100), "Scenes in order; together they last as long as an output may at most.").needed(),
    Field::new("/params/scenes/0", Object, "One scene."),
    Field::new("/params/scenes/0/sceneKey", Text(200), "Unique key of the scene.").needed(),
    Field::new("/params/scenes/0/sceneName", Text(200), "Name of the scene.").needed(),
    Field::new("/params/scenes/0/duration", Positive(3600.0), "Length of the scene in seconds. A longer clip is cut, one a little short holds its last picture, a shorter one loops.").needed().unit("s"),
    Field::new("/params/scenes/0/clipStart", Choice(&["begin", "random", "shots"]), "Where in their files the clips of this scene begin.").otherwise("`options.clipStart`"),
    Field::new("/params/scenes/0/resources", Array(1, 100), "Clips to choose from: one per output.").needed(),
    Field::new("/params/scenes/0/resources/0", Object, "One clip."),
    Field::new("/params/scenes/0/resources/0/key", Text(500), "A key for you; it has no effect."),
    Field::new("/params/scenes/0/resources/0/url", Url(Clip), "URL of the clip.").needed(),
    Field::new("/params/scenes/0/resources/0/duration", Positive(86_400.0), "Declared length in seconds; it only prices.").unit("s"),
    Field::new("/params/scenes/0/resources/0/imageMotion", Choice(&["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]), "How it moves if it is a picture.").otherwise("`options.imageMotion`"),
    Field::new("/params/scenes/0/resources/0/from", Number(0.0, 86_400.0), "Use the file from this second on.").or("0").unit("s"),
    Field::new("/params/scenes/0/resources/0/to", Positive(86_400.0), "Use the file up to this second only.").unit("s").otherwise("its end"),
    Field::new("/params/scenes/0/audioResources", Array(0, 100), "Sounds of the scene; where there are several, one is drawn per output.").or("[]"),
    Field::new("/params/scenes/0/audioResources/0", Object, "One sound."),
    Field::new("/params/scenes/0/audioResources/0/url", Url(SceneAudio), "URL of a sound file, or of a video with sound; without one the entry is left out with a warning."),
    Field::new("/params/scenes/0/audioResources/0/duration", Number(0.0, 86_400.0), "Use only this many seconds from the file's start; with 0 nothing is heard.").unit("s").otherwise("all"),
    Field::new("/params/scenes/0/audioResources/0/startTime", Number(0.0, 3600.0), "`split`: seconds after the scene's start; `merge`: the gap before this sound.").or("0").unit("s")
        .details("See `audioMode`"),
    Field::new("/params/audioMode", Choice(&["merge", "split"]), "`split`: each scene's sound plays within its scene; `merge`: the scenes' sounds are joined into one track from the start.").needed()
        .label("Sounds of scenes", "场景音频")
        .words(&[("As one track", "合并为一轨"), ("In their own scene", "限于本场景")]).section("sound")
        .details("See below"),
    Field::new("/params/generateCount", Integer(1, 5), "Number of different videos to make.").otherwise("`outputCount`")
        .label("Number of videos", "成片数量"),
    Field::new("/params/outputCount", Integer(1, 200), "Like `generateCount`, for more videos; one of the two is needed. An installation may allow fewer.").otherwise("`generateCount`")
        .label("Number of videos", "成片数量"),
    Field::new("/params/combinations", Array(0, 200), "Combinations to use first: rows of one index into `resources` for each scene. The rest is drawn.").or("[]")
        .details("Chosen combinations, at most as many rows as videos; see below"),
    Field::new("/params/combinations/0", Array(1, 100), "One combination."),
    Field::new("/params/combinations/0/0", Integer(0, 99), "Index into the scene's `resources`."),
    Field::new("/params/starts", Array(0, 200), "Where the clips of `combinations` begin: a row for each of its rows, as `recipe.starts` tells.").or("[]")
        .details("Where in their files the clips of `combinations` begin, see below"),
    Field::new("/params/starts/0", Array(1, 100), "Starts of one combination."),
    Field::new("/params/starts/0/0", Number(0.0, 86_400.0), "Seconds from the beginning of the scene's file.").unit("s"),
    Field::new("/params/options/clipStart", Choice(&["begin", "random", "shots"]), "Where in their files clips begin: `begin`, each with its first picture; `random`, drawn so that outputs share as little footage as can be; `shots`, drawn in the same way of the cuts that are found in the files, black, still and blurred stretches left out while there are others.").or("\"begin\"")
        .label("Where clips begin", "素材起始位置")
        .words(&[("At their beginning", "从头开始"), ("Anywhere", "随机位置"), ("With a cut", "镜头切点")])
        .hint("Anywhere, or with a cut: videos of the same clips show other parts of them. Cuts are found before the videos are made.", "随机位置或镜头切点：相同素材的成片展示不同片段，切点会自动检测。").section("picture")
        .details("Where in their files clips begin, see below"),
    Field::new("/params/options/isShortest", Bool, "Cut every scene of an output to its shortest.").or("false")
        .label("Cut all to the shortest", "按最短截齐")
        .hint("All scenes of a video get the length of its shortest.", "成片的所有场景都取最短场景的时长。").section("picture")
        .details("See below"),
];

/// Rows of music or a voice after its url.
macro_rules! track {
    ($at:literal) => {
        &[
            Field::new(concat!($at, "/fileName"), Text(500), "A name for you; it has no effect."),
            Field::new(
                concat!($at, "/duration"),
                Number(0.0, 600.0),
                "Use only this many seconds from the file's start; with 0 nothing is heard.",
            )
            .unit("s")
            .otherwise("all")
            .label("Use only the first seconds", "只用前若干秒")
            .hint("Empty: all of it.", "留空则全部使用。"),
            Field::new(concat!($at, "/volume"), Integer(0, 100), "Percent of amplitude.")
                .or("80")
                .unit("percent")
                .label("Volume in percent", "音量（%）"),
            Field::new(
                concat!($at, "/fadeIn"),
                Number(0.0, 10.0),
                "Seconds of fade at the start of what is heard.",
            )
            .or("0.5")
            .unit("s")
            .label("Fade in, seconds", "淡入（秒）"),
            Field::new(
                concat!($at, "/fadeOut"),
                Number(0.0, 10.0),
                "Seconds of fade at the end of what is heard.",
            )
            .or("0.5")
            .unit("s")
            .label("Fade out, seconds", "淡出（秒）"),
        ]
    };
}

/// Rows of a caption style.
macro_rules! style {
    ($at:literal) => {
        &[
        Field::new(concat!($at, "/fontSize"), Integer(10, 18), "Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.").or("14")
            .label("Font size", "字号")
            .details("See below"),
        Field::new(concat!($at, "/fontColor"), Color, "Colour of the text.").or("\"#FFFFFF\"")
            .label("Text colour", "文字颜色"),
        Field::new(concat!($at, "/outlineColor"), Color, "Colour of the outline.").otherwise("none")
            .label("Outline", "描边颜色"),
        Field::new(concat!($at, "/backColor"), Color, "Colour of a box behind the text.").otherwise("none")
            .label("Box", "底色"),
        Field::new(concat!($at, "/bottom"), Integer(0, 1000), "Output pixels from the bottom edge to the text.").or("50").unit("pixels")
            .label("Pixels from the bottom", "距底部（像素）"),
        Field::new(concat!($at, "/magnification"), Number(0.1, 5.0), "Multiplies `fontSize`.").or("2.5")
            .label("Magnification", "放大倍数")
            .hint("Times the font size it is the height in pixels.", "与字号相乘即像素高度。")
            .details("See below"),
        Field::new(concat!($at, "/font"), Choice(&CaptionFont::NAMES), "Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.").otherwise("`noto-sans-sc`, or what the installation has in its place")
            .label("Font", "字体")
            .words(&CaptionFont::TITLES)
            .details("Name of a font, [listed below](#fonts-of-captions); other fonts step in for characters that it lacks"),
        Field::new(concat!($at, "/weight"), Choice(&["regular", "bold"]), "How strong the letters are.").or("\"regular\"")
            .label("Weight", "字重")
            .words(&[("Regular", "常规"), ("Bold", "粗体")]),
        Field::new(concat!($at, "/place"), Choice(&["bottom", "lower-third", "middle", "top"]), "Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.").or("\"bottom\"")
            .label("Place", "位置")
            .words(&[("Bottom", "底部"), ("Lower third", "下三分之一"), ("Middle", "中间"), ("Top", "顶部")]),
        Field::new(concat!($at, "/shadow"), Integer(0, 20), "How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.").or("0").unit("hundredths of an em")
            .label("Shadow", "阴影"),
        Field::new(concat!($at, "/radius"), Integer(0, 70), "Radius of the box's corners, in hundredths of the em.").or("0").unit("hundredths of an em")
            .label("Rounded box", "圆角底框"),
        Field::new(concat!($at, "/highlight"), Object, "Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.").otherwise("none").needs("color")
            .details("Colours each word while it is spoken, see [below](#words-being-spoken)"),
        Field::new(concat!($at, "/highlight/color"), Color, "Colour of the word that is being spoken.").otherwise("none")
            .label("Word being spoken", "朗读高亮颜色"),
        ]
    };
}

/// Rows of the `options` of both mixes.
pub(super) const MIX: &[&[Field]] = &[
    &[
    Field::new("/params/options/resolution", Choice(&["720:1280", "1080:1920", "1280:720", "1920:1080", "1080:1080", "1080:1350", "720:720"]), "Width and height of the output.").or("\"720:1280\"")
        .label("Size", "尺寸")
        .words(&[("720 × 1280 portrait", "720 × 1280 竖屏"), ("1080 × 1920 portrait", "1080 × 1920 竖屏"), ("1280 × 720 landscape", "1280 × 720 横屏"), ("1920 × 1080 landscape", "1920 × 1080 横屏"), ("1080 × 1080 square", "1080 × 1080 方形"), ("1080 × 1350 portrait 4:5", "1080 × 1350 竖屏 4:5"), ("720 × 720 square", "720 × 720 方形")]).section("picture"),
    Field::new("/params/options/resolutionMode", Choice(&["none", "crop", "stretch"]), "`none` fits the whole picture in, `crop` fills and crops, `stretch` stretches.").or("\"none\"")
        .label("Clips of another shape", "比例不符时")
        .words(&[("Show whole", "完整显示"), ("Fill and crop", "填满裁切"), ("Stretch", "拉伸")]).section("picture")
        .details("See below"),
    Field::new("/params/options/background", Choice(&["black", "blur"]), "Behind a picture that does not fill the frame or can be seen through: black, or a blurred copy of itself.").or("\"black\"")
        .label("Behind them", "背景")
        .hint("Where the picture does not fill the frame.", "画面未填满时的背景。")
        .words(&[("Black", "黑色"), ("Blurred", "模糊")]).section("picture")
        .details("What lies behind a picture that does not fill the frame (`none`), and behind one that can be seen through (every mode): black, or a blurred copy of the picture"),
    Field::new("/params/options/fps", Fps, "Frames a second of the output.").or("30")
        .label("Frames a second", "输出帧率").section("picture"),
    Field::new("/params/options/originalVolume", Integer(0, 100), "Volume of the clips' own sound in percent.").or("100").unit("percent")
        .label("Clips' own sound in percent", "原声音量（%）").section("sound"),
    Field::new("/params/options/ducking", Bool, "Turn the music down while somebody speaks.").or("false")
        .label("Lower the music under speech", "人声时压低音乐").section("sound")
        .details("Lower the music while somebody speaks, see [below](#ducking-and-loudness)"),
    Field::new("/params/options/loudness", Number(-40.0, -5.0), "Bring the mix to this loudness in LUFS (EBU R128).").unit("LUFS").otherwise("as it is")
        .label("Loudness", "响度")
        .hint("Empty: as it is. From −40, quiet, to −5, loud: −14 to −16 suits the web, −23 broadcast.", "留空不调整。−40 最轻，−5 最响：网络常用 −14 至 −16，广播 −23。").section("sound")
        .details("Bring the whole mix to this loudness, see [below](#ducking-and-loudness)"),
    Field::new("/params/options/fadeOut", Number(0.0, 10.0), "Seconds over which the whole sound fades out at the end of the video.").or("0").unit("s")
        .label("Fade out all sound, seconds", "整体淡出（秒）")
        .hint("Clips, voice and music together, at the end.", "片尾时原声、配音与音乐一起淡出。").section("sound")
        .details("Fade of the whole sound at the end, see [below](#fadeout)"),
    ],
    &[
    Field::new("/params/options/backgroundMusic", Object, "Music that loops to the picture's end.")
        .label("Background music", "背景音乐")
        .hint("Repeats until the picture ends.", "循环至画面结束。").section("sound").needs("url")
        .details("Music, see below"),
    Field::new("/params/options/backgroundMusic/url", Url(Music), "URL of a sound file, or of a video with sound; without one nothing plays.")
        .label("Background music", "背景音乐")
        .hint("Repeats until the picture ends.", "循环至画面结束。"),
    ],
    track!("/params/options/backgroundMusic"),
    &[
    Field::new("/params/options/audio", Object, "Voice-over that plays once from the start.")
        .label("Voice-over", "配音")
        .hint("Plays once from the start.", "从头播放一次。").section("sound").needs("url")
        .details("Voice-over, see below"),
    Field::new("/params/options/audio/url", Url(Voice), "URL of a sound file, or of a video with sound; without one nothing plays.")
        .label("Voice-over", "配音")
        .hint("Plays once from the start.", "从头播放一次。"),
    ],
    track!("/params/options/audio"),
    &[
    Field::new("/params/options/subtitle", Object, "Subtitles, drawn into the picture.").section("subtitle").needs("url")
        .details("See [subtitle](#subtitle)"),
    Field::new("/params/options/subtitle/url", Url(Subtitle), "URL of an SRT or VTT file; without one none are shown.")
        .label("Subtitle file", "字幕文件")
        .hint("SRT or VTT.", "SRT 或 VTT。"),
    Field::new("/params/options/subtitle/fileName", Text(500), "A name for you; it has no effect."),
    Field::new("/params/options/subtitle/style", Object, "How the text looks.").or("{}"),
    ],
    style!("/params/options/subtitle/style"),
    &[
            Field::new("/params/options/imageMotion", Choice(&["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]), "How pictures that stand in place of clips move: nearer, away, to the left or to the right over the picture; `random` draws one for each picture.").or("\"none\"")
            .label("Movement of pictures", "图片运动")
            .words(&[("None", "静止"), ("Nearer", "推近"), ("Away", "拉远"), ("To the left", "向左"), ("To the right", "向右"), ("Drawn", "随机")])
            .hint("JPEG, PNG and WebP pictures may stand among the clips.", "素材中可以放入 JPEG、PNG 和 WebP 图片。").section("picture")
            .details("How pictures move, see [Pictures as clips](#pictures-as-clips)"),
        Field::new("/params/options/introPool", Array(1, 100), "Clips that stand before everything else: one per output, dealt out so that all come before any comes again.").otherwise("none")
            .label("Intros", "片头").hint("One for each video, shown whole before it.", "每个成片一个，完整显示在最前。").section("picture"),
        Field::new("/params/options/introPool/0", Object, "An intro."),
        Field::new("/params/options/introPool/0/url", Url(Bumper), "URL of the clip.").needed().label("Intro", "片头"),
        Field::new("/params/options/outroPool", Array(1, 100), "Clips that stand behind everything else: one per output, dealt out likewise.").otherwise("none")
            .label("Outros", "片尾").hint("One for each video, shown whole behind it.", "每个成片一个，完整显示在最后。").section("picture"),
        Field::new("/params/options/outroPool/0", Object, "An outro."),
        Field::new("/params/options/outroPool/0/url", Url(Bumper), "URL of the clip.").needed().label("Outro", "片尾"),
    ],
    &[
    Field::new("/params/options/transition", Object, "How clips go over into one another: they overlap, and the output is shorter by the overlaps.").otherwise("cuts")
        .label("Transitions", "转场").section("picture").needs("names")
        .details("How clips go over into one another, see [below](#transitions)"),
    Field::new("/params/options/transition/names", Array(1, 100), "Names of the catalogue; one is drawn for each change of clips, all before any comes again.").needed()
        .label("Transitions", "转场"),
    Field::new("/params/options/transition/names/0", Choice(&transitions::NAMES), "A transition.")
        .details("A name of [the catalogue](transitions.md)"),
    Field::new("/params/options/transition/duration", Number(0.1, 2.0), "Seconds that two clips overlap; fewer where a clip is too short.").or("0.5").unit("s")
        .label("Seconds of overlap", "重叠时长（秒）"),
    ],
    &[
    Field::new("/params/options/overlays", Array(0, 20), "Pictures and texts over the clips and under the captions: pictures in this order, the texts above them.").or("[]")
        .label("Logos and texts", "水印与文字")
        .hint("A logo, a sticker, a title: over the clips, under the captions.", "在画面之上、字幕之下叠加标志、贴图或标题。").section("picture")
        .details("Pictures and texts over the clips, see [Overlays](#overlays)"),
    Field::new("/params/options/overlays/0", Object, "A picture or a text."),
    Field::new("/params/options/overlays/0/type", Choice(&["image", "text"]), "What it is.").needed()
        .label("What it is", "类型")
        .words(&[("Picture", "图片"), ("Text", "文字")]),
    Field::new("/params/options/overlays/0/url", Url(Overlay), "URL of the picture: PNG, JPEG or WebP, alpha included. Of one that moves the first frame is shown.").otherwise("needed of a picture")
        .label("Picture", "图片"),
    Field::new("/params/options/overlays/0/width", Number(0.0, 100.0), "Width of the picture, in percent of the output's; less where it would be higher than the output.").or("20").unit("percent")
        .label("Width in percent", "宽度（%）"),
    Field::new("/params/options/overlays/0/opacity", Number(0.0, 100.0), "How far the picture covers what lies below, times its own alpha.").or("100").unit("percent")
        .label("Opacity in percent", "不透明度（%）"),
    Field::new("/params/options/overlays/0/text", Lines(500), "The text. Lines break where it has line breaks, and where they would be too wide.").otherwise("needed of a text, or `texts`")
        .label("Text", "文字"),
    Field::new("/params/options/overlays/0/texts", Array(1, 200), "Several texts in place of `text`: one per output, dealt out so that all come before any comes again.").otherwise("`text` for all")
        .label("Texts, one for each video", "多条文字（每个成片一条）"),
    Field::new("/params/options/overlays/0/texts/0", Lines(500), "A text for some of the outputs."),
    Field::new("/params/options/overlays/0/maxWidth", Number(10.0, 100.0), "Width that no line of the text goes beyond, in percent of the output's.").or("90").unit("percent")
        .label("Greatest width in percent", "最大宽度（%）"),
    Field::new("/params/options/overlays/0/place", Place(&["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"]), "Where it stands: a corner, the middle of an edge or of the picture; or `{x, y}`, where its middle lies. Nothing of it is outside the picture.").otherwise("`top-right` for a picture, `middle` for a text")
        .label("Place", "位置")
        .words(&[("Top left", "左上"), ("Top", "上"), ("Top right", "右上"), ("Left", "左"), ("Middle", "中"), ("Right", "右"), ("Bottom left", "左下"), ("Bottom", "下"), ("Bottom right", "右下")]),
    Field::new("/params/options/overlays/0/place/x", Number(0.0, 100.0), "From the left, in percent of the output's width.").needed().unit("percent")
        .label("From the left in percent", "距左（%）"),
    Field::new("/params/options/overlays/0/place/y", Number(0.0, 100.0), "From the top, in percent of the output's height.").needed().unit("percent")
        .label("From the top in percent", "距上（%）"),
    Field::new("/params/options/overlays/0/margin", Number(0.0, 50.0), "Distance from the edges that it stands at, in percent of the output's short side; `{x, y}` needs none.").or("4").unit("percent")
        .label("Margin in percent", "边距（%）"),
    Field::new("/params/options/overlays/0/start", Number(0.0, 86_400.0), "Second of the output from which on it is seen.").or("0").unit("s")
        .label("From second", "开始（秒）"),
    Field::new("/params/options/overlays/0/end", Positive(86_400.0), "Second up to which it is seen.").unit("s").otherwise("the output's end")
        .label("Up to second", "结束（秒）"),
    Field::new("/params/options/overlays/0/style", Object, "How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here.").or("{}"),
    ],
    style!("/params/options/overlays/0/style"),
    &[
    Field::new("/params/options/backgroundMusicPool", Array(1, 100), "Music in place of `backgroundMusic`: one per output, dealt out so that all come before any comes again.").otherwise("none").label("Several pieces of music", "多首背景音乐").hint("One for each video, all before any comes again; in place of the one above.", "每个成片一首，全部用过后再重复；与上面的单首二选一。").section("sound"),
    Field::new("/params/options/backgroundMusicPool/0", Object, "Music for some of the outputs."),
    Field::new("/params/options/backgroundMusicPool/0/url", Url(Music), "URL of a sound file, or of a video with sound.").needed().label("Background music", "背景音乐"),
    ],
    track!("/params/options/backgroundMusicPool/0"),
    &[
    Field::new("/params/options/voicePool", Array(1, 100), "Voices with their captions in place of `audio` and `subtitle`: one per output, dealt out likewise.").otherwise("none"),
    Field::new("/params/options/voicePool/0", Object, "A voice and its captions."),
    Field::new("/params/options/voicePool/0/audio", Object, "The voice.").needed(),
    Field::new("/params/options/voicePool/0/audio/url", Url(Voice), "URL of a sound file, or of a video with sound.").needed(),
    ],
    track!("/params/options/voicePool/0/audio"),
    &[
    Field::new("/params/options/voicePool/0/subtitle", Object, "Captions of this voice.").otherwise("none"),
    Field::new("/params/options/voicePool/0/subtitle/url", Url(Subtitle), "URL of an SRT or VTT file.").needed(),
    Field::new("/params/options/voicePool/0/subtitle/fileName", Text(500), "A name for you; it has no effect."),
    Field::new("/params/options/voicePool/0/subtitle/style", Object, "How the text looks.").or("{}"),
    ],
    style!("/params/options/voicePool/0/subtitle/style"),
];
