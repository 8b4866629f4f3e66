//! The simulation: a queue of any length, a fleet of any size, and clients that submit small tasks meanwhile.

pub mod arrivals;
pub mod books;
pub mod database;
pub mod deliveries;
pub mod fleet;
pub mod phase;
pub mod plans;
pub mod promises;
pub mod questions;
pub mod report;
pub mod seed;
pub mod settings;

use std::sync::Arc;

use clipmill_store::postgres::{PgOptions, PgStore};
use tokio::time::Instant;

use books::Books;
use database::Watch;
use phase::{Measured, Phase};
pub use settings::Settings;

/// Shared state of all parts.
pub struct Fixture {
    pub url: String,
    pub settings: Settings,
    pub books: Books,
    pub watch: Watch,
}

impl Fixture {
    pub async fn new(url: &str, settings: Settings) -> Arc<Self> {
        let watch = Watch::open(url).await;
        Arc::new(Self { url: url.to_owned(), settings, books: Books::default(), watch })
    }

    /// The store of one process.
    pub async fn store(&self, connections: u32) -> PgStore {
        let options = PgOptions { connections, ..PgOptions::default() };
        PgStore::open(&self.url, options).await.expect("the database to take another process")
    }
}

/// The results.
pub struct Results {
    pub settings: Settings,
    pub machine: String,
    pub seeded: seed::Seeded,
    pub phases: Vec<Measured>,
    pub questions: Vec<(&'static str, String)>,
    pub tables: String,
    pub delivered: usize,
    pub wrong: Vec<String>,
    pub took_s: f64,
}

pub async fn run(url: &str, settings: Settings) -> Results {
    let began = Instant::now();
    let fixture = Fixture::new(url, settings).await;
    let mut phases = Vec::new();
    let settings = fixture.settings.clone();
    if settings.idle_s > 0 {
        for phase in Phase::idle(&settings) {
            phases.push(phase.run(&fixture).await);
        }
    }
    let seeded = seed::fill(&fixture).await;
    let questions = questions::ask(&fixture, &seeded).await;
    for workers in &settings.steps {
        phases.push(Phase::paced(&settings, *workers).run(&fixture).await);
    }
    if settings.flood_slots > 0 {
        phases.push(Phase::flood(&settings).run(&fixture).await);
    }
    let tables = fixture.watch.tables().await;
    let wrong = promises::check(&fixture).await;
    Results {
        machine: database::machine(&fixture.watch).await,
        seeded,
        phases,
        questions,
        tables,
        delivered: fixture.books.delivered(),
        wrong,
        took_s: began.elapsed().as_secs_f64(),
        settings,
    }
}
