//! Named effects: the single table behind `effect`, the API's catalogue, the docs and the command line.
//!
//! Effects consist of filters only; none needs a file.

mod catalogue;
mod color;
mod lens;
mod light;
mod particles;
mod retro;
mod stage;

use crate::filter_graph::Graph;
pub use stage::Stage;

/// One entry of the catalogue.
pub struct Effect {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    pub description_en: &'static str,
    pub description_zh: &'static str,
    apply: fn(Graph, &Stage) -> Graph,
}

impl Effect {
    pub fn all() -> &'static [Effect] {
        catalogue::EFFECTS
    }

    pub fn find(name: &str) -> Option<&'static Effect> {
        Self::all().iter().find(|effect| effect.name == name)
    }

    /// Applies this effect to `graph`, whose frames have the stage's size and rate in the output's colours.
    pub fn apply(&self, graph: Graph, stage: &Stage) -> Graph {
        (self.apply)(graph, stage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::Size;
    use crate::time::{Fps, Frames};

    fn stage(length: u64, duration_s: f64, position_percent: f64) -> (u64, u64) {
        let output = (Size::new(320, 180), Fps::DEFAULT, Frames(length));
        let stage = Stage::new(output, 50.0, duration_s, position_percent);
        (stage.begin.0, stage.frames.0)
    }

    #[test]
    fn the_range_starts_at_its_position_or_early_enough_to_end_with_the_output() {
        assert_eq!(stage(300, 0.5, 0.0), (0, 15));
        assert_eq!(stage(300, 0.5, 50.0), (150, 15));
        assert_eq!(stage(300, 0.5, 97.0), (285, 15));
        assert_eq!(stage(300, 0.5, 100.0), (285, 15));
        assert_eq!(stage(300, 60.0, 40.0), (0, 300));
        assert_eq!(stage(300, 0.001, 10.0), (30, 1));
        assert_eq!(stage(1, 0.5, 100.0), (0, 1));
    }

    #[test]
    fn the_catalogue_is_large_and_every_entry_has_texts() {
        let names: std::collections::BTreeSet<_> = Effect::all().iter().map(|effect| effect.name).collect();
        assert_eq!(names.len(), Effect::all().len());
        assert!(names.len() >= 20);
        for effect in Effect::all() {
            let plain = effect.name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            assert!(plain, "{}", effect.name);
            let chinese = |text: &str| text.chars().all(|c| !c.is_ascii_alphabetic()) && !text.is_empty();
            assert!(chinese(effect.title_zh) && chinese(effect.description_zh), "{}", effect.name);
            assert!(!effect.title_en.is_empty() && !effect.description_en.is_empty(), "{}", effect.name);
        }
    }
}
