//! Renders outputs and measures them: one program, so that it is linked once.

// Helpers fail as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod support;

mod alpha;
mod animated_images;
mod audio;
mod bumpers;
mod caption_colours;
mod captions_moving;
mod captions_styled;
mod copied;
mod cover;
mod cuts;
mod damaged;
mod dedup;
mod descriptors;
mod effects;
mod emoji;
mod excerpts;
mod findings;
mod hardware;
mod images;
mod joins;
mod layers;
mod mastering;
mod matrix;
mod mix;
mod overlay_motions;
mod overlays;
mod own_fonts;
mod parts;
mod quality;
mod random_options;
mod recorded_audio;
mod recordings;
mod similarity;
mod sounds;
mod sources;
mod split_screen;
mod subtitles_rendered;
mod sync;
mod transitions;
mod treatments;
mod video_layers;
