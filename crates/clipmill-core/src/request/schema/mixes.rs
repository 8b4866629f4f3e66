//! Rows of the options of both mixes.

use super::field::Field;
use super::field::Kind::{
    Array, Bool, Choice, ChoiceOrColor, Color, Font, Fps, Integer, Lines, Number, Object, Place, Positive,
    Text, Url,
};
use crate::fonts::CaptionFont;
use crate::looks;
use crate::request::InputRole::{Bumper, Cover, Music, Overlay, Sound, Subtitle, Voice};
use crate::speech::{MAX_CHARACTERS, MAX_VOICE_LENGTH};
use crate::subtitle::CaptionPreset;
use crate::transitions;

/// The motions of overlays, with their titles.
const MOTIONS: [&str; 7] = ["none", "fade", "pop", "slide-left", "slide-right", "slide-up", "slide-down"];
const MOTION_TITLES: [(&str, &str); MOTIONS.len()] = [
    ("None", "无"),
    ("Fade", "淡化"),
    ("Pop", "弹出"),
    ("Slide to the left", "向左滑动"),
    ("Slide to the right", "向右滑动"),
    ("Slide up", "向上滑动"),
    ("Slide down", "向下滑动"),
];

/// Rows of a text that is spoken.
macro_rules! speech {
    ($at:literal) => {
        &[
            Field::new(concat!($at, "/text"), Lines(MAX_CHARACTERS), "A text to speak, in place of `url`.").otherwise("none")
                .label("Text to speak", "朗读文本")
                .hint("A speech service speaks it, in place of a file.", "由语音服务朗读，无需音频文件。")
                .details("A text to speak, in place of `url`, see [Synthesized voice](#synthesized-voice)"),
            Field::new(concat!($at, "/voice"), Text(MAX_VOICE_LENGTH), "The voice that speaks `text`: a name in the list of voices.").otherwise("the service's default voice")
                .label("Voice", "音色")
                .hint("Empty: the default voice.", "留空则使用默认音色。"),
            Field::new(concat!($at, "/speed"), Number(0.5, 2.0), "The speed at which `text` is spoken.").or("1")
                .label("Speed of speech", "语速"),
        ]
    };
}

/// Where music begins in its file.
macro_rules! music_from {
    ($at:literal) => {
        &[Field::new(
            concat!($at, "/from"),
            Number(0.0, 86_400.0),
            "Where in its file the used part begins, in seconds. This part is repeated until the video ends.",
        )
        .or("0")
        .unit("s")
        .label("From second of the file", "从文件第几秒开始")]
    };
}

/// When a voice-over begins.
macro_rules! voice_start {
    ($at:literal) => {
        &[Field::new(
            concat!($at, "/start"),
            Number(0.0, 600.0),
            "Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later.",
        )
        .or("0")
        .unit("s")
        .label("Begins at second", "开始时间（秒）")]
    };
}

/// Rows of music or a voice-over after its URL.
macro_rules! track {
    ($at:literal) => {
        &[
            Field::new(concat!($at, "/fileName"), Text(500), "A name for your own use; it has no effect."),
            Field::new(
                concat!($at, "/duration"),
                Number(0.0, 600.0),
                "Use only this many seconds of the file; 0 plays nothing.",
            )
            .unit("s")
            .otherwise("whole file")
            .label("Use only the first seconds", "只用前若干秒")
            .hint("Empty: all of it.", "留空则全部使用。"),
            Field::new(concat!($at, "/volume"), Integer(0, 100), "Volume in percent of amplitude.")
                .or("80")
                .unit("percent")
                .label("Volume in percent", "音量（%）"),
            Field::new(concat!($at, "/fadeIn"), Number(0.0, 10.0), "Duration of the fade-in, in seconds.")
                .or("0.5")
                .unit("s")
                .label("Fade in, seconds", "淡入（秒）"),
            Field::new(concat!($at, "/fadeOut"), Number(0.0, 10.0), "Duration of the fade-out, in seconds.")
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
        Field::new(concat!($at, "/preset"), Choice(&CaptionPreset::NAMES), "Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.").otherwise("none")
            .label("Style", "样式")
            .words(&CaptionPreset::TITLES)
            .details("Name of a style, see [Named caption styles](#named-caption-styles). It sets the fields that this object does not have"),
        Field::new(concat!($at, "/fontSize"), Integer(10, 18), "Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.").or("14")
            .label("Font size", "字号"),
        Field::new(concat!($at, "/fontColor"), Color, "Colour of the text.").or("\"#FFFFFF\"")
            .label("Text colour", "文字颜色"),
        Field::new(concat!($at, "/outlineColor"), Color, "Colour of the outline.").otherwise("none")
            .label("Outline", "描边颜色"),
        Field::new(concat!($at, "/backColor"), Color, "Colour of a box behind the text.").otherwise("none")
            .label("Box", "底色"),
        Field::new(concat!($at, "/bottom"), Integer(0, 1000), "Distance from the bottom edge to the text, in pixels of the output.").or("50").unit("pixels")
            .label("Pixels from the bottom", "距底部（像素）"),
        Field::new(concat!($at, "/magnification"), Number(0.1, 5.0), "Multiplies `fontSize`.").or("2.5")
            .label("Magnification", "放大倍数")
            .hint("Font size times magnification is the height in pixels.", "与字号相乘即像素高度。"),
        Field::new(concat!($at, "/font"), Font(&CaptionFont::NAMES), "Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks.").otherwise("`noto-sans-sc`, or the installation's replacement")
            .label("Font", "字体")
            .words(&CaptionFont::TITLES)
            .details("Name of a font, see [Fonts of captions](#fonts-of-captions), or the `upload://…` URL of [your own font file](#your-own-font). Other fonts are used for characters that it lacks"),
        Field::new(concat!($at, "/weight"), Choice(&["regular", "bold"]), "Weight of the letters.").or("\"regular\"")
            .label("Weight", "字重")
            .words(&[("Regular", "常规"), ("Bold", "粗体")]),
        Field::new(concat!($at, "/place"), Choice(&["bottom", "lower-third", "middle", "top"]), "Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.").or("\"bottom\"")
            .label("Position", "位置")
            .words(&[("Bottom", "底部"), ("Lower third", "下三分之一"), ("Middle", "中间"), ("Top", "顶部")]),
        Field::new(concat!($at, "/shadow"), Integer(0, 20), "Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.").or("0").unit("hundredths of an em")
            .label("Shadow", "阴影"),
        Field::new(concat!($at, "/radius"), Integer(0, 70), "Corner radius of the box, in hundredths of an em.").or("0").unit("hundredths of an em")
            .label("Rounded box", "圆角底框"),
        Field::new(concat!($at, "/highlight"), Object, "Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words.").otherwise("none")
            .details("Highlights each word while it is spoken, see [Words being spoken](#words-being-spoken)"),
        Field::new(concat!($at, "/highlight/color"), Color, "Colour of the spoken word.").otherwise("that of the text")
            .label("Spoken word", "朗读高亮颜色"),
        Field::new(concat!($at, "/highlight/box"), Color, "Colour of a box behind the spoken word. `radius` rounds its corners.").otherwise("none")
            .label("Box of the spoken word", "朗读高亮底色"),
        Field::new(concat!($at, "/highlight/scale"), Number(1.0, 1.3), "Size of the spoken word, relative to the other words. Nothing else moves.").otherwise("1")
            .label("Size of the spoken word", "朗读高亮放大"),
        Field::new(concat!($at, "/words"), Choice(&["line", "one", "grow"]), "The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.").or("\"line\"")
            .label("Words", "词语显示")
            .words(&[("Whole caption", "整条字幕"), ("One at a time", "每次一词"), ("As they are spoken", "随朗读出现")])
            .details("The words that are shown at a time, see [Captions that move](#captions-that-move)"),
        Field::new(concat!($at, "/motion"), Choice(&["none", "fade", "pop", "rise", "typewriter"]), "How each caption appears, or each word with `words: \"one\"` and `\"grow\"`. A motion takes at most half of the time of its caption or word.").or("\"none\"")
            .label("Motion", "动效")
            .words(&[("None", "无"), ("Fade in", "淡入"), ("Pop up", "弹跳"), ("Rise", "升起"), ("Typewriter", "打字机")])
            .details("How each caption or word appears, see [Captions that move](#captions-that-move)"),
        Field::new(concat!($at, "/uppercase"), Bool, "Shows the text in capitals, as far as the fonts have them. Times do not change.").or("false")
            .label("Capitals", "全部大写"),
        Field::new(concat!($at, "/maxWords"), Integer(1, 12), "The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words.").otherwise("all words of a caption")
            .label("Words at a time", "每次最多词数")
            .hint("Empty: all words of a caption.", "留空则显示整条字幕。"),
        Field::new(concat!($at, "/maxWidth"), Number(10.0, 100.0), "The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons.").otherwise("84 in portrait, 90 otherwise").unit("percent")
            .label("Maximum width in percent", "最大宽度（%）")
            .hint("Empty: 84 in portrait, which stays clear of the icons of TikTok and others.", "留空：竖屏为 84，可避开抖音等应用右侧的图标。"),
        ]
    };
}

/// Rows of captions that the request contains.
macro_rules! words {
    ($at:literal) => {
        &[
        Field::new(concat!($at, "/text"), Lines(20_000), "The text to show, in place of `url`. It is split into captions of at most two lines, each line of the text separately.").otherwise("none")
            .label("Script", "台词")
            .details("The text to show, in place of `url`. It is split into captions, see [Captions from a text](#captions-from-a-text)"),
        Field::new(concat!($at, "/timing"), Choice(&["voice", "even"]), "How the captions of `text` get their times. `voice`: when the voice-over speaks them, found by its pauses; `even`: by the length of their texts, over the voice-over if there is one, otherwise over the video without its intro and outro. Without a voice-over, both are the same.").otherwise("`voice`")
            .label("Times of the script", "台词时间")
            .words(&[("With the voice", "跟随配音"), ("By length", "按长度")]),
        Field::new(concat!($at, "/from"), Choice(&["voice", "clips"]), "The audio that the speech service transcribes for the captions, in place of `url`. `voice`: the voice-over, and the audio of the scenes; `clips`: the clips' own audio. An error if the installation cannot transcribe.").otherwise("none")
            .label("From what is spoken", "语音转字幕")
            .words(&[("The voice", "配音"), ("The clips", "素材原声")])
            .details("The audio that is transcribed for the captions, in place of `url`, see [Captions from speech](#captions-from-speech)"),
        Field::new(concat!($at, "/cues"), Array(1, 2_000), "Captions with their times, in place of `url`, in any order.").otherwise("none")
            .label("Captions with times", "带时间的字幕")
            .details("Captions with their times, in place of `url`, in any order, see [Captions with times](#captions-with-times)"),
        Field::new(concat!($at, "/cues/0"), Object, "A caption."),
        Field::new(concat!($at, "/cues/0/start"), Number(0.0, 86_400.0), "Time at which the caption appears, in seconds after the intro.").needed().unit("s")
            .label("From second", "开始（秒）"),
        Field::new(concat!($at, "/cues/0/end"), Positive(86_400.0), "Time at which the caption disappears, in seconds after the intro.").needed().unit("s")
            .label("Up to second", "结束（秒）"),
        Field::new(concat!($at, "/cues/0/text"), Lines(2_000), "Text of the caption. Lines break at its line breaks and wherever they would be too wide.").needed()
            .label("Text", "文字"),
        Field::new(concat!($at, "/cues/0/words"), Array(0, 500), "Words of the text with the times at which they are spoken, for `highlight`.").or("[]")
            .label("Words", "词语"),
        Field::new(concat!($at, "/cues/0/words/0"), Object, "A word."),
        Field::new(concat!($at, "/cues/0/words/0/start"), Number(0.0, 86_400.0), "Time at which the word begins, in seconds after the intro.").needed().unit("s")
            .label("From second", "开始（秒）"),
        Field::new(concat!($at, "/cues/0/words/0/end"), Positive(86_400.0), "Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins.").needed().unit("s")
            .label("Up to second", "结束（秒）"),
        Field::new(concat!($at, "/cues/0/words/0/text"), Lines(2_000), "The word as it is written in the text of the caption.").needed()
            .label("Word", "词语"),
        ]
    };
}

/// Rows of the cover of outputs.
pub(in crate::request) const COVER: [&[Field]; 2] = [
    &[
    Field::new("/params/options/cover", Object, "The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame.").otherwise("chosen by the service")
        .label("Cover", "封面")
        .hint("The image that represents the video in lists.", "视频在列表中显示的图片。").section("picture")
        .details("The cover of each output, see [Cover](#cover)"),
    Field::new("/params/options/cover/at", Number(0.0, 86_400.0), "Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning.").unit("s").otherwise("chosen by the service")
        .label("Frame at second", "取第几秒的画面")
        .hint("Empty: chosen by the service.", "留空则自动选择。"),
    Field::new("/params/options/cover/url", Url(Cover), "URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped.").otherwise("none")
        .label("Image", "图片"),
    Field::new("/params/options/cover/title", Object, "A text in the middle of the cover.").otherwise("none").needs("text")
        .label("Title on the cover", "封面标题"),
    Field::new("/params/options/cover/title/text", Lines(200), "The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width.").needed()
        .label("Text", "文字"),
    Field::new("/params/options/cover/title/style", Object, "Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here.").otherwise("large bold white letters with a black outline"),
    ],
    style!("/params/options/cover/title/style"),
];

/// Rows of the `options` of both mixes.
pub(in crate::request) const MIX: &[&[Field]] = &[
    &[
    Field::new("/params/options/resolution", Choice(&["720:1280", "1080:1920", "1280:720", "1920:1080", "1080:1080", "1080:1350", "720:720"]), "Width and height of the output.").or("\"720:1280\"")
        .label("Size", "尺寸")
        .words(&[("720 × 1280 portrait", "720 × 1280 竖屏"), ("1080 × 1920 portrait", "1080 × 1920 竖屏"), ("1280 × 720 landscape", "1280 × 720 横屏"), ("1920 × 1080 landscape", "1920 × 1080 横屏"), ("1080 × 1080 square", "1080 × 1080 方形"), ("1080 × 1350 portrait 4:5", "1080 × 1350 竖屏 4:5"), ("720 × 720 square", "720 × 720 方形")]).section("picture"),
    Field::new("/params/options/resolutionMode", Choice(&["none", "crop", "stretch"]), "How a clip of another shape is scaled: `none` shows all of it with bars, `crop` fills the frame and crops, `stretch` distorts.").or("\"none\"")
        .label("If the shape differs", "比例不符时")
        .words(&[("Show whole", "完整显示"), ("Fill and crop", "填满裁切"), ("Stretch", "拉伸")]).section("picture"),
    Field::new("/params/options/background", ChoiceOrColor(&["black", "blur"]), "Background of a clip that does not fill the frame or is transparent: black, a blurred copy of the clip, or a colour (#RRGGBB).").or("\"black\"")
        .label("Background", "背景")
        .hint("Shown where the clip does not fill the frame.", "画面未填满时的背景。")
        .words(&[("Black", "黑色"), ("Blurred", "模糊")]).section("picture")
        .details("Background of a clip that does not fill the frame (`none`) or is transparent (every mode): black, a blurred copy of the clip, or a colour such as `#1B1B2F`"),
    Field::new("/params/options/look", Choice(&looks::CHOICES), "Colour look of the clips, but not of intros and outros: a name in the catalogue of looks; `random` draws one for each output.").or("\"none\"")
        .label("Look", "滤镜风格")
        .words(&looks::CHOICE_TITLES)
        .hint("Colours all clips alike; overlays, captions, intros and outros keep their colours.", "统一所有素材的色彩；叠加、字幕、片头片尾不受影响。").section("picture")
        .details("Colour look of the clips, but not of intros and outros: a name of [the catalogue](effects.md#looks); `random` draws one for each output"),
    Field::new("/params/options/fps", Fps, "Frame rate of the output, in frames per second.").or("30")
        .label("Frames per second", "输出帧率").section("picture"),
    Field::new("/params/options/length", Choice(&["clips", "voice"]), "What determines the length of an output. `clips`: its clips or scenes; `voice`: its voice-over and `tail`. Clips of `baseVideoMix` are then shown in turn until the voice ends; scenes of `proVideoMix` become longer or shorter.").or("\"clips\"")
        .label("Length", "时长")
        .words(&[("That of the clips", "由素材决定"), ("That of the voice", "由配音决定")])
        .hint("With the voice: clips or scenes fill its length; what is too much is cut, what is too little is shown again.", "由配音决定时：素材或场景填满配音时长，多余的截去，不足则重复。").section("picture")
        .details("What determines the length of an output, see [Length of the voice](#length-of-the-voice)"),
    Field::new("/params/options/tail", Number(0.0, 10.0), "How long an output continues after its voice-over, with `length: \"voice\"`.").otherwise("0.5").unit("s")
        .label("Seconds after the voice", "配音后保留（秒）").section("picture"),
    Field::new("/params/options/clipSeconds", Number(0.5, 30.0), "The maximum length of one showing of a clip. Longer clips continue the next time if they are shown again.").unit("s").otherwise("all of the clip")
        .label("Seconds of each clip", "每段素材最长（秒）")
        .hint("Empty: all of each clip. A longer clip continues at its next turn if the voice determines the length.", "留空则完整播放。由配音决定时长时，较长的素材在下一轮接着播放。").section("picture"),
    Field::new("/params/options/originalVolume", Integer(0, 100), "Volume of the clips' own audio in percent.").or("100").unit("percent")
        .label("Clips' own audio in percent", "原声音量（%）").section("sound"),
    Field::new("/params/options/ducking", Bool, "Lowers the music during speech.").or("false")
        .label("Lower the music under speech", "人声时压低音乐").section("sound")
        .details("Lowers the music during speech, see [Ducking and loudness](#ducking-and-loudness)"),
    Field::new("/params/options/loudness", Number(-40.0, -5.0), "Normalizes the mix to this loudness in LUFS (EBU R128).").unit("LUFS").otherwise("unchanged")
        .label("Loudness", "响度")
        .hint("Empty: unchanged. From −40 (quiet) to −5 (loud): −14 to −16 for the web, −23 for broadcast.", "留空不调整。−40 最轻，−5 最响：网络常用 −14 至 −16，广播 −23。").section("sound")
        .details("Normalizes the mix to this loudness, see [Ducking and loudness](#ducking-and-loudness)"),
    Field::new("/params/options/fadeOut", Number(0.0, 10.0), "Duration of a fade-out of the whole mix at the end of the video, in seconds.").or("0").unit("s")
        .label("Fade out all audio, seconds", "整体淡出（秒）")
        .hint("Clips, voice-over and music together, at the end.", "片尾时原声、配音与音乐一起淡出。").section("sound")
        .details("Fade-out of the whole mix at the end, see [fadeOut](#fadeout)"),
    ],
    &[
    Field::new("/params/options/backgroundMusic", Object, "Music that loops until the video ends.")
        .label("Background music", "背景音乐")
        .hint("Repeats until the video ends.", "循环至画面结束。").section("sound").needs("url")
        .details("Music, see [Audio](#backgroundmusic-and-audio)"),
    Field::new("/params/options/backgroundMusic/url", Url(Music), "URL of an audio file, or of a video with audio. If omitted, nothing plays.")
        .label("Background music", "背景音乐")
        .hint("Repeats until the video ends.", "循环至画面结束。"),
    ],
    music_from!("/params/options/backgroundMusic"),
    track!("/params/options/backgroundMusic"),
    &[
    Field::new("/params/options/audio", Object, "Voice-over that plays once from the start: a file, or a text to speak.")
        .label("Voice-over", "配音")
        .hint("Plays once from the start.", "从头播放一次。").section("sound").needs("url")
        .details("Voice-over, see [Audio](#backgroundmusic-and-audio)"),
    Field::new("/params/options/audio/url", Url(Voice), "URL of an audio file, or of a video with audio. Without `url` and `text`, nothing plays.")
        .label("Voice-over", "配音")
        .hint("Plays once from the start.", "从头播放一次。"),
    ],
    speech!("/params/options/audio"),
    voice_start!("/params/options/audio"),
    track!("/params/options/audio"),
    &[
    Field::new("/params/options/subtitle", Object, "Subtitles, burned into the video, from one of `url`, `text`, `cues` and `from`.").section("subtitle").needs("url")
        .details("See [subtitle](#subtitle)"),
    Field::new("/params/options/subtitle/url", Url(Subtitle), "URL of an SRT or VTT file. Without `url`, `text`, `cues` and `from`, no subtitles are shown.")
        .label("Subtitle file", "字幕文件")
        .hint("SRT or VTT.", "SRT 或 VTT。"),
    ],
    words!("/params/options/subtitle"),
    &[
    Field::new("/params/options/subtitle/fileName", Text(500), "A name for your own use; it has no effect."),
    Field::new("/params/options/subtitle/style", Object, "Style of the text.").or("{}"),
    ],
    style!("/params/options/subtitle/style"),
    &[
            Field::new("/params/options/imageMotion", Choice(&["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]), "Motion of images used as clips: zoom in or out, or pan left or right; `random` chooses one for each image.").or("\"none\"")
            .label("Motion of images", "图片运动")
            .words(&[("None", "静止"), ("Zoom in", "推近"), ("Zoom out", "拉远"), ("Pan left", "向左"), ("Pan right", "向右"), ("Random", "随机")])
            .hint("JPEG, PNG and WebP images can be used as clips.", "素材中可以放入 JPEG、PNG 和 WebP 图片。").section("picture")
            .details("Motion of images used as clips, see [Images as clips](#images-as-clips)"),
        Field::new("/params/options/introPool", Array(1, 100), "Intro clips, shown before everything else. Each output uses one; all are used before any is repeated.").otherwise("none")
            .label("Intros", "片头").hint("One for each video, shown in full before it.", "每个成片一个，完整显示在最前。").section("picture"),
        Field::new("/params/options/introPool/0", Object, "An intro."),
        Field::new("/params/options/introPool/0/url", Url(Bumper), "URL of the clip.").needed().label("Intro", "片头"),
        Field::new("/params/options/outroPool", Array(1, 100), "Outro clips, shown after everything else. Each output uses one; all are used before any is repeated.").otherwise("none")
            .label("Outros", "片尾").hint("One for each video, shown in full after it.", "每个成片一个，完整显示在最后。").section("picture"),
        Field::new("/params/options/outroPool/0", Object, "An outro."),
        Field::new("/params/options/outroPool/0/url", Url(Bumper), "URL of the clip.").needed().label("Outro", "片尾"),
    ],
    &[
    Field::new("/params/options/transition", Object, "Transitions between clips. Clips overlap, so the output is shorter by the overlaps.").otherwise("cuts")
        .label("Transitions", "转场").section("picture").needs("names")
        .details("Transitions between clips, see [Transitions](#transitions)"),
    Field::new("/params/options/transition/names", Array(1, 100), "Names in the catalogue. One is chosen at random for each cut; all are used before any is repeated.").needed()
        .label("Transitions", "转场"),
    Field::new("/params/options/transition/names/0", Choice(&transitions::NAMES), "A transition.")
        .details("A name of [the catalogue](transitions.md)"),
    Field::new("/params/options/transition/duration", Number(0.1, 2.0), "Overlap of two clips in seconds; less if a clip is too short.").or("0.5").unit("s")
        .label("Seconds of overlap", "重叠时长（秒）"),
    ],
    &[
    Field::new("/params/options/overlays", Array(0, 20), "Images, videos and texts above the clips and below the captions: images and videos in this order, then the texts. At most 3 are videos.").or("[]")
        .label("Logos and texts", "水印与文字")
        .hint("A logo, a sticker, a title: above the clips, below the captions.", "在画面之上、字幕之下叠加标志、贴图或标题。").section("picture")
        .details("Images, videos and texts above the clips, see [Overlays](#overlays)"),
    Field::new("/params/options/overlays/0", Object, "An image, a video or a text."),
    Field::new("/params/options/overlays/0/type", Choice(&["image", "video", "text"]), "Type of the overlay.").needed()
        .label("Type", "类型")
        .words(&[("Image", "图片"), ("Video", "视频"), ("Text", "文字")]),
    Field::new("/params/options/overlays/0/url", Url(Overlay), "URL of the file. For an image: PNG, JPEG or WebP, with or without alpha; of an animated image, the first frame is shown. For a video: a video file, an animated GIF, PNG or WebP, at most 3840 pixels on its long side.").otherwise("required for an image or a video")
        .label("File", "文件"),
    Field::new("/params/options/overlays/0/width", Number(0.0, 100.0), "Width of the image or video in percent of the output's width; less if it would be taller than the output.").or("20").unit("percent")
        .label("Width in percent", "宽度（%）"),
    Field::new("/params/options/overlays/0/opacity", Number(0.0, 100.0), "Opacity of the image or video, multiplied by its own alpha.").or("100").unit("percent")
        .label("Opacity in percent", "不透明度（%）"),
    Field::new("/params/options/overlays/0/loop", Bool, "Whether the video repeats until `end`. Otherwise it disappears when it ends.").or("false")
        .label("Repeat", "循环播放"),
    Field::new("/params/options/overlays/0/volume", Integer(0, 100), "Volume of the video's own audio, in percent of amplitude.").or("0").unit("percent")
        .label("Volume in percent", "音量（%）"),
    Field::new("/params/options/overlays/0/key", Object, "Makes one colour of the video transparent (green screen) and removes its reflection from the rest.").otherwise("none")
        .label("Green screen", "绿幕抠像")
        .hint("One colour becomes transparent.", "使一种颜色变为透明。"),
    Field::new("/params/options/overlays/0/key/color", Color, "The colour that becomes transparent, such as the green of a screen. It must not be a grey.").needed()
        .label("Colour", "颜色"),
    Field::new("/params/options/overlays/0/key/tolerance", Number(0.0, 100.0), "How much a pixel may differ from the colour and still be fully transparent, in percent of the way from the colour to one that has none of it.").or("10").unit("percent")
        .label("Tolerance in percent", "容差（%）")
        .hint("Raise it if parts of the screen remain visible.", "幕布仍有残留时调高。"),
    Field::new("/params/options/overlays/0/key/softness", Number(0.0, 100.0), "The part of the rest of that way over which pixels become opaque, in percent: 100 keeps edges exactly as soft as they are, 0 makes them hard.").or("90").unit("percent")
        .label("Softness in percent", "边缘柔和度（%）"),
    Field::new("/params/options/overlays/0/text", Lines(500), "The text. Lines break at its line breaks and wherever they would exceed `maxWidth`.").otherwise("required for a text, unless `texts` is set")
        .label("Text", "文字"),
    Field::new("/params/options/overlays/0/texts", Array(1, 200), "Several texts instead of `text`. Each output uses one; all are used before any is repeated.").otherwise("`text` for every output")
        .label("Texts, one for each video", "多条文字（每个成片一条）"),
    Field::new("/params/options/overlays/0/texts/0", Lines(500), "A text for some of the outputs."),
    Field::new("/params/options/overlays/0/maxWidth", Number(10.0, 100.0), "Maximum width of a line, in percent of the output's width.").or("90").unit("percent")
        .label("Maximum width in percent", "最大宽度（%）"),
    Field::new("/params/options/overlays/0/place", Place(&["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"]), "Position: a corner, the middle of an edge or of the frame, or `{x, y}` for its centre. An overlay is always fully inside the frame.").otherwise("`top-right` for an image or a video, `middle` for a text")
        .label("Position", "位置")
        .words(&[("Top left", "左上"), ("Top", "上"), ("Top right", "右上"), ("Left", "左"), ("Middle", "中"), ("Right", "右"), ("Bottom left", "左下"), ("Bottom", "下"), ("Bottom right", "右下")]),
    Field::new("/params/options/overlays/0/place/x", Number(0.0, 100.0), "Distance of the centre from the left edge, in percent of the output's width.").needed().unit("percent")
        .label("From the left in percent", "距左（%）"),
    Field::new("/params/options/overlays/0/place/y", Number(0.0, 100.0), "Distance of the centre from the top edge, in percent of the output's height.").needed().unit("percent")
        .label("From the top in percent", "距上（%）"),
    Field::new("/params/options/overlays/0/margin", Number(0.0, 50.0), "Distance from the nearest edges, in percent of the output's short side. It does not apply to `{x, y}`.").or("4").unit("percent")
        .label("Margin in percent", "边距（%）"),
    Field::new("/params/options/overlays/0/start", Number(0.0, 86_400.0), "Time in the output at which the overlay appears, in seconds.").or("0").unit("s")
        .label("From second", "开始（秒）"),
    Field::new("/params/options/overlays/0/end", Positive(86_400.0), "Time in the output at which the overlay disappears, in seconds.").unit("s").otherwise("end of the output")
        .label("Up to second", "结束（秒）"),
    Field::new("/params/options/overlays/0/enter", Choice(&MOTIONS), "Motion with which the overlay appears. A slide moves in the direction of its name, from outside the frame.").or("\"none\"")
        .label("Appears with", "出现方式").words(&MOTION_TITLES),
    Field::new("/params/options/overlays/0/enterSeconds", Number(0.1, 2.0), "Length of that motion in seconds.").or("0.3").unit("s")
        .label("For seconds", "出现时长（秒）"),
    Field::new("/params/options/overlays/0/leave", Choice(&MOTIONS), "Motion with which the overlay disappears. A slide moves in the direction of its name, out of the frame.").or("\"none\"")
        .label("Disappears with", "消失方式").words(&MOTION_TITLES),
    Field::new("/params/options/overlays/0/leaveSeconds", Number(0.1, 2.0), "Length of that motion in seconds. If both motions together are longer than the overlay is shown, both are shortened in proportion, with a warning.").or("0.3").unit("s")
        .label("For seconds", "消失时长（秒）"),
    Field::new("/params/options/overlays/0/style", Object, "Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here.").or("{}"),
    ],
    style!("/params/options/overlays/0/style"),
    COVER[0],
    COVER[1],
    &[
    Field::new("/params/options/effects", Array(0, 5), "Effects during parts of the output, above the clips and below overlays and captions.").or("[]")
        .label("Effects", "特效")
        .hint("Each lasts for a while: light leaks, snow, film grain.", "各自持续一段时间，例如漏光、飘雪、胶片颗粒。").section("picture")
        .details("Effects during parts of the output, see [Effects of mixes](#effects-of-mixes)"),
    Field::new("/params/options/effects/0", Object, "An effect.").needs("value"),
    Field::new("/params/options/effects/0/value", Text(100), "Name of an effect in the catalogue. If omitted, no effect is applied.")
        .label("Effect", "特效")
        .details("Name of an effect in the [catalogue](effects.md). An unknown name is an error that lists similar names. If omitted, no effect is applied and a warning is returned"),
    Field::new("/params/options/effects/0/trans", Number(1.0, 100.0), "Strength in percent.").or("3").unit("percent")
        .label("Strength in percent", "强度（%）")
        .hint("3 is barely visible.", "3 几乎不可见。"),
    Field::new("/params/options/effects/0/duration", Number(0.0, 60.0), "Duration in seconds; 0 disables the effect.").or("0.5").unit("s")
        .label("Duration in seconds", "持续（秒）")
        .details("Duration in seconds; 0 disables the effect and returns a warning"),
    Field::new("/params/options/effects/0/position", Number(0.0, 100.0), "Start of the effect, in percent of the length.").or("0").unit("percent")
        .label("Start in percent of the length", "起始位置（%）")
        .details("Start of the effect, in percent of the output's length. It starts earlier if it would otherwise outlast the output"),
    ],
    &[
    Field::new("/params/options/sounds", Array(0, 20), "Sounds that are played once, such as a whoosh or a click.").or("[]")
        .label("Sounds", "音效")
        .hint("Each is played once at its time: a whoosh, a click, applause.", "在指定时间播放一次，例如转场声、点击声、掌声。").section("sound")
        .details("Sounds that are played once, see [Sounds](#sounds)"),
    Field::new("/params/options/sounds/0", Object, "A sound."),
    Field::new("/params/options/sounds/0/url", Url(Sound), "URL of an audio file, or of a video with audio.").needed()
        .label("Sound", "音效"),
    Field::new("/params/options/sounds/0/at", Number(0.0, 3600.0), "Time in the output at which the sound begins, in seconds. A sound that begins after the end is not played, with a warning.").or("0").unit("s")
        .label("At second", "播放时间（秒）"),
    Field::new("/params/options/sounds/0/volume", Integer(0, 100), "Volume in percent of amplitude.").or("80").unit("percent")
        .label("Volume in percent", "音量（%）"),
    Field::new("/params/options/sounds/0/from", Number(0.0, 86_400.0), "Where in its file the used part begins, in seconds.").or("0").unit("s")
        .label("From second of the file", "从文件第几秒开始"),
    Field::new("/params/options/sounds/0/duration", Positive(3600.0), "Use only this many seconds.").unit("s").otherwise("to the end of the file")
        .label("Use only the first seconds", "只用前若干秒")
        .hint("Empty: all of it.", "留空则全部使用。"),
    ],
    &[
    Field::new("/params/options/backgroundMusicPool", Array(1, 100), "Several music files instead of `backgroundMusic`. Each output uses one; all are used before any is repeated.").otherwise("none").label("Several music files", "多首背景音乐").hint("One for each video; all are used before any is repeated. Replaces the one above.", "每个成片一首，全部用过后再重复；与上面的单首二选一。").section("sound"),
    Field::new("/params/options/backgroundMusicPool/0", Object, "Music for some of the outputs."),
    Field::new("/params/options/backgroundMusicPool/0/url", Url(Music), "URL of an audio file, or of a video with audio.").needed().label("Background music", "背景音乐"),
    ],
    music_from!("/params/options/backgroundMusicPool/0"),
    track!("/params/options/backgroundMusicPool/0"),
    &[
    Field::new("/params/options/voicePool", Array(1, 100), "Voice-overs with their captions, instead of `audio` and `subtitle`. Each output uses one; all are used before any is repeated.").otherwise("none"),
    Field::new("/params/options/voicePool/0", Object, "A voice-over and its captions."),
    Field::new("/params/options/voicePool/0/audio", Object, "The voice-over: a file, or a text to speak.").needed(),
    Field::new("/params/options/voicePool/0/audio/url", Url(Voice), "URL of an audio file, or of a video with audio.").otherwise("required, unless `text` is set"),
    ],
    speech!("/params/options/voicePool/0/audio"),
    voice_start!("/params/options/voicePool/0/audio"),
    track!("/params/options/voicePool/0/audio"),
    &[
    Field::new("/params/options/voicePool/0/subtitle", Object, "Captions of this voice-over.").otherwise("none"),
    Field::new("/params/options/voicePool/0/subtitle/url", Url(Subtitle), "URL of an SRT or VTT file.").otherwise("required, unless `text`, `cues` or `from` is set"),
    ],
    words!("/params/options/voicePool/0/subtitle"),
    &[
    Field::new("/params/options/voicePool/0/subtitle/fileName", Text(500), "A name for your own use; it has no effect."),
    Field::new("/params/options/voicePool/0/subtitle/style", Object, "Style of the text.").or("{}"),
    ],
    style!("/params/options/voicePool/0/subtitle/style"),
];
