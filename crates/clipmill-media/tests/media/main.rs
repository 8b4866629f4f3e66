//! What is rendered, looked at and listened to: one program, so that it is linked once.

// Helpers fail as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod support;

mod alike;
mod alpha;
mod bumpers;
mod caption_colours;
mod captions_styled;
mod checked;
mod copied;
mod cuts;
mod damaged;
mod dedup;
mod descriptors;
mod effects;
mod emoji;
mod excerpts;
mod hardware;
mod joins;
mod layers;
mod mastering;
mod matrix;
mod mix;
mod overlays;
mod parts;
mod pictures;
mod quality;
mod recorded_audio;
mod recordings;
mod sound;
mod sources;
mod subtitles_rendered;
mod sync;
mod together;
mod transitions;
