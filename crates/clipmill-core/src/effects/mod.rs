//! Named effects: the single table behind `effect`, the API's catalogue, the docs and the command line.
//!
//! Everything that an effect shows is made by filters; no file is needed.

mod catalogue;
mod color;
mod lens;
mod light;
mod particles;
mod retro;
mod stage;

use crate::filter_graph::Graph;
pub use stage::Stage;
pub(crate) use stage::{from_rgb, to_rgb};

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

    /// `graph`, pictures of the stage's size and rate in the output's colours, with this effect over it.
    pub fn apply(&self, graph: Graph, stage: &Stage) -> Graph {
        (self.apply)(graph, stage)
    }
}
