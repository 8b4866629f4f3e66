//! videoDeduplication: its fields, and reading and writing them.

use serde_json::{Value, json};

use super::{TaskDeclaration, TaskParams};
use crate::message;
use crate::request::InputRole::{Clip as ClipFile, Fill, Mask as MaskFile};
use crate::request::clip::{read_part, write_clip};
use crate::request::form::{Form, Wire};
use crate::request::inputs::Inputs;
use crate::request::model::{Clip, DedupOptions, DedupParams, Mask, Params};
use crate::request::reader::Fields;
use crate::request::schema::field::Field;
use crate::request::schema::field::Kind::{
    Array, Bool, Choice, Fps as Rate, Integer, Number, Object, Positive, Tenths, Text, Url,
};
use crate::request::schema::mixes::COVER;
use crate::request::wire::{list, object};
use crate::results::is_result;
use crate::time::Fps;

pub(super) const DECLARATION: TaskDeclaration = TaskDeclaration {
    about: "Random visual variations of videos: mirroring, speed, rotation, zoom, colours, looks, masks, picture-in-picture and [30 effects](effects.md).",
    summary: "makes varied copies of videos",
    rows: ROWS,
    shared_rows: &COVER,
    read: |fields| read(fields).map(Params::VideoDeduplication),
    example,
};

impl TaskParams for DedupParams {
    fn seed(&self) -> Option<u64> {
        self.seed
    }

    fn fps(&self) -> Fps {
        self.options.fps
    }

    fn total_items(&self) -> usize {
        self.total_items()
    }

    fn clips(&self) -> Vec<&Clip> {
        self.videos.iter().collect()
    }

    fn clips_mut(&mut self) -> Vec<&mut Clip> {
        self.videos.iter_mut().collect()
    }

    fn list_inputs<'a>(&'a self, inputs: &mut Inputs<'a>) {
        for (i, clip) in self.videos.iter().enumerate() {
            inputs.add(ClipFile, "/params/videoList/#/filename", [i, 0], &clip.url);
        }
        let options = &self.options;
        list_mask(inputs, "/params/options/picMask/picFiles/#", options.pic_mask.as_ref());
        list_mask(inputs, "/params/options/videoMask/videoFiles/#", options.video_mask.as_ref());
        if let Some(url) = options.pip.as_ref().and_then(|pip| pip.fill_url.as_deref()) {
            inputs.add(Fill, "/params/options/PIP/fillVideoPath", [0; 2], url);
        }
        inputs.cover(options.cover.as_ref());
    }

    fn write(&self) -> Value {
        object([
            ("videoList", list(&self.videos, |clip| write_clip("filename", clip))),
            ("seed", json!(self.seed)),
            ("options", self.options.write()),
        ])
    }
}

fn list_mask<'a>(inputs: &mut Inputs<'a>, pattern: &'static str, mask: Option<&'a Mask>) {
    for (i, url) in mask.iter().flat_map(|mask| &mask.urls).enumerate() {
        inputs.add(MaskFile, pattern, [i, 0], url);
    }
}

fn read(fields: &mut Fields) -> Option<DedupParams> {
    let videos = fields.need("videoList");
    let most = videos.report.policy.max_videos;
    let videos = videos.array(most, |video| video.object(read_video).flatten());
    if let Some(videos) = &videos {
        check_number(fields, videos);
    }
    let options = fields.get("options").object_or_empty(DedupOptions::read_fields);
    let seed = fields.take("seed")?;
    Some(DedupParams { videos: videos?, options: options??, seed })
}

fn read_video(fields: &mut Fields) -> Option<Clip> {
    let clip = read_part(fields, "filename");
    // The expected length of a result is known.
    if !fields.has("duration") && !clip.as_ref().is_some_and(|clip| is_result(&clip.url)) {
        fields.refuse("duration", message::is_required(), None);
        return None;
    }
    let copies: Option<Option<u32>> = fields.take("copies");
    let copies = copies?.filter(|copies| *copies > 1);
    Some(Clip { copies, ..clip? })
}

/// Copies count as further videos.
fn check_number(fields: &mut Fields, videos: &[Clip]) {
    let most = fields.policy().max_videos;
    let output_count: usize = videos.iter().map(Clip::outputs).sum();
    if output_count > most {
        let message = message::too_many_copies(output_count, most);
        fields.refuse("videoList", message, Some(message::allowed_videos(most)));
    }
}

fn example() -> Value {
    json!({
        "taskType": "videoDeduplication",
        "clientTaskId": "order-1001",
        "params": {
            "videoList": [{ "filename": "https://media.example.com/city.mp4", "duration": 7.6 }],
            "options": {
                "isMirror": true,
                "isFilter": true,
                "speed": { "isSpeed": true, "start": 1.0, "end": 1.2 },
                "zoom": { "isZoom": true, "minScale": 1.0, "maxScale": 1.1 },
            },
        },
    })
}

/// The options are in the order in which they are applied.
const ROWS: &[Field] = &[
    Field::new("/params/videoList", Array(1, 1000), "Videos to vary; each produces `copies` outputs. An installation can set another limit.").needed(),
    Field::new("/params/videoList/0", Object, "One video."),
    Field::new("/params/videoList/0/filename", Url(ClipFile), "URL of the video.").needed(),
    Field::new("/params/videoList/0/duration", Positive(86_400.0), "Declared length in seconds. Used only to estimate the price at submission; it never trims the video.").unit("s").otherwise("required, unless `filename` is a result"),
    Field::new("/params/videoList/0/from", Number(0.0, 86_400.0), "Start of the excerpt, in seconds from the beginning of the file.").or("0").unit("s"),
    Field::new("/params/videoList/0/to", Positive(86_400.0), "End of the excerpt, in seconds from the beginning of the file.").unit("s").otherwise("end of the file"),
    Field::new("/params/videoList/0/copies", Integer(1, 100), "Number of different outputs of this video. Outputs are in the order of the list.").or("1"),
    Field::new("/params/options/frameExtraction", Object, "Drops frames down to a random rate between `start` and `end`, before the output rate is applied.")
        .label("Drop frames", "抽帧")
        .hint("Keep only this many frames per second before the output rate is applied.", "在设定输出帧率前，仅保留这么多帧。").section("time")
        .details("Drops frames down to a random rate between `start` and `end`, in steps of 0.01. A source with a lower rate is not changed"),
    Field::new("/params/options/frameExtraction/isExtract", Bool, "Enables frame extraction.").or("false"),
    Field::new("/params/options/frameExtraction/start", Number(25.0, 30.0), "Lowest rate, in frames per second.").or("25").up_to("end")
        .label("Frames per second to keep", "每秒保留帧数"),
    Field::new("/params/options/frameExtraction/end", Number(25.0, 30.0), "Highest rate, in frames per second.").or("30"),
    Field::new("/params/options/speed", Object, "Changes the speed of video and audio by a random factor between `start` and `end`. The pitch is preserved.")
        .label("Change speed", "变速")
        .hint("Video and audio together; the pitch is preserved.", "画面与声音同步变速，音调不变。").section("time")
        .details("Changes the speed of video and audio by a random factor between `start` and `end`, in steps of 0.1; 2 is twice as fast. The pitch is preserved"),
    Field::new("/params/options/speed/isSpeed", Bool, "Enables the speed change.").or("false"),
    Field::new("/params/options/speed/start", Tenths(0.5, 2.0), "Lowest speed multiplier.").or("1").up_to("end")
        .label("Speed", "速度"),
    Field::new("/params/options/speed/end", Tenths(0.5, 2.0), "Highest speed multiplier.").or("1.5"),
    Field::new("/params/options/fps", Rate, "Frame rate of the output, in frames per second.").or("30")
        .label("Frames per second", "输出帧率").section("time"),
    Field::new("/params/options/isMirror", Bool, "Mirrors the video horizontally.").or("false")
        .label("Mirror left to right", "左右镜像").section("geometry"),
    Field::new("/params/options/rotation", Object, "Rotates the video by a random angle between `minAngle` and `maxAngle`, without empty corners.")
        .label("Rotate", "旋转")
        .hint("Never leaves empty corners.", "不会出现空白角。").section("geometry")
        .details("Rotates the video by a random angle in steps of 0.001 degrees, without empty corners: up to 15° the video is enlarged just enough, beyond 15° a blurred copy fills the background"),
    Field::new("/params/options/rotation/isRotate", Bool, "Enables rotation.").or("false"),
    Field::new("/params/options/rotation/direction", Choice(&["clockwise", "counterclockwise"]), "Direction of the rotation.").or("\"clockwise\"")
        .label("Direction", "方向")
        .words(&[("Clockwise", "顺时针"), ("Counterclockwise", "逆时针")]),
    Field::new("/params/options/rotation/minAngle", Number(0.0, 180.0), "Smallest angle in degrees.").or("0").unit("degrees").up_to("maxAngle")
        .label("Angle in degrees", "角度（度）"),
    Field::new("/params/options/rotation/maxAngle", Number(0.0, 180.0), "Largest angle in degrees.").or("2").unit("degrees"),
    Field::new("/params/options/zoom", Object, "Enlarges the video around the centre by a random factor between `minScale` and `maxScale` and crops it.")
        .label("Zoom in", "放大")
        .hint("Around the centre; the edges are cropped.", "以中心放大，裁去边缘。").section("geometry")
        .details("Enlarges the video around the centre by a random factor in steps of 0.001 and crops the edges"),
    Field::new("/params/options/zoom/isZoom", Bool, "Enables zoom.").or("false"),
    Field::new("/params/options/zoom/minScale", Tenths(1.0, 2.0), "Smallest factor.").or("1").up_to("maxScale")
        .label("Factor", "倍数"),
    Field::new("/params/options/zoom/maxScale", Tenths(1.0, 2.0), "Largest factor.").or("1.1"),
    Field::new("/params/options/colourMixing", Object, "Adjusts brightness, contrast, saturation and gamma, each by a random value from its range.")
        .label("Adjust colours", "调色")
        .hint("Each value is chosen at random from its range for each video.", "每项在范围内为每个视频随机取值。").section("colour")
        .details("Each of the four values is chosen at random from its range in steps of 0.001; units of ffmpeg's `eq` filter"),
    Field::new("/params/options/colourMixing/isMixing", Bool, "Enables colour adjustment.").or("false"),
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
    Field::new("/params/options/hueMixing", Object, "Shifts hue, saturation and brightness by fixed amounts.")
        .label("Shift hue", "色相偏移")
        .hint("Fixed amounts, not random.", "固定值，不随机。").section("colour")
        .details("Fixed values, not random; units of ffmpeg's `hue` filter"),
    Field::new("/params/options/hueMixing/isMixing", Bool, "Enables the hue shift.").or("false"),
    Field::new("/params/options/hueMixing/h", Tenths(0.0, 360.0), "Hue offset in degrees.").or("0").unit("degrees")
        .label("Hue in degrees", "色相（度）"),
    Field::new("/params/options/hueMixing/s", Tenths(0.0, 1.0), "Saturation offset from neutral.").or("0")
        .label("More saturation", "饱和度增量"),
    Field::new("/params/options/hueMixing/b", Tenths(0.0, 1.0), "Added brightness; 1 is a tenth of full scale.").or("0")
        .label("More brightness", "亮度增量")
        .details("Added brightness: 1 raises every grey level by 29 of 255 steps, a tenth of the stored range (ffmpeg's filter accepts up to 10, all white)"),
    Field::new("/params/options/colorBalance", Object, "Raises red, green and blue in shadows, midtones and highlights.")
        .label("Colour balance", "色彩平衡")
        .hint("More red, green or blue by tonal range.", "按影调增加红、绿、蓝。").section("colour")
        .details("Raises red, green and blue in shadows, midtones and highlights by fixed values, as in image editors. The tonal range of a pixel depends on its lightness"),
    Field::new("/params/options/colorBalance/isBalance", Bool, "Enables colour balance.").or("false"),
    Field::new("/params/options/colorBalance/rs", Tenths(0.0, 1.0), "Red in the shadows, strongest in black.").or("0")
        .label("Red, shadows", "阴影·红")
        .details("More red in shadows: strongest in black, no effect from grey level 117 of 255 upwards; 0.1 raises by up to 15 steps, 1 by up to 66. The same values apply to green and blue"),
    Field::new("/params/options/colorBalance/gs", Tenths(0.0, 1.0), "Green in the shadows, strongest in black.").or("0")
        .label("Green, shadows", "阴影·绿"),
    Field::new("/params/options/colorBalance/bs", Tenths(0.0, 1.0), "Blue in the shadows, strongest in black.").or("0")
        .label("Blue, shadows", "阴影·蓝"),
    Field::new("/params/options/colorBalance/rm", Tenths(0.0, 1.0), "Red in the midtones, strongest in middle grey.").or("0")
        .label("Red, midtones", "中间调·红")
        .details("More red in midtones: strongest in middle grey, no effect below 39 and above 216; 0.1 raises by up to 14 steps, 1 by up to 51. The same values apply to green and blue"),
    Field::new("/params/options/colorBalance/gm", Tenths(0.0, 1.0), "Green in the midtones, strongest in middle grey.").or("0")
        .label("Green, midtones", "中间调·绿"),
    Field::new("/params/options/colorBalance/bm", Tenths(0.0, 1.0), "Blue in the midtones, strongest in middle grey.").or("0")
        .label("Blue, midtones", "中间调·蓝"),
    Field::new("/params/options/colorBalance/rh", Tenths(0.0, 1.0), "Red in the highlights, up to white.").or("0")
        .label("Red, highlights", "高光·红")
        .details("More red in highlights: from grey level 138 up to white, which cannot be raised; 0.1 raises by up to 15 steps, 1 by up to 45. The same values apply to green and blue"),
    Field::new("/params/options/colorBalance/gh", Tenths(0.0, 1.0), "Green in the highlights, up to white.").or("0")
        .label("Green, highlights", "高光·绿"),
    Field::new("/params/options/colorBalance/bh", Tenths(0.0, 1.0), "Blue in the highlights, up to white.").or("0")
        .label("Blue, highlights", "高光·蓝"),
    Field::new("/params/options/isFilter", Bool, "Applies a random colour look from the catalogue.").or("false")
        .label("Colour look", "滤镜")
        .hint("A random look for each video.", "为每个视频随机选取一种滤镜。").section("colour")
        .details("Applies a random colour look: `warm`, `cool`, `teal-orange`, `faded`, `vivid`, `mono`, `noir`, `sepia`, `forest`, `rose`, `dusk`, `bleach`, `film`; see the [gallery](effects.md#looks)"),
    Field::new("/params/options/PIP", Object, "Shows the video smaller, in the centre of a background.")
        .label("Picture in picture", "画中画")
        .hint("Shows the video smaller, over a background that fills the frame.", "缩小画面，背景填满画框。").section("layers"),
    Field::new("/params/options/PIP/isPIP", Bool, "Enables picture-in-picture.").or("false"),
    Field::new("/params/options/PIP/padding", Number(1.0, 80.0), "Margin: the video is scaled to 100 minus this many percent.").or("10").unit("percent")
        .label("Margin in percent", "边距（%）")
        .details("Margin: the video has 100 − `padding` percent of the width and of the height"),
    Field::new("/params/options/PIP/fillMode", Integer(1, 2), "Background. 1: `fillVideoPath`, or a flat colour if it is omitted; 2: `fillVideoPath`, or the video itself, blurred and darkened.").or("2")
        .label("Background", "背景")
        .words(&[("Plain", "原样"), ("Blurred", "模糊")])
        .details("Background. 1: `fillVideoPath` unchanged, or a flat colour (the average of a typical frame) if it is omitted; 2: `fillVideoPath`, or the video itself if it is omitted, blurred and darkened"),
    Field::new("/params/options/PIP/fillVideoPath", Url(Fill), "URL of a video or an image for the background. Its audio is ignored.").otherwise("none")
        .label("Background file", "背景文件")
        .hint("A video or an image. Empty: a colour, or the video itself, blurred.", "视频或图片；不选则使用纯色或模糊的原视频。")
        .details("A looping video or an image, scaled to cover the frame. Its audio is ignored"),
    Field::new("/params/options/picMask", Object, "Overlays layers of images, each scaled to cover the frame.")
        .label("Image masks", "图片蒙版")
        .hint("Images over the whole frame.", "覆盖全画面的图片。").section("layers"),
    Field::new("/params/options/picMask/isMask", Bool, "Enables the mask.").or("false"),
    Field::new("/params/options/picMask/picFiles", Array(1, 100), "Mask files; each layer uses a random one. Required if the mask is enabled.")
        .label("Images", "图片")
        .details("Files are chosen at random, and each is used once before any is repeated. Required if the mask is enabled"),
    Field::new("/params/options/picMask/picFiles/0", Url(MaskFile), "URL of a mask file."),
    Field::new("/params/options/picMask/layerCount", Integer(0, 10), "Number of layers; 0 disables the mask.").or("1")
        .label("Layers", "层数")
        .details("Number of layers, one file each; 0 disables the mask and returns a warning"),
    Field::new("/params/options/picMask/trans", Number(1.0, 100.0), "Opacity of a layer in percent: 3 is barely visible, 100 covers.").or("3").unit("percent")
        .label("Opacity in percent", "不透明度（%）")
        .hint("3 is barely visible, 100 covers.", "3 几乎不可见，100 完全覆盖。"),
    Field::new("/params/options/videoMask", Object, "Overlays layers of looping videos, each scaled to cover the frame.")
        .label("Video masks", "视频蒙版")
        .hint("Videos over the whole frame, without their audio.", "覆盖全画面的视频，不含声音。").section("layers")
        .details("Overlays layers of looping videos, each scaled to cover the frame. Their audio is ignored"),
    Field::new("/params/options/videoMask/isMask", Bool, "Enables the mask.").or("false"),
    Field::new("/params/options/videoMask/videoFiles", Array(1, 100), "Mask files; each layer uses a random one. Required if the mask is enabled.")
        .label("Videos", "视频"),
    Field::new("/params/options/videoMask/videoFiles/0", Url(MaskFile), "URL of a mask file."),
    Field::new("/params/options/videoMask/layerCount", Integer(0, 10), "Number of layers; 0 disables the mask.").or("1")
        .label("Layers", "层数"),
    Field::new("/params/options/videoMask/trans", Number(1.0, 100.0), "Opacity of a layer in percent: 3 is barely visible, 100 covers.").or("3").unit("percent")
        .label("Opacity in percent", "不透明度（%）")
        .hint("3 is barely visible, 100 covers.", "3 几乎不可见，100 完全覆盖。"),
    Field::new("/params/options/effect", Object, "A special effect during a part of the video.").section("effect").needs("value"),
    Field::new("/params/options/effect/value", Text(100), "Name of an effect in the catalogue. If omitted, no effect is applied.")
        .label("Effect", "特效")
        .details("Name of an effect in the [catalogue](effects.md). An unknown name is an error that lists similar names. If omitted, no effect is applied and a warning is returned"),
    Field::new("/params/options/effect/trans", Number(1.0, 100.0), "Strength in percent.").or("3").unit("percent")
        .label("Strength in percent", "强度（%）")
        .hint("3 is barely visible.", "3 几乎不可见。"),
    Field::new("/params/options/effect/duration", Number(0.0, 60.0), "Duration in seconds; 0 disables the effect.").or("0.5").unit("s")
        .label("Duration in seconds", "持续（秒）")
        .details("Duration in seconds; 0 disables the effect and returns a warning"),
    Field::new("/params/options/effect/position", Number(0.0, 100.0), "Start of the effect, in percent of the length.").or("0").unit("percent")
        .label("Start in percent of the length", "起始位置（%）")
        .details("Start of the effect, in percent of the output's length. It starts earlier if it would otherwise outlast the output"),
];
