//! Plans from requests and hand-made facts: segments, lengths, sources and prices.

// Helpers may panic, as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod audio;
mod base_mix;
mod captions;
mod clips;
mod copy;
mod cover;
mod dedup;
mod division;
mod editorial;
mod estimate;
mod excerpts;
mod fallback;
mod fixture;
mod golden;
mod images;
mod inline_captions;
mod inputs;
mod overlay_motions;
mod overlays;
mod parts;
mod pools;
mod price_estimates;
mod pro_mix;
mod random_prices;
mod scene_audio;
mod scene_fill;
mod scene_lengths;
mod scene_texts;
mod sounds;
mod split_screen;
mod spoken;
mod starts;
mod transcripts;
mod transitions;
mod treatments;
mod video_layers;
mod voice_length;
mod whole_plans;
