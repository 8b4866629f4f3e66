//! Caches graphs and texts that segments with the same overlays or captions share.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::filter_graph::Graph;
use crate::hashed_value::HashedValue;
use crate::overlay_motion::MotionPhase;
use crate::plan::mix::layer_range::LayerRange;
use crate::request::model::Subtitle;
use crate::subtitle::{AlignedCues, CaptionText, CaptionView};
use crate::time::Frames;

/// Graphs with overlaid images. Most segments of a task share one, which is much larger than everything else about them.
pub(crate) type OverlayGraphCache = Rc<RefCell<FxHashMap<OverlayGraphKey, HashedValue<Graph>>>>;

/// The key of a graph with overlaid images.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct OverlayGraphKey {
    /// The digest of the graph without them.
    pub base: String,
    pub images: Vec<ImageKey>,
    pub layers: Vec<LayerKey>,
}

/// An image's index, the frames that show it unless all do, the number of its input, and how it enters and leaves.
pub(crate) type ImageKey = (usize, Option<Range<Frames>>, Option<usize>, Vec<MotionPhase>);

/// A video's index, the shown stretch, whether all frames show it, the number of its input, and how it enters and leaves.
pub(crate) type LayerKey = (usize, LayerRange, bool, Option<usize>, Vec<MotionPhase>);

/// The views of one overlaid text, by the first frame that shows it and the one after the last, counted within a segment, and
/// by how it enters and leaves there. Most segments of a task share a view, and laying out and serialising it is most of the work of planning them.
pub(crate) type TextViewCache =
    Rc<RefCell<FxHashMap<(Frames, Frames, Vec<MotionPhase>), HashedValue<CaptionView>>>>;

/// The captions that texts are split into. Outputs with the same text and style share them.
pub(crate) type SplitTextCache = RefCell<Vec<(Subtitle, Rc<[CaptionText]>)>>;

/// The captions of texts that voices speak, by the text, the URL of the voice and the heard milliseconds of it.
pub(crate) type AlignmentCache = RefCell<Vec<((Subtitle, String, u64), AlignedCues)>>;
