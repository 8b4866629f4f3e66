//! Containers × codecs.

use super::*;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut cross = |container: Container, videos: &[Codec], audios: &[Codec]| {
        for (v, video_codec) in videos.iter().enumerate() {
            // Every codec of a container occurs; only the first video codec meets all audio codecs.
            let audios = if v == 0 { audios } else { &audios[v % audios.len()..][..1] };
            for audio_codec in audios {
                let (name, args) = plain(&container, video_codec, audio_codec);
                cases.push(Case::made(name, container.extension, args));
            }
        }
    };
    let common = [AAC, MP3, AC3, EAC3, OPUS, FLAC, ALAC];
    cross(
        MP4,
        &[H264, HEVC, MPEG4, MPEG2, MPEG1, MJPEG, AV1, VP9, PNG],
        &[&common[..], &[MP2, VORBIS]].concat(),
    );
    cross(MP4, &[MPEG4], &common);
    cross(FRAGMENTED, &[H264, HEVC, AV1, VP9, MPEG4], &[AAC, OPUS, FLAC, MP3]);
    let mov_audio = [
        AAC,
        PCM,
        PCM_BE,
        ALAC,
        MP3,
        AC3,
        codec("pcm_s24le", "-c:a pcm_s24le"),
        codec("pcm_s24be", "-c:a pcm_s24be"),
        codec("pcm_s32le", "-c:a pcm_s32le"),
        codec("pcm_f32le", "-c:a pcm_f32le"),
        codec("pcm_u8", "-c:a pcm_u8"),
        codec("pcm_mulaw", "-c:a pcm_mulaw"),
        codec("pcm_alaw", "-c:a pcm_alaw"),
        codec("adpcm_ima_qt", "-c:a adpcm_ima_qt"),
        codec("adpcm_ms", "-c:a adpcm_ms"),
    ];
    cross(MOV, &[H264, HEVC, MJPEG, PRORES, PNG, MPEG4, MPEG2, MPEG1, H263], &mov_audio);
    cross(MOV, &[PRORES], &[PCM_BE, AAC]);
    cross(MOV, &[QTRLE], &[PCM]);
    let mkv_audio =
        [AAC, MP3, MP2, AC3, EAC3, OPUS, VORBIS, FLAC, ALAC, PCM, codec("pcm_f32le", "-c:a pcm_f32le")];
    let mkv_video = [H264, HEVC, VP8, VP9, AV1, MPEG4, MPEG2, MPEG1, MJPEG, PRORES, PNG, THEORA, MSMPEG4];
    cross(MKV, &mkv_video, &mkv_audio);
    for video_codec in [VP8, VP9, AV1] {
        cross(WEBM, &[video_codec], &[OPUS, VORBIS]);
    }
    for video_codec in [H264, HEVC, MPEG2] {
        cross(
            TS,
            &[video_codec],
            &[AAC, MP2, MP3, AC3, EAC3, OPUS, codec("aac_latm", "-c:a aac -mpegts_flags latm")],
        );
    }
    cross(TS, &[MPEG1, MPEG4], &[MP2, AAC]);
    let flv_audio = [
        AAC,
        MP3,
        codec("pcm_s16le", "-c:a pcm_s16le -ar 44100"),
        codec("adpcm_swf", "-c:a adpcm_swf -ar 22050"),
    ];
    cross(FLV, &[H264], &flv_audio);
    cross(
        FLV,
        &[FLV1],
        &[codec("mp3", "-c:a libmp3lame -ar 44100"), codec("speex", "-c:a libspeex -ar 16000")],
    );
    let avi_audio = [
        MP3,
        MP2,
        AC3,
        AAC,
        PCM,
        codec("pcm_mulaw", "-c:a pcm_mulaw -ar 8000"),
        codec("adpcm_ms", "-c:a adpcm_ms -ar 44100"),
        codec("adpcm_ima_wav", "-c:a adpcm_ima_wav -ar 44100"),
    ];
    cross(AVI, &[MPEG4, MJPEG, H264, MSMPEG4, MPEG2, H263, PNG], &avi_audio);
    cross(AVI, &[MJPEG], &[PCM]);
    cross(PHONE, &[H264, MPEG4, H263], &[AAC]);
    cross(container("mpeg", "mpg", "-f mpeg"), &[MPEG1, MPEG2], &[MP2]);
    cross(container("vob", "vob", "-f vob"), &[MPEG2], &[AC3, MP2]);
    cross(container("ogv", "ogv", "-f ogv"), &[THEORA], &[VORBIS, OPUS, FLAC]);
    cross(
        container("m2ts", "m2ts", "-mpegts_m2ts_mode 1 -f mpegts"),
        &[H264],
        &[AC3, codec("pcm_bluray", "-c:a pcm_bluray -ac 2")],
    );
    cross(
        container("dnxhd mov", "mov", "-s 320x240 -f mov"),
        &[codec("dnxhr", "-c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p")],
        &[PCM],
    );
    // Codecs that clipmill refuses on purpose.
    cross(MKV, &[codec("ffv1", "-c:v ffv1")], &[PCM]);
    cross(
        MKV,
        &[H264],
        &[
            codec("dts", "-c:a dca -strict -2"),
            codec("truehd", "-c:a truehd -strict -2"),
            codec("wavpack", "-c:a wavpack"),
        ],
    );
    cross(
        AVI,
        &[
            codec("huffyuv", "-c:v huffyuv -pix_fmt yuv422p"),
            codec("rawvideo", "-c:v rawvideo -pix_fmt yuv420p"),
        ],
        &[PCM],
    );
    cases.push(amr());
    let gif = format!("{} -f gif out", video_at("10", 30));
    cases.push(Case::made("gif, 10 fps".to_owned(), "gif", gif));
    for (container, video_codec) in [
        (MP4, H264),
        (FRAGMENTED, H264),
        (MOV, PRORES),
        (MKV, VP9),
        (WEBM, VP8),
        (TS, H264),
        (FLV, FLV1),
        (AVI, MPEG4),
    ] {
        let args = encode(&video(), &video_codec, &codec("no audio", ""), "", &container);
        cases.push(Case::made(
            format!("{} {}, no audio", container.name, video_codec.name),
            container.extension,
            args,
        ));
    }
    dedup(cases)
}

/// No common build of ffmpeg encodes AMR, so the frames are written here; they sound like noise.
fn amr() -> Case {
    let frame: Vec<u8> = std::iter::once(0x3c).chain((0..31).map(|i: u8| i.wrapping_mul(37))).collect();
    let steps = vec![
        Step::Write("speech.amr", [b"#!AMR\n".to_vec(), frame.repeat(150)].concat()),
        Step::Ffmpeg(format!("{} -i speech.amr {} -c:a copy -f 3gp out", video(), H263.encoder)),
    ];
    Case::new("3gp h263+amr".to_owned(), "3gp", steps)
}

fn dedup(cases: Vec<Case>) -> Vec<Case> {
    let mut names = std::collections::HashSet::new();
    cases.into_iter().filter(|case| names.insert(case.name.clone())).collect()
}
