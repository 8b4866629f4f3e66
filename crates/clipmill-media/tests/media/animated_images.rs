//! Animated WebP, which our own program converts to PNG, and PNGs with several frames.

use std::io::Cursor;
use std::path::Path;

use clipmill_media::ingest::probe::animation::{
    Obstacle, check_bytes, is_animated_png, is_animated_webp, png_of,
};

fn seed(name: &str) -> Vec<u8> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/webp");
    std::fs::read(seeds.join(name)).unwrap()
}

#[test]
fn frames_are_converted_with_their_times() {
    for (name, color) in [("clear.webp", png::ColorType::Rgba), ("lossy.webp", png::ColorType::Rgb)] {
        let data = seed(name);
        assert!(is_animated_webp(&data));
        let png = png_of(&data).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(&png)).read_info().unwrap();
        assert_eq!(reader.info().color_type, color, "{name}");
        let frames = reader.info().animation_control().unwrap().num_frames;
        assert!(frames >= 2, "{name}");
        let mut frame = vec![0; reader.output_buffer_size().unwrap()];
        let mut shown_ms = 0;
        for _ in 0..frames {
            reader.next_frame(&mut frame).unwrap();
            let control = reader.info().frame_control().unwrap();
            assert_eq!(control.delay_den, 1000, "{name}");
            shown_ms += u32::from(control.delay_num);
        }
        assert_eq!(shown_ms, 600, "{name}");
    }
}

#[test]
fn damaged_files_are_refused_without_a_crash() {
    for name in ["clear.webp", "lossy.webp"] {
        let data = seed(name);
        for length in (0..data.len()).step_by(7) {
            assert_eq!(png_of(&data[..length]), Err(Obstacle::Damaged), "{name} of {length} bytes");
        }
        for (at, bit) in (0..data.len()).flat_map(|at| [(at, 0x01), (at, 0x80)]) {
            let mut changed = data.clone();
            changed[at] ^= bit;
            check_bytes(&changed);
        }
    }
    // The canvas of 16,384 pixels each way, in the header and in its first frame.
    let mut large = seed("clear.webp");
    large[24..30].copy_from_slice(&[0xff, 0x3f, 0, 0xff, 0x3f, 0]);
    assert_eq!(png_of(&large), Err(Obstacle::TooLarge));
}

#[test]
fn pngs_with_further_frames_are_recognized() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let png = png_of(&seed("clear.webp")).unwrap();
    for (data, expected) in [
        (&png[..], true),
        (&png[..40], false),
        (&png[..20], false),
        (b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffabcd", false),
        (b"acTL", false),
    ] {
        std::fs::write(&path, data).unwrap();
        assert_eq!(is_animated_png(&path).unwrap(), expected, "{} bytes", data.len());
    }
}
