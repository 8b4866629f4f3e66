//! Images used as clips: their duration and their movement.

use serde_json::Value;

use crate::media::Facts;
use crate::plan::assumptions::is_named_as_image;
use crate::request::model::{Clip, ImageMotion};
use crate::seed::Place;
use crate::time::{Fps, Frames};

/// The default duration of an image, in seconds.
const IMAGE_S: f64 = 3.0;

/// The movements that `random` draws from.
const MOVING: [ImageMotion; 4] =
    [ImageMotion::ZoomIn, ImageMotion::PanLeft, ImageMotion::ZoomOut, ImageMotion::PanRight];

/// The position of an image in an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImagePosition {
    /// A clip or a scene, counted from 0.
    Clip(usize),
    Intro,
    Outro,
}

/// Whether the clip is an image: by its file, or by its name if the file is not probed yet.
pub(crate) fn is_image(clip: &Clip, facts: &Facts) -> bool {
    match facts.media.get(&clip.url) {
        Some(Ok(info)) => info.video.as_ref().is_some_and(|video| video.still),
        Some(Err(_)) => false,
        None => is_named_as_image(&clip.url),
    }
}

/// The duration of an image without a scene length; at least one frame.
pub(crate) fn image_frames(clip: &Clip, fps: Fps) -> Frames {
    Frames(Frames::nearest(clip.duration_s.unwrap_or(IMAGE_S), fps).0.max(1))
}

/// The movements of the images of one output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motions {
    place: Place,
    usual: ImageMotion,
}

impl Motions {
    pub fn new(place: Place, usual: ImageMotion) -> Self {
        Self { place, usual }
    }

    /// The motion of the image at `spot`, whose clip requests `own`.
    pub fn of(self, spot: ImagePosition, own: Option<ImageMotion>) -> ImageMotion {
        let motion = own.unwrap_or(self.usual);
        if motion == ImageMotion::Random { self.drawn(spot) } else { motion }
    }

    /// Draws a motion so that all occur before any repeats, within an output and from one output to the next.
    fn drawn(self, spot: ImagePosition) -> ImageMotion {
        let (name, card) = match spot {
            ImagePosition::Clip(number) => {
                (format!("imageMotion {}", number / MOVING.len()), number % MOVING.len())
            }
            ImagePosition::Intro => ("imageMotion intro".to_owned(), 0),
            ImagePosition::Outro => ("imageMotion outro".to_owned(), 0),
        };
        let order = self.place.deal(&name, MOVING.len(), MOVING.len());
        order.get(card).map_or(ImageMotion::None, |&index| MOVING[index])
    }

    /// The motions drawn for the images among these clips, for the recipe of the output; null where none was drawn.
    pub fn recipe<'c>(self, clips: impl Iterator<Item = &'c Clip>, facts: &Facts) -> Option<Value> {
        let recipe = |(number, clip): (usize, &Clip)| {
            let is_drawn = clip.image_motion.unwrap_or(self.usual) == ImageMotion::Random;
            let motion = (is_drawn && clip.files().any(|file| is_image(file, facts)))
                .then(|| self.drawn(ImagePosition::Clip(number)));
            motion.map_or(Value::Null, name)
        };
        let recipe: Vec<Value> = clips.enumerate().map(recipe).collect();
        recipe.iter().any(|motion| !motion.is_null()).then_some(Value::Array(recipe))
    }

    /// [`Motions::recipe`] for an intro or an outro.
    pub fn bumper_recipe(self, spot: ImagePosition, url: &str, facts: &Facts) -> Option<Value> {
        let clip = Clip { url: url.to_owned(), ..Clip::default() };
        (self.usual == ImageMotion::Random && is_image(&clip, facts)).then(|| name(self.drawn(spot)))
    }
}

fn name(motion: ImageMotion) -> Value {
    let entry = ImageMotion::NAMES.iter().find(|(_, value)| *value == motion);
    entry.map_or(Value::Null, |(name, _)| (*name).into())
}
