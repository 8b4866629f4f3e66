//! Plans from requests and hand-made facts: what is made, how long, from what, and what it costs.

// Helpers may panic, as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod again;
mod base_mix;
mod captions;
mod clips;
mod copy;
mod dedup;
mod estimate;
mod excerpts;
mod golden;
mod inputs;
mod overlays;
mod parts;
mod pictures;
mod pools;
mod pro_mix;
mod quotes;
mod scene_audio;
mod sound;
mod starts;
mod told;
mod transitions;
mod world;
