//! The table of effects. Names are part of the API: an effect may improve, but its name stays.

use super::{Effect, color, lens, light, particles, retro};

macro_rules! effect {
    ($apply:expr, $name:literal, $title_en:literal, $title_zh:literal, $description_en:literal, $description_zh:literal) => {
        Effect {
            name: $name,
            title_en: $title_en,
            title_zh: $title_zh,
            description_en: $description_en,
            description_zh: $description_zh,
            apply: $apply,
        }
    };
}

#[rustfmt::skip]
pub(super) const EFFECTS: &[Effect] = &[
    effect!(light::flash, "flash", "Flash", "闪白", "One burst of white light that swells and fades softly", "一次柔和亮起再消退的白色闪光"),
    effect!(light::strobe, "strobe", "Strobe", "频闪", "Pulses of cool light, three per second and no faster", "冷白色光脉冲，每秒三次，不会更快"),
    effect!(light::light_leak, "light-leak", "Light leak", "漏光", "Orange and golden light wanders in from the edges, as in an old camera", "橙金色光从边缘渗入，如老相机漏光"),
    effect!(light::lens_flare, "lens-flare", "Lens flare", "镜头光晕", "A bright light with rays, soft halo and ghosts crosses the frame", "带光条、光环与鬼影的亮光划过画面"),
    effect!(light::rainbow, "rainbow", "Rainbow wave", "彩虹流光", "Bands of coloured light flow across the frame", "彩色光带流过画面"),
    effect!(particles::sparkle, "sparkle", "Sparkle", "星光", "Golden stars light up and fade all over the frame", "金色星芒在画面各处闪烁"),
    effect!(particles::bokeh, "bokeh", "Bokeh", "光斑", "Warm discs of light rise and breathe slowly", "温暖的圆形光斑缓缓上升、明暗起伏"),
    effect!(particles::snow, "snow", "Snow", "飘雪", "Soft flakes of all sizes drift past, near and far", "大小不一的柔软雪花由远及近飘过"),
    effect!(particles::rain, "rain", "Rain", "下雨", "Slanting rain in three depths", "三层斜落的雨丝"),
    effect!(particles::fog, "fog", "Fog", "薄雾", "Banks of fog drift through the frame", "雾气在画面中缓缓流动"),
    effect!(particles::confetti, "confetti", "Confetti", "彩纸", "Bright snippets of paper tumble down", "缤纷彩纸翻转飘落"),
    effect!(lens::dream, "dream", "Dream", "梦境", "A soft glow and tender colours", "柔光与柔和色彩"),
    effect!(lens::lens_blur, "lens-blur", "Lens blur", "镜头虚化", "The video goes out of focus and its lights spread", "画面失焦，亮处晕开"),
    effect!(lens::vignette, "vignette", "Vignette", "暗角", "Edges and corners darken softly", "四周柔和变暗"),
    effect!(lens::spotlight, "spotlight", "Spotlight", "聚光灯", "Only a wandering circle stays bright", "仅游走的圆形区域保持明亮"),
    effect!(lens::cinema_bars, "cinema-bars", "Cinema bars", "电影黑边", "Black bars slide in from above and below", "黑边从上下滑入"),
    effect!(lens::zoom_pulse, "zoom-pulse", "Zoom pulse", "脉冲缩放", "The video zooms in and out twice a second", "画面每秒两次推近再拉回"),
    effect!(lens::shake, "shake", "Shake", "抖动", "A trembling hand-held camera", "手持镜头的抖动"),
    effect!(lens::ripple, "ripple", "Ripple", "水波", "Rings of water run outwards from the middle", "水波从中心向外荡开"),
    effect!(lens::mirror_tile, "mirror-tile", "Mirror tiles", "镜像平铺", "The video four times, mirrored at the middle", "画面四分镜像"),
    effect!(lens::pixelate, "pixelate", "Pixelate", "像素化", "The video dissolves into square blocks", "画面化为方块像素"),
    effect!(retro::film_grain, "film-grain", "Film grain", "胶片颗粒", "The moving grain of photographic film", "胶片般跳动的颗粒"),
    effect!(retro::old_film, "old-film", "Old film", "老电影", "Brown tones, flicker, dust and scratches", "棕色调、闪烁、灰尘与划痕"),
    effect!(retro::vhs, "vhs", "VHS tape", "录像带", "Smeared colours, trembling lines and a wandering band of noise", "色彩拖影、行抖动与游走的干扰带"),
    effect!(retro::glitch, "glitch", "Glitch", "故障", "Blocks of lines jump sideways and lose their colours", "画面横向错位、色彩错离"),
    effect!(retro::rgb_split, "rgb-split", "RGB split", "色差分离", "Red and blue drift apart in a beat", "红蓝色随节拍分离"),
    effect!(color::neon_edges, "neon-edges", "Neon edges", "霓虹描边", "Outlines glow in strong colours on a darkened video", "暗色画面上轮廓发出霓虹光"),
    effect!(color::comic, "comic", "Comic", "漫画", "Flat strong colours with dark outlines", "浓烈平涂色彩与深色轮廓"),
    effect!(color::thermal, "thermal", "Heat camera", "热成像", "Brightness in the colours of a heat camera", "以热成像色彩表现明暗"),
    effect!(color::duotone, "duotone", "Duotone", "双色调", "Two tones: deep violet and pale gold", "深紫与淡金的双色画面"),
];
