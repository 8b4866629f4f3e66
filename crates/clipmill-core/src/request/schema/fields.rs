//! The rows.

use super::Field;
use super::Kind::{
    Array, Bool, Choice, Color, Fps, Integer, Number, Object, Positive, Tenths, Text, Url, WebUrl,
};

pub(super) const COMMON: &[Field] = &[
    Field::new(
        "/taskType",
        Choice(&[]),
        "Which of the three kinds of task this is; the structure of `params` depends on it.",
    )
    .needed(),
    Field::new("/params", Object, "Parameters of the task.").needed(),
    Field::new("/callbackUrl", WebUrl, "Address that is called once when the task is in a final state."),
    Field::new(
        "/clientTaskId",
        Text(128),
        "Your own id of the job. The same body with the same id answers with the first task and costs nothing.",
    ),
    Field::new(
        "/params/seed",
        Integer(0, 9_007_199_254_740_991),
        "Seed of everything that is left to chance; drawn when absent.",
    )
    .ours(),
    Field::new("/params/options", Object, "Options; each has a default."),
    Field::new(
        "/params/options/preset",
        Choice(&["draft", "standard", "high"]),
        "How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`.",
    )
    .ours(),
];

/// `params` of videoDeduplication.
pub(super) const DEDUP: &[Field] = &[
    Field::new("/params/videoList", Array(1, 1000), "Videos to vary; each gives one output. An installation may allow another number.").needed(),
    Field::new("/params/videoList/0", Object, "One video."),
    Field::new("/params/videoList/0/filename", Url, "URL of the video.").needed(),
    Field::new("/params/videoList/0/duration", Positive(86_400.0), "Declared length in seconds; it prices the task at submit and cuts nothing.").needed(),
    Field::new("/params/options/isMirror", Bool, "Mirror the picture left to right.").or("false"),
    Field::new("/params/options/isFilter", Bool, "Apply one colour look, drawn from the catalogue of looks.").or("false"),
    Field::new("/params/options/fps", Fps, "Frames a second of the output.").or("30"),
    Field::new("/params/options/frameExtraction", Object, "Drop frames down to a rate drawn from `start` to `end`, before the output rate is set."),
    Field::new("/params/options/frameExtraction/isExtract", Bool, "Switches frame extraction on.").or("false"),
    Field::new("/params/options/frameExtraction/start", Number(25.0, 30.0), "Lowest rate kept, in frames a second.").or("25"),
    Field::new("/params/options/frameExtraction/end", Number(25.0, 30.0), "Highest rate kept, in frames a second.").or("30"),
    Field::new("/params/options/speed", Object, "Another speed for picture and sound, pitch kept, drawn from `start` to `end`."),
    Field::new("/params/options/speed/isSpeed", Bool, "Switches the speed change on.").or("false"),
    Field::new("/params/options/speed/start", Tenths(0.5, 2.0), "Lowest speed multiplier.").or("1"),
    Field::new("/params/options/speed/end", Tenths(0.5, 2.0), "Highest speed multiplier.").or("1.5"),
    Field::new("/params/options/rotation", Object, "Turn the picture by an angle drawn from `minAngle` to `maxAngle`, without empty corners."),
    Field::new("/params/options/rotation/isRotate", Bool, "Switches rotation on.").or("false"),
    Field::new("/params/options/rotation/direction", Choice(&["clockwise", "counterclockwise"]), "Which way it turns.").or("\"clockwise\""),
    Field::new("/params/options/rotation/minAngle", Number(0.0, 180.0), "Smallest angle in degrees.").or("0"),
    Field::new("/params/options/rotation/maxAngle", Number(0.0, 180.0), "Largest angle in degrees.").or("2"),
    Field::new("/params/options/zoom", Object, "Enlarge about the centre by a factor drawn from `minScale` to `maxScale`, cropped to size."),
    Field::new("/params/options/zoom/isZoom", Bool, "Switches zoom on.").or("false"),
    Field::new("/params/options/zoom/minScale", Tenths(1.0, 2.0), "Smallest factor.").or("1"),
    Field::new("/params/options/zoom/maxScale", Tenths(1.0, 2.0), "Largest factor.").or("1.1"),
    Field::new("/params/options/colourMixing", Object, "Brightness, contrast, saturation and gamma, each drawn from its range."),
    Field::new("/params/options/colourMixing/isMixing", Bool, "Switches colour adjustment on.").or("false"),
    Field::new("/params/options/colourMixing/brightnessMin", Tenths(-1.0, 1.0), "Lowest brightness; 0 is unchanged.").or("-0.1"),
    Field::new("/params/options/colourMixing/brightnessMax", Tenths(-1.0, 1.0), "Highest brightness; 0 is unchanged.").or("0.1"),
    Field::new("/params/options/colourMixing/contrastMin", Tenths(-2.0, 2.0), "Lowest contrast; 1 is unchanged.").or("0.9"),
    Field::new("/params/options/colourMixing/contrastMax", Tenths(-2.0, 2.0), "Highest contrast; 1 is unchanged.").or("1.1"),
    Field::new("/params/options/colourMixing/saturationMin", Tenths(0.0, 3.0), "Lowest saturation; 1 is unchanged.").or("0.9"),
    Field::new("/params/options/colourMixing/saturationMax", Tenths(0.0, 3.0), "Highest saturation; 1 is unchanged.").or("1.1"),
    Field::new("/params/options/colourMixing/gammaMin", Tenths(0.1, 10.0), "Lowest gamma; 1 is unchanged.").or("0.9"),
    Field::new("/params/options/colourMixing/gammaMax", Tenths(0.1, 10.0), "Highest gamma; 1 is unchanged.").or("1.1"),
    Field::new("/params/options/hueMixing", Object, "Hue, saturation and brightness moved by fixed amounts."),
    Field::new("/params/options/hueMixing/isMixing", Bool, "Switches hue adjustment on.").or("false"),
    Field::new("/params/options/hueMixing/h", Tenths(0.0, 360.0), "Hue offset in degrees.").or("0"),
    Field::new("/params/options/hueMixing/s", Tenths(0.0, 1.0), "Saturation offset from neutral.").or("0"),
    Field::new("/params/options/hueMixing/b", Tenths(0.0, 1.0), "Brightness added; 1 is a tenth of full scale.").or("0"),
    Field::new("/params/options/colorBalance", Object, "Red, green and blue raised in shadows, midtones and highlights, by lightness."),
    Field::new("/params/options/colorBalance/isBalance", Bool, "Switches colour balance on.").or("false"),
    Field::new("/params/options/colorBalance/rs", Tenths(0.0, 1.0), "Red in the shadows, most in black.").or("0"),
    Field::new("/params/options/colorBalance/gs", Tenths(0.0, 1.0), "Green in the shadows, most in black.").or("0"),
    Field::new("/params/options/colorBalance/bs", Tenths(0.0, 1.0), "Blue in the shadows, most in black.").or("0"),
    Field::new("/params/options/colorBalance/rh", Tenths(0.0, 1.0), "Red in the highlights, up to white.").or("0"),
    Field::new("/params/options/colorBalance/gh", Tenths(0.0, 1.0), "Green in the highlights, up to white.").or("0"),
    Field::new("/params/options/colorBalance/bh", Tenths(0.0, 1.0), "Blue in the highlights, up to white.").or("0"),
    Field::new("/params/options/colorBalance/rm", Tenths(0.0, 1.0), "Red in the midtones, most in middle grey.").or("0"),
    Field::new("/params/options/colorBalance/gm", Tenths(0.0, 1.0), "Green in the midtones, most in middle grey.").or("0"),
    Field::new("/params/options/colorBalance/bm", Tenths(0.0, 1.0), "Blue in the midtones, most in middle grey.").or("0"),
    Field::new("/params/options/picMask", Object, "Layers of pictures, scaled to cover and laid over the picture."),
    Field::new("/params/options/picMask/isMask", Bool, "Switches the mask on.").or("false"),
    Field::new("/params/options/picMask/picFiles", Array(1, 100), "Mask files; each layer draws one. Needed when the mask is on."),
    Field::new("/params/options/picMask/picFiles/0", Url, "URL of a mask file."),
    Field::new("/params/options/picMask/layerCount", Integer(0, 10), "Number of layers; 0 lays none.").or("1"),
    Field::new("/params/options/picMask/trans", Number(1.0, 100.0), "Opacity of a layer in percent: 3 is barely visible, 100 covers.").or("3"),
    Field::new("/params/options/videoMask", Object, "Layers of videos, looped, scaled to cover and laid over the picture."),
    Field::new("/params/options/videoMask/isMask", Bool, "Switches the mask on.").or("false"),
    Field::new("/params/options/videoMask/videoFiles", Array(1, 100), "Mask files; each layer draws one. Needed when the mask is on."),
    Field::new("/params/options/videoMask/videoFiles/0", Url, "URL of a mask file."),
    Field::new("/params/options/videoMask/layerCount", Integer(0, 10), "Number of layers; 0 lays none.").or("1"),
    Field::new("/params/options/videoMask/trans", Number(1.0, 100.0), "Opacity of a layer in percent: 3 is barely visible, 100 covers.").or("3"),
    Field::new("/params/options/effect", Object, "A special effect for a part of the video."),
    Field::new("/params/options/effect/value", Text(100), "Name of an effect of the catalogue; without one nothing is applied."),
    Field::new("/params/options/effect/trans", Number(1.0, 100.0), "Strength in percent.").or("3"),
    Field::new("/params/options/effect/duration", Number(0.0, 60.0), "Seconds the effect lasts; 0 applies none.").or("0.5"),
    Field::new("/params/options/effect/position", Number(0.0, 100.0), "Where it begins, in percent of the length.").or("0"),
    Field::new("/params/options/PIP", Object, "The picture smaller, in the middle of a background."),
    Field::new("/params/options/PIP/isPIP", Bool, "Switches picture-in-picture on.").or("false"),
    Field::new("/params/options/PIP/padding", Number(1.0, 80.0), "The picture is scaled to 100 minus so many percent.").or("10"),
    Field::new("/params/options/PIP/fillMode", Integer(1, 2), "1: over `fillVideoPath`, or a flat colour without one; 2: over `fillVideoPath`, or the picture itself, blurred and darkened.").or("2"),
    Field::new("/params/options/PIP/fillVideoPath", Url, "URL of the video for the background; its sound is not used."),
];

/// `params` of baseVideoMix.
pub(super) const BASE: &[Field] = &[
    Field::new("/params/videoList", Array(1, 100), "Groups of clips; each group gives one output.").needed(),
    Field::new("/params/videoList/0", Object, "One group."),
    Field::new("/params/videoList/0/videos", Array(1, 100), "Clips of the group, in order.").needed(),
    Field::new("/params/videoList/0/videos/0", Object, "One clip."),
    Field::new("/params/videoList/0/videos/0/url", Url, "URL of the clip.").needed(),
    Field::new(
        "/params/videoList/0/videos/0/duration",
        Positive(86_400.0),
        "Declared length in seconds; it only prices.",
    ),
    Field::new("/params/videoList/0/videos/0/sceneName", Text(500), "A name for you; it has no effect."),
    Field::new("/params/videoList/0/totalDuration", Positive(600.0), "Cuts the output to so many seconds."),
    Field::new("/params/isShortest", Bool, "Cut every clip of a group to the group's shortest.").or("false"),
];

/// `params` of proVideoMix.
pub(super) const PRO: &[Field] = &[
    Field::new("/params/scenes", Array(1, 100), "Scenes in order.").needed(),
    Field::new("/params/scenes/0", Object, "One scene."),
    Field::new("/params/scenes/0/sceneKey", Text(200), "Unique key of the scene.").needed(),
    Field::new("/params/scenes/0/sceneName", Text(200), "Name of the scene.").needed(),
    Field::new("/params/scenes/0/duration", Positive(3600.0), "Length of the scene in seconds. A longer clip is cut, one a little short holds its last picture, a shorter one loops.").needed(),
    Field::new("/params/scenes/0/resources", Array(1, 100), "Clips to choose from: one per output.").needed(),
    Field::new("/params/scenes/0/resources/0", Object, "One clip."),
    Field::new("/params/scenes/0/resources/0/key", Text(500), "A key for you; it has no effect."),
    Field::new("/params/scenes/0/resources/0/url", Url, "URL of the clip.").needed(),
    Field::new("/params/scenes/0/resources/0/duration", Positive(86_400.0), "Declared length in seconds; it only prices."),
    Field::new("/params/scenes/0/audioResources", Array(0, 100), "Sounds of the scene; where there are several, one is drawn per output.").or("[]"),
    Field::new("/params/scenes/0/audioResources/0", Object, "One sound."),
    Field::new("/params/scenes/0/audioResources/0/url", Url, "URL of the sound."),
    Field::new("/params/scenes/0/audioResources/0/duration", Number(0.0, 86_400.0), "Use only the first so many seconds of the file."),
    Field::new("/params/scenes/0/audioResources/0/startTime", Number(0.0, 3600.0), "`split`: seconds after the scene's start; `merge`: the gap before this sound.").or("0"),
    Field::new("/params/audioMode", Choice(&["merge", "split"]), "`split`: each scene's sound plays within its scene; `merge`: the scenes' sounds are joined into one track from the start.").needed(),
    Field::new("/params/generateCount", Integer(1, 5), "Number of different videos to make.").needed(),
    Field::new("/params/combinations", Array(0, 5), "Combinations to use first: rows of one index into `resources` for each scene. The rest is drawn.").or("[]"),
    Field::new("/params/combinations/0", Array(1, 100), "One combination."),
    Field::new("/params/combinations/0/0", Integer(0, 99), "Index into the scene's `resources`."),
    Field::new("/params/options/isShortest", Bool, "Cut every scene of an output to its shortest.").or("false"),
];

/// `options` of both mixes.
pub(super) const MIX: &[Field] = &[
    Field::new(
        "/params/options/resolution",
        Choice(&["720:1280", "1080:1920", "1280:720", "1920:1080"]),
        "Width and height of the output.",
    )
    .or("\"720:1280\""),
    Field::new(
        "/params/options/resolutionMode",
        Choice(&["none", "crop", "stretch"]),
        "`none` fits the whole picture in, `crop` fills and crops, `stretch` stretches.",
    )
    .or("\"none\""),
    Field::new(
        "/params/options/background",
        Choice(&["black", "blur"]),
        "Behind a picture that does not fill the frame or can be seen through: black, or a blurred copy of itself.",
    )
    .or("\"black\"")
    .ours(),
    Field::new("/params/options/fps", Fps, "Frames a second of the output.").or("30"),
    Field::new(
        "/params/options/originalVolume",
        Integer(0, 100),
        "Volume of the clips' own sound in percent.",
    )
    .or("100")
    .ours(),
    Field::new("/params/options/ducking", Bool, "Turn the music down while somebody speaks.")
        .or("false")
        .ours(),
    Field::new(
        "/params/options/loudness",
        Number(-40.0, -5.0),
        "Bring the mix to this loudness in LUFS (EBU R128).",
    )
    .ours(),
    Field::new("/params/options/backgroundMusic", Object, "Music that loops to the picture's end."),
    Field::new("/params/options/backgroundMusic/url", Url, "URL of the sound; without one nothing plays."),
    Field::new("/params/options/backgroundMusic/fileName", Text(500), "A name for you; it has no effect."),
    Field::new(
        "/params/options/backgroundMusic/duration",
        Number(0.0, 600.0),
        "Use only the first so many seconds of the file.",
    ),
    Field::new("/params/options/backgroundMusic/volume", Integer(0, 100), "Percent of amplitude.").or("80"),
    Field::new(
        "/params/options/backgroundMusic/fadeIn",
        Number(0.0, 10.0),
        "Seconds of fade at the start of what is heard.",
    )
    .or("0.5"),
    Field::new(
        "/params/options/backgroundMusic/fadeOut",
        Number(0.0, 10.0),
        "Seconds of fade at the end of what is heard.",
    )
    .or("0.5"),
    Field::new("/params/options/audio", Object, "Voice-over that plays once from the start."),
    Field::new("/params/options/audio/url", Url, "URL of the sound; without one nothing plays."),
    Field::new("/params/options/audio/fileName", Text(500), "A name for you; it has no effect."),
    Field::new(
        "/params/options/audio/duration",
        Number(0.0, 600.0),
        "Use only the first so many seconds of the file.",
    ),
    Field::new("/params/options/audio/volume", Integer(0, 100), "Percent of amplitude.").or("80"),
    Field::new(
        "/params/options/audio/fadeIn",
        Number(0.0, 10.0),
        "Seconds of fade at the start of what is heard.",
    )
    .or("0.5"),
    Field::new(
        "/params/options/audio/fadeOut",
        Number(0.0, 10.0),
        "Seconds of fade at the end of what is heard.",
    )
    .or("0.5"),
    Field::new("/params/options/subtitle", Object, "Subtitles, drawn into the picture."),
    Field::new("/params/options/subtitle/url", Url, "URL of an SRT or VTT file; without one none are shown."),
    Field::new("/params/options/subtitle/fileName", Text(500), "A name for you; it has no effect."),
    Field::new("/params/options/subtitle/style", Object, "How the text looks.").or("{}"),
    Field::new(
        "/params/options/subtitle/style/fontSize",
        Integer(10, 18),
        "Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.",
    )
    .or("14"),
    Field::new("/params/options/subtitle/style/fontColor", Color, "Colour of the text.").or("\"#FFFFFF\""),
    Field::new("/params/options/subtitle/style/outlineColor", Color, "Colour of the outline."),
    Field::new("/params/options/subtitle/style/backColor", Color, "Colour of a box behind the text."),
    Field::new(
        "/params/options/subtitle/style/bottom",
        Integer(0, 1000),
        "Output pixels from the bottom edge to the text.",
    )
    .or("50"),
    Field::new("/params/options/subtitle/style/magnification", Number(0.1, 5.0), "Multiplies `fontSize`.")
        .or("2.5"),
];
