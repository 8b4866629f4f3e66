//! Matrices, ranges and pixel formats; files without colour tags.

use super::*;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let both = format!("{} {}", video(), sound());
    for (container, video_codec) in [(MP4, H264), (MKV, HEVC), (WEBM, VP9), (MOV, PRORES), (MKV, AV1)] {
        for (matrix, tag) in [("bt709", "bt709"), ("bt601", "smpte170m"), ("bt2020", "bt2020nc")] {
            for (range, label) in [("tv", "limited"), ("pc", "full")] {
                let format = if video_codec.name == "prores" { "yuv422p10le" } else { "yuv420p" };
                let audio = if container.name == "webm" { OPUS } else { AAC };
                let args = format!(
                    "{both} -vf scale=out_color_matrix={matrix}:out_range={range},format={format} -colorspace {tag} -color_range {range} {} {} {} out",
                    video_codec.encoder, audio.encoder, container.muxer
                );
                let name = format!("{} {}, {tag} in {label} range", container.name, video_codec.name);
                cases.push(Case::made(name, container.extension, args));
            }
        }
    }
    for format in ["yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "gbrp", "gray"] {
        if format == "gray" {
            continue;
        }
        let matrix = if format == "gbrp" { "" } else { "scale=out_color_matrix=bt709:out_range=tv," };
        let tags = if format == "gbrp" { "" } else { "-colorspace bt709 -color_range tv" };
        for (container, codec) in [(MP4, H264), (MKV, HEVC)] {
            let codec = if format == "gbrp" && codec.name == "h264" {
                "-c:v libx264rgb -crf 14".to_owned()
            } else {
                codec.encoder.to_owned()
            };
            let format = if codec.contains("x264rgb") { "rgb24" } else { format };
            let args = format!(
                "{both} -vf {matrix}format={format} {tags} {codec} {} {} out",
                AAC.encoder, container.muxer
            );
            cases.push(Case::made(
                format!(
                    "{} {}, {format}",
                    container.name,
                    if container.name == "mp4" { "h264" } else { "hevc" }
                ),
                container.extension,
                args,
            ));
        }
    }
    // Players take these for BT.709 or BT.601 by their size.
    let untagged = [
        ((540, 960), "bt709"),
        ((576, 1024), "bt709"),
        ((480, 854), "bt709"),
        ((720, 1280), "bt709"),
        ((1280, 720), "bt709"),
        ((720, 576), "bt601"),
        ((1024, 576), "bt601"),
        ((640, 360), "bt601"),
        ((720, 480), "bt601"),
    ];
    for (size, matrix) in untagged {
        for (container, codec) in [(MP4, H264), (MKV, MPEG4), (AVI, MPEG4), (WEBM, VP8)] {
            let input = material::frames(size, "30", 0, 20);
            let args = format!(
                "{input} -vf scale=out_color_matrix={matrix}:out_range=tv,format=yuv420p {} {} out",
                codec.encoder, container.muxer
            );
            let name =
                format!("{} {}, {}x{} without colour tags", container.name, codec.name, size.0, size.1);
            let case = Case::made(name, container.extension, args);
            cases.push(Case { matrix: Some(matrix), ..case });
        }
    }
    let pq = format!(
        "{both} -vf scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p10le -colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 -color_range tv"
    );
    cases.push(Case::made(
        "mkv hevc, PQ".to_owned(),
        "mkv",
        format!("{pq} {} {} {} out", HEVC.encoder, AAC.encoder, MKV.muxer),
    ));
    for shape in ["4/3", "3/4", "16/11"] {
        let args = encode(&both, &H264, &AAC, &format!("-aspect {}", shape.replace('/', ":")), &MP4);
        cases.push(Case::made(format!("mp4 h264+aac, shown as {}", shape.replace('/', ":")), "mp4", args));
    }
    cases
}
