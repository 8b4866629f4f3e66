//! Still pictures used as clips: how long they are shown, and how they move.

use serde_json::Value;

use crate::media::Facts;
use crate::plan::assumed::is_named_as_picture;
use crate::request::model::{Clip, ImageMotion};
use crate::seed::Place;
use crate::time::{Fps, Frames};

/// How long a picture is shown, in seconds, unless the request says otherwise.
const PICTURE_S: f64 = 3.0;

/// The movements that `random` draws from.
const MOVING: [ImageMotion; 4] =
    [ImageMotion::ZoomIn, ImageMotion::PanLeft, ImageMotion::ZoomOut, ImageMotion::PanRight];

/// The place in an output that a picture is used in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// A clip or a scene, counted from 0.
    Clip(usize),
    Intro,
    Outro,
}

/// Whether the clip is a picture: decided by its file, or by its name while the file is not probed.
pub(crate) fn is_picture(clip: &Clip, facts: &Facts) -> bool {
    match facts.media.get(&clip.url) {
        Some(Ok(info)) => info.video.as_ref().is_some_and(|video| video.still),
        Some(Err(_)) => false,
        None => is_named_as_picture(&clip.url),
    }
}

/// How long a picture is shown when no scene sets a length; at least a frame.
pub(crate) fn picture_frames(clip: &Clip, fps: Fps) -> Frames {
    Frames(Frames::nearest(clip.duration_s.unwrap_or(PICTURE_S), fps).0.max(1))
}

/// The movements of the pictures of one output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motions {
    place: Place,
    usual: ImageMotion,
}

impl Motions {
    pub fn new(place: Place, usual: ImageMotion) -> Self {
        Self { place, usual }
    }

    /// The movement of the picture at `spot`, whose clip asks for `own`.
    pub fn of(self, spot: Spot, own: Option<ImageMotion>) -> ImageMotion {
        let wanted = own.unwrap_or(self.usual);
        if wanted == ImageMotion::Random { self.drawn(spot) } else { wanted }
    }

    /// Draws a movement so that all come before any repeats, within an output and from one output to the next.
    fn drawn(self, spot: Spot) -> ImageMotion {
        let (name, card) = match spot {
            Spot::Clip(number) => (format!("imageMotion {}", number / MOVING.len()), number % MOVING.len()),
            Spot::Intro => ("imageMotion intro".to_owned(), 0),
            Spot::Outro => ("imageMotion outro".to_owned(), 0),
        };
        let dealt = self.place.deal(&name, MOVING.len(), MOVING.len());
        dealt.get(card).map_or(ImageMotion::None, |&index| MOVING[index])
    }

    /// The movements drawn for the pictures among these clips, for the recipe of the output: null where none was drawn.
    pub fn told<'c>(self, clips: impl Iterator<Item = &'c Clip>, facts: &Facts) -> Option<Value> {
        let told = |(number, clip): (usize, &Clip)| {
            let is_drawn = clip.image_motion.unwrap_or(self.usual) == ImageMotion::Random;
            let motion = (is_drawn && is_picture(clip, facts)).then(|| self.drawn(Spot::Clip(number)));
            motion.map_or(Value::Null, name)
        };
        let told: Vec<Value> = clips.enumerate().map(told).collect();
        told.iter().any(|motion| !motion.is_null()).then_some(Value::Array(told))
    }

    /// [`Motions::told`] for an intro or an outro.
    pub fn told_of(self, spot: Spot, url: &str, facts: &Facts) -> Option<Value> {
        let clip = Clip { url: url.to_owned(), ..Clip::default() };
        (self.usual == ImageMotion::Random && is_picture(&clip, facts)).then(|| name(self.drawn(spot)))
    }
}

fn name(motion: ImageMotion) -> Value {
    let found = ImageMotion::NAMES.iter().find(|(_, value)| *value == motion);
    found.map_or(Value::Null, |(name, _)| (*name).into())
}
