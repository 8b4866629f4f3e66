//! Frame rates of the source × frame rates of the output × fill of the frame × additions: the planned frames are
//! delivered, and they are the right ones.

use super::*;
use crate::case::{Addition, Region, Render};

const RATES: [&str; 13] =
    ["5", "8", "10", "12", "15", "24000/1001", "24", "25", "30000/1001", "30", "50", "60", "gif"];

pub fn cases() -> Vec<Case> {
    let fills = [("none", "black"), ("none", "blur"), ("crop", "black"), ("stretch", "black")];
    let mut cases = Vec::new();
    for (rate, fps) in RATES.iter().flat_map(|rate| [25, 30, 50, 60].map(|fps| (rate, fps))) {
        for (mode, background) in fills {
            cases.push(case(rate, Render { fps, mode, background, addition: Addition::None }));
        }
        for addition in [Addition::Overlay, Addition::Transition] {
            for (mode, background) in [("none", "blur"), ("crop", "black")] {
                cases.push(case(rate, Render { fps, mode, background, addition }));
            }
        }
        for addition in [Addition::Mask, Addition::PictureInPicture] {
            cases.push(case(rate, Render { fps, mode: "none", background: "black", addition }));
        }
    }
    cases
}

fn case(rate: &str, render: Render) -> Case {
    // An upright source leaves room at both sides, or at the top and at the bottom when it fills the frame.
    let size = (144, 192);
    let (extension, exact, encoder) = match rate {
        "gif" => ("gif", 10.0, "-f gif out".to_owned()),
        _ => {
            let exact =
                rate.split('/').map(|part| part.parse::<f64>().unwrap()).reduce(|a, b| a / b).unwrap();
            ("mp4", exact, format!("{BT709} {} -f mp4 out", H264.encoder))
        }
    };
    let count = (exact * 1.23_f64).round() as usize;
    let input = material::frames(size, if rate == "gif" { "10" } else { rate }, 0, count);
    let region = match (render.mode, render.background, render.addition) {
        (_, _, Addition::PictureInPicture) => Region::At([0.05, 0.05, 0.9, 0.9]),
        ("stretch", ..) | (_, _, Addition::Mask) => Region::At([0.0, 0.0, 1.0, 1.0]),
        ("crop", ..) => Region::At([0.0, -1.0 / 6.0, 1.0, 4.0 / 3.0]),
        _ => Region::At([0.125, 0.0, 0.75, 1.0]),
    };
    let fill = match (render.mode, render.background) {
        ("none", background) => background,
        (mode, _) => mode,
    };
    let addition = match render.addition {
        Addition::None => "",
        Addition::Overlay => ", overlay",
        Addition::Transition => ", transition",
        Addition::Mask => ", mask",
        Addition::PictureInPicture => ", picture in picture",
    };
    let source = if rate == "gif" { "gif of 10 fps".to_owned() } else { format!("{rate} fps") };
    let name = format!("{source} at {} fps, {fill}{addition}", render.fps);
    Case { render, region, ..Case::made(name, extension, format!("{input} {encoder}")) }
}
