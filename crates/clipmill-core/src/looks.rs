//! Named colour looks: the single table behind `isFilter`, the API's catalogue and the command line.

use crate::filter_graph::Filter;

/// A colour look. `filters` work on planar RGB.
pub struct Look {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    pub description_en: &'static str,
    pub description_zh: &'static str,
    recipe: &'static [Step],
}

/// One colour operation of a look, in RGB.
enum Step {
    /// Curves for all channels together, then for red, green, blue; points as `x/y` from 0 to 1.
    Curves { all: &'static str, red: &'static str, green: &'static str, blue: &'static str },
    /// Rows of a 3 × 3 matrix: output red, green, blue from input red, green, blue.
    Mix([[f64; 3]; 3]),
    /// Red, green, blue shifts in shadows, midtones, highlights (−1 to 1).
    Balance([[f64; 3]; 3]),
    /// Saturation: 0 is grey, 1 unchanged.
    Saturation(f64),
}

/// A straight line, which leaves a channel unchanged.
const SAME: &str = "0/0 1/1";

macro_rules! looks {
    ($($name:literal $title_en:literal $title_zh:literal $description_en:literal $description_zh:literal => [$($step:expr),+ $(,)?];)+) => {
        &[$(Look {
            name: $name,
            title_en: $title_en,
            title_zh: $title_zh,
            description_en: $description_en,
            description_zh: $description_zh,
            recipe: &[$($step),+],
        }),+]
    };
}

const LOOKS: &[Look] = looks! {
    "warm" "Warm" "暖阳"
        "Golden light: more red and yellow, gentle contrast" "金色光线：更多红黄，柔和对比" => [
        Step::Curves { all: SAME, red: "0/0 0.5/0.55 1/1", green: SAME, blue: "0/0 0.5/0.44 1/0.95" },
        Step::Saturation(1.08),
    ];
    "cool" "Cool" "清冷"
        "Clear morning: more blue, slightly less colour" "清晨般通透：更多蓝色，色彩略淡" => [
        Step::Curves { all: SAME, red: "0/0 0.5/0.45 1/0.96", green: SAME, blue: "0/0.02 0.5/0.56 1/1" },
        Step::Saturation(0.95),
    ];
    "teal-orange" "Teal and orange" "青橙"
        "Cinema: teal shadows, orange skin and light" "电影感：青色暗部，橙色肤色与光" => [
        Step::Balance([[-0.12, 0.03, 0.14], [0.04, 0.0, -0.03], [0.12, 0.03, -0.12]]),
        Step::Curves { all: "0/0 0.25/0.21 0.75/0.8 1/1", red: SAME, green: SAME, blue: SAME },
    ];
    "faded" "Faded" "褪色"
        "Lifted blacks and soft whites, like an old print" "提亮的黑与柔和的白，如旧照片" => [
        Step::Curves { all: "0/0.1 0.5/0.53 1/0.92", red: SAME, green: SAME, blue: "0/0.04 1/0.97" },
        Step::Saturation(0.82),
    ];
    "vivid" "Vivid" "鲜艳"
        "Strong colours and crisp contrast" "浓郁色彩与清晰对比" => [
        Step::Curves { all: "0/0 0.25/0.2 0.75/0.82 1/1", red: SAME, green: SAME, blue: SAME },
        Step::Saturation(1.35),
    ];
    "mono" "Black and white" "黑白"
        "Classic black and white" "经典黑白" => [Step::Mix([[0.3, 0.59, 0.11]; 3])];
    "noir" "Noir" "暗黑"
        "Black and white with deep shadows and bright light" "暗部深沉、亮部明亮的黑白" => [
        Step::Mix([[0.4, 0.5, 0.1]; 3]),
        Step::Curves { all: "0/0 0.3/0.16 0.7/0.84 1/1", red: SAME, green: SAME, blue: SAME },
    ];
    // Sepia is toned by brightness, as a print is: the usual matrix leaves dark footage grey and turns bright skies
    // flat yellow.
    "sepia" "Sepia" "怀旧"
        "Brown tones of an old photograph" "老照片的棕色调" => [
        Step::Mix([[0.2126, 0.7152, 0.0722]; 3]),
        Step::Curves {
            all: SAME,
            red: "0/0.038 0.25/0.315 0.5/0.57 1/1",
            green: "0/0.015 0.25/0.257 0.5/0.5 1/0.955",
            blue: "0/0.008 0.25/0.168 0.5/0.385 1/0.82",
        },
    ];
    "forest" "Forest" "森系"
        "Soft greens, calm shadows" "柔和的绿色与平静的暗部" => [
        Step::Balance([[-0.05, 0.06, 0.0], [-0.04, 0.08, -0.03], [0.02, 0.04, -0.04]]),
        Step::Saturation(0.92),
    ];
    "rose" "Rose" "粉黛"
        "A light pink tint and bright midtones" "淡淡粉调，中间调明亮" => [Step::Curves {
        all: "0/0.02 0.5/0.55 1/1",
        red: "0/0.02 0.5/0.54 1/1",
        green: "0/0 0.5/0.47 1/0.98",
        blue: "0/0.02 0.5/0.52 1/1",
        }];
    "dusk" "Dusk" "暮色"
        "Purple shadows and amber light" "紫色暗部与琥珀色光" => [
        Step::Balance([[0.08, -0.06, 0.12], [0.03, -0.03, 0.03], [0.1, 0.02, -0.1]]),
        Step::Curves { all: "0/0 0.5/0.47 1/1", red: SAME, green: SAME, blue: SAME },
    ];
    "bleach" "Bleach bypass" "漂白"
        "Hard contrast with little colour" "高对比、低饱和" => [
        Step::Saturation(0.45),
        Step::Curves { all: "0/0 0.25/0.17 0.75/0.85 1/1", red: SAME, green: SAME, blue: SAME },
    ];
    "film" "Film" "胶片"
        "Soft shoulder, slightly green shadows, warm light" "柔和高光，暗部微绿，光线偏暖" => [
        Step::Curves {
            all: "0/0.03 0.25/0.23 0.75/0.79 1/0.96",
            red: "0/0 0.5/0.51 1/1",
            green: "0/0.02 0.5/0.5 1/0.98",
            blue: "0/0.02 0.5/0.48 1/0.94",
        },
        Step::Saturation(0.94),
    ];
};

/// The values of a choice of a look: none, one drawn at random, or a name.
pub const CHOICES: [&str; LOOKS.len() + 2] = {
    let mut choices = ["none"; LOOKS.len() + 2];
    choices[1] = "random";
    let mut index = 0;
    while index < LOOKS.len() {
        choices[index + 2] = LOOKS[index].name;
        index += 1;
    }
    choices
};

/// The English and Chinese titles of [`CHOICES`].
pub const CHOICE_TITLES: [(&str, &str); CHOICES.len()] = {
    let mut titles = [("None", "无"); CHOICES.len()];
    titles[1] = ("Random", "随机");
    let mut index = 0;
    while index < LOOKS.len() {
        titles[index + 2] = (LOOKS[index].title_en, LOOKS[index].title_zh);
        index += 1;
    }
    titles
};

impl Look {
    pub fn all() -> &'static [Look] {
        LOOKS
    }

    pub fn find(name: &str) -> Option<&'static Look> {
        LOOKS.iter().find(|look| look.name == name)
    }

    /// The filters of this look, for planar RGB frames.
    pub fn filters(&self) -> Vec<Filter> {
        self.recipe.iter().map(Step::filter).collect()
    }
}

impl Step {
    fn filter(&self) -> Filter {
        match self {
            Self::Curves { all, red, green, blue } => {
                let curves = [("master", all), ("red", red), ("green", green), ("blue", blue)];
                let changed_curves = curves.into_iter().filter(|(_, points)| **points != SAME);
                changed_curves.fold(Filter::new("curves"), |filter, (name, points)| filter.arg(name, points))
            }
            Self::Mix(rows) => mix(rows),
            Self::Balance(ranges) => balance(ranges),
            Self::Saturation(amount) => mix(&saturation(*amount)),
        }
    }
}

/// Shifts red, green, blue of shadows, midtones, highlights, each channel by a table of its own. On greys it equals
/// ffmpeg's `colorbalance`, with which these recipes were designed and which takes longer than encoding the video. Its
/// ranges differ from those of the option `colorBalance`.
fn balance([shadows, midtones, highlights]: &[[f64; 3]; 3]) -> Filter {
    /// The boundary between two ranges, as a part of full scale, which is 2 here.
    const PASSES: f64 = 0.333;
    const SCALE: f64 = 0.7;
    // How much of a range a value is in: passing lasts a quarter of full scale.
    let within = |distance: String| format!("clip(4*({distance})+0.5,0,1)");
    let (dark, light) = (format!("{PASSES}-2*val/maxval"), format!("2*val/maxval-{}", 1.0 - PASSES));
    let ranges = [
        (shadows, within(dark.clone())),
        (midtones, format!("{}*{}", within(format!("-({dark})")), within(format!("-({light})")))),
        (highlights, within(light)),
    ];
    (0..3).zip(["r", "g", "b"]).fold(Filter::new("lutrgb"), |filter, (channel, name)| {
        let shifts = ranges.iter().filter(|(values, _)| values[channel] != 0.0);
        let shifts: Vec<_> =
            shifts.map(|(values, part)| format!("{:.4}*{part}", SCALE * values[channel])).collect();
        if shifts.is_empty() {
            filter
        } else {
            filter.arg(name, format!("clip(val+maxval*({})+0.5,0,maxval)", shifts.join("+")))
        }
    })
}

fn mix(rows: &[[f64; 3]; 3]) -> Filter {
    let mut filter = Filter::new("colorchannelmixer");
    for (row, to) in rows.iter().zip(["r", "g", "b"]) {
        for (value, from) in row.iter().zip(["r", "g", "b"]) {
            filter = filter.arg(format!("{to}{from}"), format!("{value:.4}"));
        }
    }
    filter
}

/// A matrix with the weights of BT.709 luma, which keeps brightness while saturation changes.
fn saturation(amount: f64) -> [[f64; 3]; 3] {
    let luma = [0.2126, 0.7152, 0.0722];
    let mut rows = [[0.0; 3]; 3];
    for (i, row) in rows.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            *value = luma[j] * (1.0 - amount) + if i == j { amount } else { 0.0 };
        }
    }
    rows
}
