use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::*;

fn p3() -> Vec<u8> {
    ColorProfile::new_display_p3().encode().unwrap()
}

fn jpeg(profile: &[u8], piece_bytes: usize) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x07JFIF\0".to_vec();
    let chunks: Vec<&[u8]> = profile.chunks(piece_bytes).collect();
    for (number, chunk) in (1u8..).zip(&chunks) {
        bytes.extend(b"\xff\xff\xe2");
        bytes.extend((chunk.len() as u16 + 16).to_be_bytes());
        bytes.extend(b"ICC_PROFILE\0");
        bytes.extend([number, chunks.len() as u8]);
        bytes.extend(*chunk);
    }
    bytes.extend(b"\xff\xda\0\x02\xff\xd9");
    bytes
}

fn png(profile: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(profile).unwrap();
    let content = [b"name\0\0".as_slice(), &packed.finish().unwrap()].concat();
    let chunk = |name: &[u8], content: &[u8]| {
        [&(content.len() as u32).to_be_bytes()[..], name, content, &[0; 4]].concat()
    };
    let header = b"\x89PNG\r\n\x1a\n".to_vec();
    [header, chunk(b"IHDR", &[0; 13]), chunk(b"iCCP", &content), chunk(b"IDAT", b"")].concat()
}

fn webp(profile: &[u8]) -> Vec<u8> {
    let chunk = |name: &[u8], content: &[u8]| {
        let padding = vec![0; content.len() % 2];
        [name, &(content.len() as u32).to_le_bytes(), content, &padding].concat()
    };
    [b"RIFF\0\0\0\0WEBP".to_vec(), chunk(b"VP8X", &[0; 9]), chunk(b"ICCP", profile), chunk(b"VP8 ", b"")]
        .concat()
}

#[test]
fn profiles_are_found_in_each_format() {
    let profile = p3();
    for file in [jpeg(&profile, 60_000), jpeg(&profile, 100), png(&profile), webp(&profile)] {
        assert_eq!(embedded::profile(&file).as_ref(), Some(&profile));
    }
    let odd = &profile[..profile.len() - 1 + profile.len() % 2];
    assert_eq!(embedded::profile(&webp(odd)).unwrap(), odd);
    for none in
        [&b""[..], b"GIF89a", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP", b"RIFF\0\0\0\0WAVE"]
    {
        assert_eq!(embedded::profile(none), None);
    }
}

/// A second segment that is missing, a duplicate segment, and a profile that is too large or unpacks to too much.
#[test]
fn broken_and_large_profiles_are_none() {
    let whole = jpeg(&p3(), 200);
    let second = whole.windows(14).position(|bytes| bytes == b"ICC_PROFILE\0\x02\x03").unwrap();
    for number in [1, 4] {
        let mut broken = whole.clone();
        broken[second + 12] = number;
        assert_eq!(embedded::profile(&broken), None, "{number}");
    }
    let large = vec![0; MAX_PROFILE_BYTES + 1];
    assert_eq!(embedded::profile(&jpeg(&large, 60_000)), None);
    assert_eq!(embedded::profile(&png(&large)), None);
    assert_eq!(embedded::profile(&png(&vec![0; 50 << 20])), None);
    assert_eq!(embedded::profile(&webp(&large)), None);
}

/// Converts a colour as the filters do.
fn convert(profile: &RgbProfile, color: [f32; 3]) -> [i32; 3] {
    let light = color.map(|value| linear(profile.curve, value / 255.0));
    let unit = RgbProfile::UNIT as f32;
    profile.to_srgb.map(|row| {
        let light: f32 = row.iter().zip(light).map(|(part, light)| *part as f32 / unit * light).sum();
        let light = light.clamp(0.0, 1.0);
        let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        (value * 255.0).round() as i32
    })
}

#[test]
fn profiles_of_curves_and_a_matrix_are_read() {
    let check = |profile: ColorProfile, curve: ToneCurve, expected: [i32; 3]| {
        let profile = rgb_profile(&profile.encode().unwrap()).unwrap();
        assert_eq!(profile.curve, curve);
        let actual = convert(&profile, [200.0, 100.0, 80.0]);
        assert!(
            actual.iter().zip(expected).all(|(actual, expected)| (actual - expected).abs() <= 1),
            "{actual:?}"
        );
        assert_eq!(convert(&profile, [255.0; 3]), [255; 3]);
        assert_eq!(convert(&profile, [0.0; 3]), [0; 3]);
    };
    check(ColorProfile::new_display_p3(), ToneCurve::Srgb, [216, 92, 73]);
    check(ColorProfile::new_adobe_rgb(), ToneCurve::Gamma(2199), [227, 100, 78]);
    let gray = rgb_profile(&ColorProfile::new_gray_with_gamma(1.8).encode().unwrap()).unwrap();
    assert_eq!((gray.curve, gray.to_srgb[1]), (ToneCurve::Gamma(1801), [0, RgbProfile::UNIT, 0]));
    check(ColorProfile::new_pro_photo_rgb(), ToneCurve::Gamma(1801), [255, 80, 93]);
}

#[test]
fn other_profiles_are_ignored() {
    assert_eq!(rgb_profile(&ColorProfile::new_srgb().encode().unwrap()), None);
    // High dynamic range has another curve.
    assert_eq!(rgb_profile(&ColorProfile::new_display_p3_pq().encode().unwrap()), None);
    let with = |at: usize, bytes: &[u8]| {
        let mut profile = p3();
        profile[at..at + bytes.len()].copy_from_slice(bytes);
        rgb_profile(&profile)
    };
    assert!(with(16, b"RGB ").is_some());
    assert_eq!(with(16, b"CMYK"), None);
    assert_eq!(with(20, b"Lab "), None);
    let mut far = ColorProfile::new_display_p3();
    far.red_colorant.x = 2.0;
    assert_eq!(rgb_profile(&far.encode().unwrap()), None, "its white is not white");
}

/// Runs the checked-in corpus of the fuzz target, whole, truncated anywhere and with each byte changed.
#[test]
fn the_corpus_passes() {
    let mut read = 0;
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/icc");
    for entry in std::fs::read_dir(seeds).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(check_bytes(&bytes));
        for at in 0..bytes.len() {
            check_bytes(&bytes[..at]);
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                check_bytes(&changed);
            }
        }
        read += 1;
    }
    assert!(read >= 3, "{read}");
}

/// Profiles with several wrong bytes.
#[test]
fn hostile_profiles_do_no_harm() {
    let gray = ColorProfile::new_gray_with_gamma(1.8).encode().unwrap();
    let mut random = 1u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let mut used = 0;
    for whole in [p3(), ColorProfile::new_pro_photo_rgb().encode().unwrap(), gray] {
        for _ in 0..20_000 {
            let mut profile = whole.clone();
            for _ in 0..=below(4) {
                let (at, value) = (below(profile.len() - 4), [0u8, 1, 0x7f, 0x80, 0xff][below(5)]);
                let length = 1 + below(4);
                profile[at..at + length].fill(value);
            }
            if let Some(profile) = rgb_profile(&profile) {
                used += 1;
                let bound = 4 * RgbProfile::UNIT + 1000;
                assert!(profile.to_srgb.iter().flatten().all(|part| part.abs() <= bound), "{profile:?}");
            }
        }
    }
    assert!(used > 1000, "{used} were used");
}
