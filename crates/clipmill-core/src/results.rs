//! Results as inputs: a URL names an output of an earlier task, which need not exist yet.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::TaskNo;
use crate::media::{AudioInfo, ContentHash, MediaInfo, Size, VideoInfo};
use crate::time::{Fps, Frames};

const SCHEME: &str = "result://";
/// How many tasks a chain of results may have: each but the first uses a result of the previous one.
pub const MAX_CHAIN: u32 = 5;

/// An output of a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResultRef {
    pub task_no: TaskNo,
    pub item_no: u32,
}

impl ResultRef {
    /// The output that a `result://TASKNO/ITEM` URL names.
    pub fn of_url(url: &str) -> Option<Self> {
        let (task_no, item) = url.strip_prefix(SCHEME)?.split_once('/')?;
        let item_no: u32 = item.parse().ok()?;
        let is_canonical = item_no > 0 && item_no.to_string() == item;
        Some(Self { task_no: TaskNo::parse(task_no).filter(|_| is_canonical)?, item_no })
    }

    pub fn url(&self) -> String {
        format!("{SCHEME}{self}")
    }
}

/// `TASKNO/ITEM`.
impl fmt::Display for ResultRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.task_no, self.item_no)
    }
}

/// Whether the URL has the scheme of results.
pub fn is_result(url: &str) -> bool {
    url.starts_with(SCHEME)
}

/// The size of an output before it exists: estimated at submission, or planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedOutput {
    pub frames: u64,
    pub fps: u32,
    pub width: u32,
    pub height: u32,
}

impl ExpectedOutput {
    pub fn new(frames: Frames, fps: Fps, size: Size) -> Self {
        Self { frames: frames.0, fps: fps.get(), width: size.width, height: size.height }
    }

    /// Facts about the output for estimates; its content is not known.
    pub fn media_info(self, url: &str) -> MediaInfo {
        let rate = f64::from(self.fps.max(1));
        let seconds = self.frames as f64 / rate;
        let video = VideoInfo::plain(Size::new(self.width, self.height), seconds, rate);
        MediaInfo {
            content: ContentHash(url.into()),
            size_bytes: 0,
            format: "mov,mp4,m4a,3gp,3g2,mj2".to_owned(),
            video: Some(VideoInfo { frames: self.frames, ..video }),
            audio: Some(AudioInfo::plain(seconds)),
            animation: None,
            condition: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "VP01M7Y7SJE4P7BM18RVJ8SFE3ZB";

    #[test]
    fn a_url_names_an_output_in_one_way_only() {
        let url = format!("result://{TASK}/12");
        let result = ResultRef::of_url(&url).unwrap();
        assert_eq!((result.task_no.as_str(), result.item_no), (TASK, 12));
        assert_eq!((result.url(), result.to_string()), (url, format!("{TASK}/12")));
        for wrong in ["0", "", "-1", "+1", "01", "1/", "1/2", "1?a", "a", " 1", "4294967296"] {
            assert_eq!(ResultRef::of_url(&format!("result://{TASK}/{wrong}")), None, "{wrong}");
        }
        for wrong in [format!("result://{TASK}"), format!("RESULT://{TASK}/1"), "result://x/1".to_owned()] {
            assert_eq!(ResultRef::of_url(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_expected_output_has_its_exact_length() {
        let info = ExpectedOutput { frames: 91, fps: 30, width: 720, height: 1280 }.media_info("u");
        let video = info.video.unwrap();
        assert_eq!((video.frames, video.display()), (91, Size::new(720, 1280)));
        assert!((video.duration_s * 30.0 - 91.0).abs() < 1e-9);
    }
}
