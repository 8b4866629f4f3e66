//! Rows of videoDeduplication.

use super::Field;
use super::Kind::{Array, Bool, Choice, Fps, Integer, Number, Object, Positive, Tenths, Text, Url};
use crate::request::InputRole::{Clip, Fill, Mask};

/// The options stand in the order in which they are applied.
pub(super) const DEDUP: &[Field] = &[
    Field::new("/params/videoList", Array(1, 1000), "Videos to vary; each gives one output. An installation may allow another number.").needed(),
    Field::new("/params/videoList/0", Object, "One video."),
    Field::new("/params/videoList/0/filename", Url(Clip), "URL of the video.").needed(),
    Field::new("/params/videoList/0/duration", Positive(86_400.0), "Declared length in seconds; it prices the task at submit and cuts nothing.").needed().unit("s"),
    Field::new("/params/videoList/0/from", Number(0.0, 86_400.0), "Use the file from this second on.").or("0").unit("s"),
    Field::new("/params/videoList/0/to", Positive(86_400.0), "Use the file up to this second only.").unit("s").otherwise("its end"),
    Field::new("/params/videoList/0/copies", Integer(1, 100), "Outputs to make of this video, all different; they follow each other in the order of the list.").or("1"),
    Field::new("/params/options/frameExtraction", Object, "Drop frames down to a rate drawn from `start` to `end`, before the output rate is set.")
        .label("Drop frames", "抽帧")
        .hint("Keep only so many frames a second before the output rate is set.", "在设定输出帧率前，仅保留这么多帧。").section("time")
        .details("Drops frames: a rate is drawn from `start` to `end` in steps of 0.01; frames beyond it are dropped, a slower source stays as it is"),
    Field::new("/params/options/frameExtraction/isExtract", Bool, "Switches frame extraction on.").or("false"),
    Field::new("/params/options/frameExtraction/start", Number(25.0, 30.0), "Lowest rate kept, in frames a second.").or("25").up_to("end")
        .label("Frames kept a second", "每秒保留帧数"),
    Field::new("/params/options/frameExtraction/end", Number(25.0, 30.0), "Highest rate kept, in frames a second.").or("30"),
    Field::new("/params/options/speed", Object, "Another speed for picture and sound, pitch kept, drawn from `start` to `end`.")
        .label("Change speed", "变速")
        .hint("Picture and sound together; the pitch is kept.", "画面与声音同步变速，音调不变。").section("time")
        .details("A factor is drawn from `start` to `end` in steps of 0.1; picture and sound together, pitch kept; 2 is twice as fast"),
    Field::new("/params/options/speed/isSpeed", Bool, "Switches the speed change on.").or("false"),
    Field::new("/params/options/speed/start", Tenths(0.5, 2.0), "Lowest speed multiplier.").or("1").up_to("end")
        .label("Speed", "速度"),
    Field::new("/params/options/speed/end", Tenths(0.5, 2.0), "Highest speed multiplier.").or("1.5"),
    Field::new("/params/options/fps", Fps, "Frames a second of the output.").or("30")
        .label("Frames a second", "输出帧率").section("time"),
    Field::new("/params/options/isMirror", Bool, "Mirror the picture left to right.").or("false")
        .label("Mirror left to right", "左右镜像").section("geometry"),
    Field::new("/params/options/rotation", Object, "Turn the picture by an angle drawn from `minAngle` to `maxAngle`, without empty corners.")
        .label("Turn the picture", "旋转")
        .hint("Never leaves empty corners.", "不会出现空白角。").section("geometry")
        .details("An angle is drawn in steps of 0.001 degrees; no empty corners: up to 15° the picture is enlarged just enough, beyond that a blurred copy lies behind"),
    Field::new("/params/options/rotation/isRotate", Bool, "Switches rotation on.").or("false"),
    Field::new("/params/options/rotation/direction", Choice(&["clockwise", "counterclockwise"]), "Which way it turns.").or("\"clockwise\"")
        .label("Direction", "方向")
        .words(&[("Clockwise", "顺时针"), ("Counterclockwise", "逆时针")]),
    Field::new("/params/options/rotation/minAngle", Number(0.0, 180.0), "Smallest angle in degrees.").or("0").unit("degrees").up_to("maxAngle")
        .label("Angle in degrees", "角度（度）"),
    Field::new("/params/options/rotation/maxAngle", Number(0.0, 180.0), "Largest angle in degrees.").or("2").unit("degrees"),
    Field::new("/params/options/zoom", Object, "Enlarge about the centre by a factor drawn from `minScale` to `maxScale`, cropped to size.")
        .label("Zoom in", "放大")
        .hint("About the centre; edges are cut.", "以中心放大，裁去边缘。").section("geometry")
        .details("A scale is drawn in steps of 0.001; enlarges about the centre, the edges are cut"),
    Field::new("/params/options/zoom/isZoom", Bool, "Switches zoom on.").or("false"),
    Field::new("/params/options/zoom/minScale", Tenths(1.0, 2.0), "Smallest factor.").or("1").up_to("maxScale")
        .label("Factor", "倍数"),
    Field::new("/params/options/zoom/maxScale", Tenths(1.0, 2.0), "Largest factor.").or("1.1"),
    Field::new("/params/options/colourMixing", Object, "Brightness, contrast, saturation and gamma, each drawn from its range.")
        .label("Adjust colours", "调色")
        .hint("Each value is drawn for each video between its two ends.", "每项在范围内为每个视频随机取值。").section("colour")
        .details("Each of the four is drawn from its range in steps of 0.001; units of ffmpeg's `eq`"),
    Field::new("/params/options/colourMixing/isMixing", Bool, "Switches colour adjustment on.").or("false"),
    Field::new("/params/options/colourMixing/brightnessMin", Tenths(-1.0, 1.0), "Lowest brightness; 0 is unchanged.").or("-0.1").up_to("brightnessMax")
        .label("Brightness", "亮度"),
    Field::new("/params/options/colourMixing/brightnessMax", Tenths(-1.0, 1.0), "Highest brightness; 0 is unchanged.").or("0.1"),
    Field::new("/params/options/colourMixing/contrastMin", Tenths(-2.0, 2.0), "Lowest contrast; 1 is unchanged.").or("0.9").up_to("contrastMax")
        .label("Contrast", "对比度"),
    Field::new("/params/options/colourMixing/contrastMax", Tenths(-2.0, 2.0), "Highest contrast; 1 is unchanged.").or("1.1"),
    Field::new("/params/options/colourMixing/saturationMin", Tenths(0.0, 3.0), "Lowest saturation; 1 is unchanged.").or("0.9").up_to("saturationMax")
        .label("Saturation", "饱和度")
        .details("Lowest saturation; 0 is grey, 1 is unchanged"),
    Field::new("/params/options/colourMixing/saturationMax", Tenths(0.0, 3.0), "Highest saturation; 1 is unchanged.").or("1.1"),
    Field::new("/params/options/colourMixing/gammaMin", Tenths(0.1, 10.0), "Lowest gamma; 1 is unchanged.").or("0.9").up_to("gammaMax")
        .label("Gamma", "伽马"),
    Field::new("/params/options/colourMixing/gammaMax", Tenths(0.1, 10.0), "Highest gamma; 1 is unchanged.").or("1.1"),
    Field::new("/params/options/hueMixing", Object, "Hue, saturation and brightness moved by fixed amounts.")
        .label("Shift hue", "色相偏移")
        .hint("Fixed amounts; nothing is drawn.", "固定值，不随机。").section("colour")
        .details("Fixed values, nothing is drawn; units of ffmpeg's `hue`"),
    Field::new("/params/options/hueMixing/isMixing", Bool, "Switches hue adjustment on.").or("false"),
    Field::new("/params/options/hueMixing/h", Tenths(0.0, 360.0), "Hue offset in degrees.").or("0").unit("degrees")
        .label("Hue in degrees", "色相（度）"),
    Field::new("/params/options/hueMixing/s", Tenths(0.0, 1.0), "Saturation offset from neutral.").or("0")
        .label("More saturation", "饱和度增量"),
    Field::new("/params/options/hueMixing/b", Tenths(0.0, 1.0), "Brightness added; 1 is a tenth of full scale.").or("0")
        .label("More brightness", "亮度增量")
        .details("Added brightness: 1 raises every grey by 29 of 255 steps, a tenth of the range that is stored (ffmpeg's filter goes on to 10, all white)"),
    Field::new("/params/options/colorBalance", Object, "Red, green and blue raised in shadows, midtones and highlights, by lightness.")
        .label("Colour balance", "色彩平衡")
        .hint("More red, green or blue by tonal range.", "按影调增加红、绿、蓝。").section("colour")
        .details("Fixed values, as in image editors; each colour by its own table, in which ranges go by lightness"),
    Field::new("/params/options/colorBalance/isBalance", Bool, "Switches colour balance on.").or("false"),
    Field::new("/params/options/colorBalance/rs", Tenths(0.0, 1.0), "Red in the shadows, most in black.").or("0")
        .label("Red, shadows", "阴影·红")
        .details("More red in shadows: most in black, nothing from grey 117 of 255 on; 0.1 raises by up to 15 steps, 1 by up to 66; green and blue alike"),
    Field::new("/params/options/colorBalance/gs", Tenths(0.0, 1.0), "Green in the shadows, most in black.").or("0")
        .label("Green, shadows", "阴影·绿"),
    Field::new("/params/options/colorBalance/bs", Tenths(0.0, 1.0), "Blue in the shadows, most in black.").or("0")
        .label("Blue, shadows", "阴影·蓝"),
    Field::new("/params/options/colorBalance/rm", Tenths(0.0, 1.0), "Red in the midtones, most in middle grey.").or("0")
        .label("Red, midtones", "中间调·红")
        .details("More red in midtones: most in middle grey, nothing below 39 and above 216; 0.1 raises by up to 14 steps, 1 by up to 51; green and blue alike"),
    Field::new("/params/options/colorBalance/gm", Tenths(0.0, 1.0), "Green in the midtones, most in middle grey.").or("0")
        .label("Green, midtones", "中间调·绿"),
    Field::new("/params/options/colorBalance/bm", Tenths(0.0, 1.0), "Blue in the midtones, most in middle grey.").or("0")
        .label("Blue, midtones", "中间调·蓝"),
    Field::new("/params/options/colorBalance/rh", Tenths(0.0, 1.0), "Red in the highlights, up to white.").or("0")
        .label("Red, highlights", "高光·红")
        .details("More red in highlights: from grey 138 up to white, which has no room to rise; 0.1 raises by up to 15 steps, 1 by up to 45; green and blue alike"),
    Field::new("/params/options/colorBalance/gh", Tenths(0.0, 1.0), "Green in the highlights, up to white.").or("0")
        .label("Green, highlights", "高光·绿"),
    Field::new("/params/options/colorBalance/bh", Tenths(0.0, 1.0), "Blue in the highlights, up to white.").or("0")
        .label("Blue, highlights", "高光·蓝"),
    Field::new("/params/options/isFilter", Bool, "Apply one colour look, drawn from the catalogue of looks.").or("false")
        .label("Colour look", "滤镜")
        .hint("One named look, drawn for each video.", "为每个视频随机选取一种滤镜。").section("colour")
        .details("One colour look is drawn: `warm`, `cool`, `teal-orange`, `faded`, `vivid`, `mono`, `noir`, `sepia`, `forest`, `rose`, `dusk`, `bleach`, `film`; [all with pictures](effects.md#looks)"),
    Field::new("/params/options/PIP", Object, "The picture smaller, in the middle of a background.")
        .label("Picture in picture", "画中画")
        .hint("The video smaller, over something that fills the frame.", "缩小画面，背景填满画框。").section("layers"),
    Field::new("/params/options/PIP/isPIP", Bool, "Switches picture-in-picture on.").or("false"),
    Field::new("/params/options/PIP/padding", Number(1.0, 80.0), "The picture is scaled to 100 minus this many percent.").or("10").unit("percent")
        .label("Margin in percent", "边距（%）")
        .details("The picture has 100 − `padding` percent of the width and of the height"),
    Field::new("/params/options/PIP/fillMode", Integer(1, 2), "1: over `fillVideoPath`, or a flat colour without one; 2: over `fillVideoPath`, or the picture itself, blurred and darkened.").or("2")
        .label("Behind it", "背景")
        .words(&[("Plain", "原样"), ("Blurred", "模糊")])
        .details("1: over the fill as it is, or without one over a flat colour, the mean of a typical picture of the video; 2: over the fill, or without one over the picture itself, blurred and darkened"),
    Field::new("/params/options/PIP/fillVideoPath", Url(Fill), "URL of the video for the background; its sound is not used.").otherwise("none")
        .label("Background file", "背景文件")
        .hint("A video or picture; without one a colour or the video itself, blurred.", "视频或图片；不选则使用纯色或模糊的原视频。")
        .details("A video, which goes on for ever, or an image; scaled to cover the frame; its sound is not used"),
    Field::new("/params/options/picMask", Object, "Layers of pictures, scaled to cover and laid over the picture.")
        .label("Picture masks", "图片蒙版")
        .hint("Pictures laid over the whole frame.", "覆盖全画面的图片。").section("layers"),
    Field::new("/params/options/picMask/isMask", Bool, "Switches the mask on.").or("false"),
    Field::new("/params/options/picMask/picFiles", Array(1, 100), "Mask files; each layer draws one. Needed when the mask is on.")
        .label("Pictures", "图片")
        .details("Which files are laid is drawn; none comes twice before each had its turn"),
    Field::new("/params/options/picMask/picFiles/0", Url(Mask), "URL of a mask file."),
    Field::new("/params/options/picMask/layerCount", Integer(0, 10), "Number of layers; 0 lays none.").or("1")
        .label("Layers", "层数")
        .details("Layers, one file each; 0 lays none and gives a warning"),
    Field::new("/params/options/picMask/trans", Number(1.0, 100.0), "Opacity of a layer in percent: 3 is barely visible, 100 covers.").or("3").unit("percent")
        .label("Opacity in percent", "不透明度（%）")
        .hint("3 is barely visible, 100 covers.", "3 几乎不可见，100 完全覆盖。"),
    Field::new("/params/options/videoMask", Object, "Layers of videos, looped, scaled to cover and laid over the picture.")
        .label("Video masks", "视频蒙版")
        .hint("Videos laid over the whole frame, without their sound.", "覆盖全画面的视频，不含声音。").section("layers")
        .details("The same with videos, which go on for ever; their sound is not used"),
    Field::new("/params/options/videoMask/isMask", Bool, "Switches the mask on.").or("false"),
    Field::new("/params/options/videoMask/videoFiles", Array(1, 100), "Mask files; each layer draws one. Needed when the mask is on.")
        .label("Videos", "视频"),
    Field::new("/params/options/videoMask/videoFiles/0", Url(Mask), "URL of a mask file."),
    Field::new("/params/options/videoMask/layerCount", Integer(0, 10), "Number of layers; 0 lays none.").or("1")
        .label("Layers", "层数"),
    Field::new("/params/options/videoMask/trans", Number(1.0, 100.0), "Opacity of a layer in percent: 3 is barely visible, 100 covers.").or("3").unit("percent")
        .label("Opacity in percent", "不透明度（%）")
        .hint("3 is barely visible, 100 covers.", "3 几乎不可见，100 完全覆盖。"),
    Field::new("/params/options/effect", Object, "A special effect for a part of the video.").section("effect").needs("value"),
    Field::new("/params/options/effect/value", Text(100), "Name of an effect of the catalogue; without one nothing is applied.")
        .label("Effect", "特效")
        .details("A name, [all with pictures](effects.md); an unknown name is an error that lists near ones; without `value` nothing is laid, with a warning"),
    Field::new("/params/options/effect/trans", Number(1.0, 100.0), "Strength in percent.").or("3").unit("percent")
        .label("Strength in percent", "强度（%）")
        .hint("3 is barely visible.", "3 几乎不可见。"),
    Field::new("/params/options/effect/duration", Number(0.0, 60.0), "Seconds the effect lasts; 0 applies none.").or("0.5").unit("s")
        .label("Seconds it lasts", "持续（秒）")
        .details("Seconds; 0 lays nothing, with a warning"),
    Field::new("/params/options/effect/position", Number(0.0, 100.0), "Where it begins, in percent of the length.").or("0").unit("percent")
        .label("Begins at percent of the length", "起始位置（%）")
        .details("Begins at this percent of the output's length, or earlier where it would not end with it"),
];
