//! The body of a preview: a submission, and which frame or which seconds of its outputs to make.
use super::reader::{Fields, Node};
use super::report::Report;
use super::scalar::Range;
use super::{Policy, RequestError, json, read_request};
use crate::request::inputs::{Input, InputRole};
use crate::request::model::{Params, TaskRequest};
use serde_json::Value;
use std::ops::RangeInclusive;
/// The wanted frame of a task's outputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Counted from 1.
    pub item_no: u32,
    /// One clip or scene of the output, counted from 0; then [`Moment::at_s`] counts from its beginning.
    pub clip: Option<usize>,
    /// In seconds; a time behind the end means the last frame. `None` chooses a frame that shows much.
    pub at_s: Option<f64>,
}
impl Moment {
    /// The inputs of a request, among these, that are used at this moment: a clip only if it is a clip of that output, and
    /// only clips if the moment is that of a clip. All of them if none remains.
    pub fn narrow<'a>(&self, request: &TaskRequest, inputs: Vec<Input<'a>>) -> Vec<Input<'a>> {
        let output = (self.item_no as usize).saturating_sub(1);
        let is_of = |clip: usize| self.clip.is_none_or(|wanted| wanted == clip);
        let is_shown = |input: &&Input| match (&request.params, input.place.indices()) {
            _ if input.role != InputRole::Clip => self.clip.is_none(),
            (Params::BaseVideoMix(_), [group, clip]) => group == output && is_of(clip),
            (Params::ProVideoMix(_), [scene, _]) => is_of(scene),
            (Params::VideoDeduplication(params), [video, _]) => {
                params.items().nth(output).is_some_and(|(index, _)| index == video)
            }
        };
        let shown: Vec<Input> = inputs.iter().filter(is_shown).copied().collect();
        if shown.is_empty() { inputs } else { shown }
    }
}

/// The allowed widths of an image; the last one is the default.
pub const PREVIEW_WIDTHS: RangeInclusive<u64> = 16..=720;
/// Outputs and clips have numbers below this.
const MAX_NUMBER: u64 = 1_000_000;
/// Times are bounded by this, which is longer than any output.
const LATEST_S: Range = Range::new(0.0, 86_400.0);
/// Allowed lengths of a clip preview.
const CLIP_S: Range = Range::new(0.1, 180.0);
const USUAL_CLIP_S: f64 = 4.0;
/// Allowed lengths of an audio preview.
const SOUND_S: Range = Range::new(0.1, 60.0);
const USUAL_SOUND_S: f64 = 30.0;
#[derive(Debug, Clone, PartialEq)]
pub struct PreviewRequest {
    pub request: TaskRequest,
    pub moment: Moment,
    /// The maximum width of the image, in pixels.
    pub width: u32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct ClipRequest {
    pub request: TaskRequest,
    /// The start of the clip.
    pub moment: Moment,
    pub seconds: f64,
}
/// One file, and a time in it.
#[derive(Debug, Clone, PartialEq)]
pub struct FileRequest {
    pub url: String,
    pub at_s: Option<f64>,
    pub width: u32,
}
/// One file, and the range of its audio to return.
#[derive(Debug, Clone, PartialEq)]
pub struct AudioExcerptRequest {
    pub url: String,
    pub at_s: f64,
    pub seconds: f64,
}
/// Reads the body of a preview; reports all field errors at once. Errors within `request` have the same paths as in a
/// submission.
pub fn parse_preview(body: &Value, policy: &Policy) -> Result<PreviewRequest, RequestError> {
    read_value(body, policy, read_preview)
}
/// Reads the body of a clip preview.
pub fn parse_clip(body: &Value, policy: &Policy) -> Result<ClipRequest, RequestError> {
    read_value(body, policy, |fields| {
        let moment = read_moment(fields);
        let seconds = fields.get("seconds").number(CLIP_S).unwrap_or(USUAL_CLIP_S);
        moment.map(|(request, moment)| ClipRequest { request, moment, seconds })
    })
}
/// Reads the body of a thumbnail request for one file.
pub fn parse_file(body: &[u8], policy: &Policy) -> Result<FileRequest, RequestError> {
    read_body(body, policy, read_file)
}
/// Reads the body of an audio preview of one file.
pub fn parse_audio_excerpt(body: &[u8], policy: &Policy) -> Result<AudioExcerptRequest, RequestError> {
    read_body(body, policy, |fields| {
        let url = fields.need("url").url();
        let at_s = fields.get("atSeconds").number(LATEST_S).unwrap_or(0.0);
        let seconds = fields.get("seconds").number(SOUND_S).unwrap_or(USUAL_SOUND_S);
        url.map(|url| AudioExcerptRequest { url, at_s, seconds })
    })
}
pub(super) fn read_body<T>(
    body: &[u8],
    policy: &Policy,
    read: impl FnOnce(&mut Fields) -> Option<T>,
) -> Result<T, RequestError> {
    read_value(&json::parse(body)?, policy, read)
}
pub(super) fn read_value<T>(
    body: &Value,
    policy: &Policy,
    read: impl FnOnce(&mut Fields) -> Option<T>,
) -> Result<T, RequestError> {
    let mut report = Report::new(policy);
    let parsed = Node::root(body, &mut report).object(read).flatten();
    report.close(parsed).map(|(parsed, _)| parsed)
}
fn read_preview(fields: &mut Fields) -> Option<PreviewRequest> {
    let moment = read_moment(fields);
    let width = width(fields);
    moment.map(|(request, moment)| PreviewRequest { request, moment, width })
}
fn read_moment(fields: &mut Fields) -> Option<(TaskRequest, Moment)> {
    let request = Node { path: String::new(), ..fields.need("request") };
    let request = request.object(read_request).flatten();
    let item_no = fields.get("itemNo").integer(1..=MAX_NUMBER);
    let clip = fields.get("clip").integer(0..=MAX_NUMBER);
    let at_s = fields.get("atSeconds").number(LATEST_S);
    Some((request?, Moment { item_no: item_no.unwrap_or(1), clip, at_s }))
}
fn read_file(fields: &mut Fields) -> Option<FileRequest> {
    let url = fields.need("url").url();
    let at_s = fields.get("atSeconds").number(LATEST_S);
    let width = width(fields);
    Some(FileRequest { url: url?, at_s, width })
}
fn width(fields: &mut Fields) -> u32 {
    fields.get("width").integer(PREVIEW_WIDTHS).unwrap_or(*PREVIEW_WIDTHS.end() as u32)
}
#[cfg(test)]
mod tests {
    use super::*;
    const TASK: &str = r#"{"taskType":"videoDeduplication","params":{"videoList":[{"filename":"https://a.example/a.mp4","duration":3}]}}"#;
    fn paths(error: RequestError) -> Vec<String> {
        match error {
            RequestError::Invalid { errors, .. } => errors.into_iter().map(|error| error.path).collect(),
            RequestError::Syntax { .. } => vec!["syntax".to_owned()],
        }
    }
    #[test]
    fn a_submission_and_a_moment() {
        type Asked = (u32, Option<usize>, Option<f64>, u32);
        let check = |body: &str, expected: Result<Asked, &[&str]>| {
            let value = json::parse(body.replace("TASK", TASK).as_bytes());
            let read = value.and_then(|value| parse_preview(&value, &Policy::default()));
            let read = read.map(|PreviewRequest { moment, width, .. }| {
                (moment.item_no, moment.clip, moment.at_s, width)
            });
            let expected = expected.map_err(|paths| paths.iter().map(|path| (*path).to_owned()).collect());
            assert_eq!(read.map_err(paths), expected, "{body}");
        };
        check(r#"{"request":TASK}"#, Ok((1, None, None, 720)));
        check(
            r#"{"request":TASK,"itemNo":2,"clip":0,"atSeconds":1.5,"width":320}"#,
            Ok((2, Some(0), Some(1.5), 320)),
        );
        check(
            r#"{"request":TASK,"itemNo":0,"clip":-1,"atSeconds":-1,"width":721}"#,
            Err(&["/itemNo", "/clip", "/atSeconds", "/width"]),
        );
        check(
            r#"{"request":{"taskType":"videoDeduplication","params":{}},"itemNo":0}"#,
            Err(&["/params/videoList", "/itemNo"]),
        );
        check(r#"{"request":[]}"#, Err(&[""]));
        check("{}", Err(&["/request"]));
        check("{", Err(&["syntax"]));
        check(r#"{"request":TASK,"atSecond":1}"#, Err(&["/atSecond"]));
    }
    #[test]
    fn a_file_and_a_moment() {
        let read = |body: &str| parse_file(body.as_bytes(), &Policy::default());
        let file = read(r#"{"url":"upload://ab","width":160}"#).unwrap();
        assert_eq!((file.url.as_str(), file.at_s, file.width), ("upload://ab", None, 160));
        assert_eq!(read(r#"{"url":"file:///etc/passwd"}"#).map_err(paths), Err(vec!["/url".to_owned()]));
        assert_eq!(read("{}").map_err(paths), Err(vec!["/url".to_owned()]));
    }
}
