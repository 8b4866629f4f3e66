//! Files of audio alone, used as a voice over an image.

use super::*;

pub fn cases() -> Vec<Case> {
    [codecs(), forms(), headers()].concat()
}

fn codecs() -> Vec<Case> {
    let c = codec;
    let adpcm = |name, encoder| c(name, encoder);
    let files: [(&str, &str, &[Codec]); 13] = [
        ("mp3", "mp3", &[MP3]),
        ("m4a", "ipod", &[AAC, ALAC]),
        ("mp4", "mp4", &[AAC, MP3, OPUS, FLAC, AC3]),
        ("ogg", "ogg", &[VORBIS, OPUS, FLAC, codec("speex", "-c:a libspeex -ar 16000")]),
        ("flac", "flac", &[FLAC]),
        ("aac", "adts", &[AAC]),
        ("ac3", "ac3", &[AC3]),
        ("mka", "matroska", &[AAC, MP3, FLAC, OPUS, VORBIS, AC3, codec("wavpack", "-c:a wavpack")]),
        ("webm", "webm", &[OPUS, VORBIS]),
        ("ts", "mpegts", &[AAC, MP2, AC3]),
        ("3gp", "3gp", &[AAC]),
        ("aiff", "aiff", &[PCM_BE]),
        ("wma", "asf", &[codec("wmav2", "-c:a wmav2")]),
    ];
    let mut cases = Vec::new();
    let mut add = |extension, muxer: &str, codec: &Codec| {
        let args = format!("{} {} -f {muxer} out", sound(), codec.encoder);
        cases.push(Case::made(format!("{extension} {}", codec.name), extension, args).audio());
    };
    for (extension, muxer, audio_codecs) in files {
        audio_codecs.iter().for_each(|codec| add(extension, muxer, codec));
    }
    let wav = [
        adpcm("pcm_u8", "-c:a pcm_u8"),
        adpcm("pcm_s16le", "-c:a pcm_s16le"),
        adpcm("pcm_s24le", "-c:a pcm_s24le"),
        adpcm("pcm_s32le", "-c:a pcm_s32le"),
        adpcm("pcm_f32le", "-c:a pcm_f32le"),
        adpcm("pcm_f64le", "-c:a pcm_f64le"),
        adpcm("pcm_mulaw", "-c:a pcm_mulaw -ar 8000"),
        adpcm("pcm_alaw", "-c:a pcm_alaw -ar 8000"),
        adpcm("adpcm_ms", "-c:a adpcm_ms"),
        adpcm("adpcm_ima_wav", "-c:a adpcm_ima_wav"),
        adpcm("adpcm_yamaha", "-c:a adpcm_yamaha"),
        adpcm("g722", "-c:a g722 -ar 16000"),
        adpcm("g726", "-c:a g726 -ar 8000"),
        adpcm("gsm_ms", "-c:a libgsm_ms -ar 8000"),
        adpcm("mp3", "-c:a libmp3lame"),
        adpcm("ac3", "-c:a ac3"),
    ];
    wav.iter().for_each(|codec| add("wav", "wav", codec));
    let caf = [
        PCM,
        PCM_BE,
        AAC,
        ALAC,
        OPUS,
        adpcm("pcm_f32be", "-c:a pcm_f32be"),
        adpcm("adpcm_ima_qt", "-c:a adpcm_ima_qt"),
    ];
    caf.iter().for_each(|codec| add("caf", "caf", codec));
    cases
}

/// Sample rates and numbers of channels.
fn forms() -> Vec<Case> {
    let mut cases = Vec::new();
    for rate in [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 96_000, 192_000] {
        for (extension, muxer, audio_codec) in
            [("wav", "wav", PCM), ("mp3", "mp3", MP3), ("m4a", "ipod", AAC), ("flac", "flac", FLAC)]
        {
            let max = match extension {
                "mp3" => 48_000,
                "m4a" => 96_000,
                _ => 192_000,
            };
            if rate <= max {
                let args = format!(
                    "{} {} -ar {rate} -f {muxer} out",
                    sound(),
                    audio_codec.encoder.replace("96k", "64k")
                );
                cases.push(
                    Case::made(format!("{extension} {}, {rate} Hz", audio_codec.name), extension, args)
                        .audio(),
                );
            }
        }
    }
    for channels in [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 64] {
        let input = material::audio(48_000, channels, 0.0, 3.0);
        let mut files = vec![("wav", "wav", PCM), ("caf", "caf", PCM), ("mka", "matroska", PCM)];
        if channels <= 8 {
            files.extend([
                ("flac", "flac", FLAC),
                ("m4a", "ipod", codec("aac", "-c:a aac")),
                ("ogg", "ogg", codec("opus", "-c:a libopus -mapping_family 255")),
            ]);
        }
        if channels == 4 || channels == 16 {
            files.push(("ogg", "ogg", codec("opus ambisonics", "-c:a libopus -mapping_family 2")));
        }
        for (extension, muxer, audio_codec) in files {
            let args = format!("{input} {} -f {muxer} out", audio_codec.encoder);
            cases.push(
                Case::made(format!("{extension} {}, {channels} channels", audio_codec.name), extension, args)
                    .audio(),
            );
        }
    }
    cases
}

/// Headers and tags as other programs write them.
fn headers() -> Vec<Case> {
    let cover = Step::Ffmpeg(
        "-f lavfi -i color=green:s=64x64 -frames:v 1 -f image2 -c:v mjpeg -update 1 cover.jpg".to_owned(),
    );
    let mut cases = Vec::new();
    for (extension, muxer, audio_codec) in [("mp3", "mp3", MP3), ("m4a", "ipod", AAC), ("flac", "flac", FLAC)]
    {
        let args = format!(
            "{} -i cover.jpg -map 0:a -map 1:v -c:v copy -disposition:v attached_pic {} -f {muxer} out",
            sound(),
            audio_codec.encoder
        );
        let name = format!("{extension} {}, cover art", audio_codec.name);
        cases.push(Case::new(name, extension, vec![cover.clone(), Step::Ffmpeg(args)]).audio());
    }
    let mut made = |name: &str, extension: &'static str, options: &str| {
        let args = format!("{} {options} out", sound());
        cases.push(Case::made(name.to_owned(), extension, args).audio());
    };
    made("mp3 mp3, no Xing header", "mp3", "-c:a libmp3lame -write_xing 0 -f mp3");
    made("mp3 mp3, variable bit rate", "mp3", "-c:a libmp3lame -q:a 4 -f mp3");
    made("mp3 mp3, no tags", "mp3", "-c:a libmp3lame -id3v2_version 0 -write_xing 0 -f mp3");
    made("mp3 mp3, both kinds of tags", "mp3", "-c:a libmp3lame -metadata title=x -write_id3v1 1 -f mp3");
    made("wav pcm_s16le, RF64", "wav", "-c:a pcm_s16le -rf64 always -f wav");
    made("wav pcm_s16le, tags", "wav", "-c:a pcm_s16le -metadata title=x -f wav");
    made("m4a aac, fragmented", "m4a", "-c:a aac -movflags +frag_keyframe+empty_moov -f mp4");
    made("m4a aac, index first", "m4a", "-c:a aac -movflags +faststart -f ipod");
    made("m4a aac, no edit list", "m4a", "-c:a aac -use_editlist 0 -f ipod");
    made("mka aac, starts at 10 s", "mka", "-c:a aac -output_ts_offset 10 -f matroska");
    made("m4a aac, starts at 10 s", "m4a", "-c:a aac -output_ts_offset 10 -f ipod");
    made("ts aac, the clock wraps", "ts", "-c:a aac -output_ts_offset 95442.2 -f mpegts");
    made(
        "mka aac, gap",
        "mka",
        "-c:a aac -bsf:a noise=drop='between(pts*tb,0.72,1.22)':amount=0 -f matroska",
    );
    // A recorder that cannot seek leaves the lengths of its header at their greatest or at zero.
    let length = (48_000_u32 * 2 * 3).to_le_bytes();
    let data = |length: [u8; 4]| [b"data".as_slice(), &length].concat();
    for (label, value) in [("greatest", [0xff; 4]), ("zero", [0; 4])] {
        let args = format!("{} -c:a pcm_s16le -bitexact -f wav out", sound());
        let mut case =
            Case::made(format!("wav pcm_s16le, {label} lengths in the header"), "wav", args).audio();
        case.steps.push(Step::Patch(data(length), data(value)));
        cases.push(case);
    }
    cases
}
