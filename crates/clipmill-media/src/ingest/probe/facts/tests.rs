use super::*;
use crate::ingest::probe::packets::in_short;
use clipmill_core::error::ErrorCode;

const VIDEO: &str = r#"{"index":0,"codec_type":"video","codec_name":"h264","width":640,"height":360,"pix_fmt":"yuv420p",
    "avg_frame_rate":"25/1","disposition":{"default":1}}"#;
const AUDIO: &str =
    r#"{"index":1,"codec_type":"audio","codec_name":"aac","channels":2,"sample_rate":"48000"}"#;
const PACKETS: &str = "0 0 0.04\n0 0.04 0.04\n0 0.08 0.04\n0 0.12 0.04\n1 0 0.08\n1 0.08 0.08";

fn header(format: &str, duration: &str, streams: &[&str]) -> Header {
    let streams = streams.join(",");
    let json =
        format!(r#"{{"streams":[{streams}],"format":{{"format_name":"{format}","duration":"{duration}"}}}}"#);
    serde_json::from_str(&json).unwrap()
}

/// Reads packets; each line has a stream, a time and a length.
fn packets(text: &str) -> Packets {
    let line = |line: &str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        format!("stream_index={}|pts_time={}|duration_time={}\n", fields[0], fields[1], fields[2])
    };
    in_short(&text.lines().map(line).collect::<String>())
}

fn judge(header: &Header, text: &str) -> Result<StreamFacts, TaskError> {
    let chosen = StreamSelection::from(header)?;
    let measured = packets(text);
    assemble(header, &chosen, (!chosen.is_still(header, b"")).then_some(&measured), Structure::default())
}

fn check_refused(header: &Header, text: &str, code: ErrorCode, part: &str) {
    let error = judge(header, text).unwrap_err();
    assert_eq!(error.code, code, "{error}");
    assert!(error.message.contains(part), "{error}");
}

const MP4: &str = "mov,mp4,m4a,3gp,3g2,mj2";
const MKV: &str = "matroska,webm";

#[test]
fn lengths_come_from_packets() {
    let facts = judge(&header(MP4, "0.16", &[VIDEO, AUDIO]), PACKETS).unwrap();
    let video = facts.video.unwrap();
    assert_eq!((video.frames, video.rate, video.start_s, video.still), (4, 25.0, 0.0, false));
    assert!((video.duration_s - 0.16).abs() < 1e-9);
    let audio = facts.audio.unwrap();
    assert_eq!((audio.stream_index, audio.channels, audio.sample_rate), (1, 2, 48_000));
    assert!((audio.duration_s - 0.16).abs() < 1e-9);
}

#[test]
fn a_rate_that_the_packets_deny_is_measured() {
    let denied = VIDEO.replace("25/1", "90000/1");
    let rate = |stream: &str| judge(&header(MP4, "0.16", &[stream]), PACKETS).unwrap().video.unwrap().rate;
    assert!((rate(&denied) - 25.0).abs() < 1e-6);
    assert_eq!(rate(&VIDEO.replace("25/1", "2500/101")), 2500.0 / 101.0);
}

#[test]
fn colours_and_fields_are_read() {
    let video = |extra: &str| {
        let stream = VIDEO.replace(r#""index":0"#, &format!(r#""index":0,{extra}"#));
        judge(&header(MP4, "0.16", &[&stream]), PACKETS).unwrap().video.unwrap()
    };
    let tagged =
        video(r#""color_range":"tv","color_space":"bt709","color_transfer":"unknown","field_order":"tb""#);
    let expected =
        ColorInfo { matrix: Some("bt709".into()), full_range: Some(false), ..ColorInfo::default() };
    assert_eq!((tagged.color, tagged.interlaced), (expected, true));
    let plain = video(r#""field_order":"progressive""#);
    assert_eq!((plain.color, plain.interlaced), (ColorInfo::default(), false));
}

#[test]
fn the_best_streams_are_chosen() {
    let video = |index: u32, width: u32, default: u32| {
        format!(
            r#"{{"index":{index},"codec_type":"video","codec_name":"h264","width":{width},"height":100,
            "disposition":{{"default":{default}}}}}"#
        )
    };
    let check = |streams: &[&str], expected| {
        let header = header(MP4, "1", streams);
        let chosen = StreamSelection::from(&header).unwrap();
        let index = |stream: Option<&Stream>| stream.map(|stream| stream.index);
        assert_eq!((index(chosen.video), index(chosen.audio)), expected, "{streams:?}");
    };
    check(&[&video(0, 100, 0), &video(1, 200, 0)], (Some(1), None));
    check(&[&video(0, 100, 1), &video(1, 200, 0)], (Some(0), None));
    check(&[&video(0, 100, 1), &video(1, 100, 1)], (Some(0), None));
    let surround =
        AUDIO.replace(r#""index":1"#, r#""index":2"#).replace(r#""channels":2"#, r#""channels":6"#);
    check(&[AUDIO, &surround], (None, Some(2)));
    let cover = VIDEO.replace(r#""default":1"#, r#""default":1,"attached_pic":1"#);
    check(&[&cover, AUDIO], (None, Some(1)));
    let unknown = VIDEO.replace("h264", "magicyuv").replace("\"index\":0", "\"index\":5");
    check(&[&unknown, &video(0, 100, 0)], (Some(0), None));
}

#[test]
fn headers_alone_can_condemn() {
    let check = |streams: &[&str], code, part| check_refused(&header(MP4, "1", streams), PACKETS, code, part);
    let sized = |width: &str, height: &str| VIDEO.replace("640", width).replace("360", height);
    check(&[&sized("8193", "10")], ErrorCode::MediaTooLarge, "8193x10");
    check(&[&sized("8192", "8192")], ErrorCode::MediaTooLarge, "35389440");
    check(&[&sized("0", "360")], ErrorCode::MediaDamaged, "dimensions");
    check(&[AUDIO; 33], ErrorCode::MediaTooLarge, "32 streams");
    check(&[&VIDEO.replace("h264", "magicyuv")], ErrorCode::CodecNotAllowed, "magicyuv");
    check(&[VIDEO, &AUDIO.replace("aac", "dts")], ErrorCode::CodecNotAllowed, "dts");
    check(&[&VIDEO.replace(r#""codec_name":"h264","#, "")], ErrorCode::CodecNotAllowed, "of one stream");
    check(&[], ErrorCode::NotMedia, "no video");
    check_refused(&header("xbin", "1", &[VIDEO]), PACKETS, ErrorCode::NotMedia, "format");
    assert!(judge(&header(MP4, "0.16", &[&sized("8192", "4320")]), PACKETS).is_ok());
}

#[test]
fn files_shorter_than_their_header_states_are_truncated() {
    let lines =
        |count: u32| (0..count).map(|i| format!("0 {} 0.04\n", f64::from(i) * 0.04)).collect::<String>();
    let mp4 = header(MP4, "N/A", &[&VIDEO.replace(r#""index":0"#, r#""index":0,"duration":"40.0""#)]);
    assert!(judge(&mp4, &lines(990)).is_ok());
    check_refused(&mp4, &lines(980), ErrorCode::MediaDamaged, "39.20 of 40.00 seconds");
    assert!(judge(&header(MP4, "40", &[VIDEO]), &lines(500)).is_ok(), "a stream may end before the file");
    let mkv = header(MKV, "40", &[VIDEO]);
    assert!(judge(&mkv, &lines(990)).is_ok());
    let broken_off = Some(Truncation { found_ms: 39_200, stated_ms: 40_000 });
    assert_eq!(judge(&mkv, &lines(980)).unwrap().broken_off, broken_off, "it is used as far as it goes");
    let chosen = StreamSelection::from(&mp4).unwrap();
    let fragmented = Structure { is_fragmented: true, ..Structure::default() };
    let fragmented = assemble(&mp4, &chosen, Some(&packets(&lines(980))), fragmented).unwrap();
    assert_eq!(fragmented.broken_off, broken_off);
    let avi = |stated_s: Option<f64>| {
        let structure = Structure { stated_s, ..Structure::default() };
        assemble(&header("avi", "40", &[VIDEO]), &chosen, Some(&packets(&lines(980))), structure).unwrap()
    };
    assert_eq!(avi(Some(40.0)).broken_off, broken_off);
    assert_eq!(avi(Some(0.0)).broken_off, None, "a recording that was not finished announces nothing");
    assert_eq!(avi(None).broken_off, None, "nothing is missing from the file");
    assert!(judge(&header("mp3", "40", &[VIDEO]), &lines(500)).is_ok(), "an estimate is not a promise");
    assert!(judge(&header(MKV, "0.28", &[VIDEO]), &lines(5)).is_ok(), "rounding is not a loss");
    check_refused(&mkv, "1 0 0.02", ErrorCode::MediaDamaged, "no frame");
}

#[test]
fn jumps_in_time_are_rejected_unless_usual() {
    let mkv = |rate: &str| header(MKV, "N/A", &[&VIDEO.replace("25/1", rate)]);
    let jump = |to_s: u32| format!("0 0 0.04\n0 0.04 0.04\n0 {to_s} 0.04\n0 {to_s}.04 0.04");
    check_refused(&mkv("25/1"), &jump(4000), ErrorCode::MediaDamaged, "jump by 4000 seconds");
    let screen = judge(&mkv("25/1"), &jump(1800)).unwrap().video.unwrap();
    assert!((screen.duration_s - 1800.08).abs() < 1e-6, "a screen may stay as it is for half an hour");
    check_refused(&mkv("25/1"), "0 0 0.04\n0 100000 0.04", ErrorCode::MediaDamaged, "jump by 100000");
    check_refused(&mkv("25/1"), "0 0 N/A\n0 0.04 9000", ErrorCode::MediaDamaged, "jump by 9000");
    let slides = "0 0 90\n0 90 90\n0 180 90\n0 270 90";
    assert_eq!(judge(&mkv("1/90"), slides).unwrap().video.unwrap().duration_s, 360.0);
    let tall = "0 0 9000\n0 9000 9000\n0 18000 9000";
    check_refused(&mkv("1/9000"), tall, ErrorCode::MediaTooLarge, "6 hours");
    let long = header("mp3", "N/A", &[AUDIO]);
    check_refused(&long, "1 0 1\n1 22000 1", ErrorCode::MediaTooLarge, "22001 seconds");
}

#[test]
fn stills_have_one_frame_and_no_length() {
    let check = |format: &str, text: &str| {
        let video = judge(&header(format, "N/A", &[VIDEO]), text).unwrap().video.unwrap();
        (video.still, video.frames, video.duration_s)
    };
    assert_eq!(check("png_pipe", ""), (true, 1, 0.0));
    assert_eq!(check("gif", "0 0 0.1"), (true, 1, 0.0));
    assert_eq!(check("gif", "0 0 0.1\n0 0.1 0.1"), (false, 2, 0.2));
    assert_eq!(check(MP4, "0 0 0.04\n0 0.04 0.04\n0 0.08 0.04\n0 0.12 0.08"), (false, 4, 0.2));
}

#[test]
fn an_empty_audio_stream_is_not_audio() {
    let facts = judge(&header(MKV, "N/A", &[VIDEO, AUDIO]), "0 0 0.04").unwrap();
    assert_eq!(facts.audio, None);
    check_refused(&header(MKV, "N/A", &[AUDIO]), "", ErrorCode::NotMedia, "nothing else");
}
