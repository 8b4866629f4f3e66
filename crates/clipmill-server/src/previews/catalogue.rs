//! Images of the catalogues' entries, embedded in the program. `make previews` generates them.

macro_rules! images {
    ($folder:literal: $($name:literal)*) => {
        &[$((
            $name,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images/", $folder, "/", $name, ".webp"))
                as &[u8],
        )),*]
    };
}

type Images = &'static [(&'static str, &'static [u8])];

const EFFECTS: Images = images!("effects":
    "flash" "strobe" "light-leak" "lens-flare" "rainbow" "sparkle" "bokeh" "snow" "rain" "fog" "confetti"
    "dream" "lens-blur" "vignette" "spotlight" "cinema-bars" "zoom-pulse" "shake" "ripple" "mirror-tile"
    "pixelate" "film-grain" "old-film" "vhs" "glitch" "rgb-split" "neon-edges" "comic" "thermal"
    "duotone"
);

const LOOKS: Images = images!("looks":
    "warm" "cool" "teal-orange" "faded" "vivid" "mono" "noir" "sepia" "forest" "rose" "dusk" "bleach"
    "film"
);

const TRANSITIONS: Images = images!("transitions":
    "fade" "fadeblack" "fadewhite" "fadegrays" "dissolve" "pixelize" "hblur" "slideleft" "slideright"
    "slideup" "slidedown" "zoomthrough" "whippan" "spin" "glitch" "wipeleft" "wiperight" "wipeup" "wipedown" "smoothleft" "smoothright" "smoothup"
    "smoothdown" "circleopen" "circleclose" "circlecrop" "vertopen" "vertclose" "horzopen" "horzclose"
    "radial" "diagtl" "diagbr" "hlslice" "hrslice" "vuslice" "vdslice"
);

const CAPTION_STYLES: Images = images!("captions":
    "clean" "bold-pop" "karaoke" "karaoke-box" "impact" "build" "typewriter" "label" "neon" "headline"
);

/// The WebP image of an effect.
pub fn effect(name: &str) -> Option<&'static [u8]> {
    find(EFFECTS, name)
}

/// The WebP image of a look.
pub fn look(name: &str) -> Option<&'static [u8]> {
    find(LOOKS, name)
}

/// The WebP image of a transition.
pub fn transition(name: &str) -> Option<&'static [u8]> {
    find(TRANSITIONS, name)
}

/// The WebP image of a caption style.
pub fn caption_style(name: &str) -> Option<&'static [u8]> {
    find(CAPTION_STYLES, name)
}

fn find(images: Images, name: &str) -> Option<&'static [u8]> {
    images.iter().find(|(entry_name, _)| *entry_name == name).map(|(_, image)| *image)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clipmill_core::effects::Effect;
    use clipmill_core::looks::Look;
    use clipmill_core::transitions::Transition;

    #[track_caller]
    fn check<'a>(images: Images, names: impl Iterator<Item = &'a str>) {
        let names: Vec<&str> = names.collect();
        let shown: Vec<&str> = images.iter().map(|(name, _)| *name).collect();
        assert_eq!(shown, names, "the images in the catalogue's order; regenerate them with `make previews`");
        for (name, image) in images {
            assert!(image.starts_with(b"RIFF") && image.get(8..12) == Some(b"WEBP"), "{name}");
        }
    }

    #[test]
    fn every_entry_of_the_catalogues_has_an_image() {
        check(EFFECTS, Effect::all().iter().map(|effect| effect.name));
        check(LOOKS, Look::all().iter().map(|look| look.name));
        check(TRANSITIONS, Transition::listed().map(|transition| transition.name));
    }

    #[test]
    fn the_total_size_of_images_is_small() {
        let size: usize = EFFECTS.iter().chain(LOOKS).chain(TRANSITIONS).map(|(_, image)| image.len()).sum();
        assert!(size <= 4_000_000, "{size} bytes");
    }
}
