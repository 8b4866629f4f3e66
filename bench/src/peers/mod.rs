//! clipmill and its peers side by side: each round measures all of them in turn, so that a slow period of the machine
//! affects all; the result is the ratio of the medians.

pub mod clips;
pub mod expert;
mod growth;
mod measurements;
mod others;
mod plot;
mod quality;
mod record;
mod requests;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use futures_util::future::try_join_all;
use serde_json::Value;

use self::clips::Clips;
use self::expert::Mix;
use self::measurements::{ALONE, CLIPMILL, Case, EXPERT, FLOOR};
use self::others::Others;
use self::quality::OutputQuality;
use self::record::{Record, Results};
use self::requests::{sized, with_captions};
use crate::clipmill::{Clipmill, Done};
use crate::run::{Cost, run};

pub use self::growth::plot as plot_growth;
pub use self::measurements::median;
pub use self::plot::plot;
pub use self::requests::{base_mix, variation, variation_filters, with_music};
pub use self::table::table;

/// All results of one run of the benchmark.
pub struct Comparison {
    results: Results,
    rounds: usize,
}

/// Everything that a round needs.
struct Bench<'a> {
    program: &'a Path,
    folder: &'a Path,
    clips: Clips,
    raw: PathBuf,
    others: Others,
    /// Cases that only `PEERS=all` measures.
    more: Option<More>,
    results: Results,
}

/// Clips of the slow cases.
struct More {
    phone: Vec<PathBuf>,
    long: PathBuf,
    /// Numbers of outputs and their rows of clips.
    growth: Vec<(usize, Vec<Vec<PathBuf>>)>,
}

const FULL_HD: (u32, u32) = (1080, 1920);
/// Where the excerpts of the long video start.
const EXCERPTS_S: [u32; 3] = [61, 302, 573];

/// The maximum number of outputs of one request.
const MAX_OUTPUTS_PER_TASK: usize = 100;

/// How many expert commands are run: all of the 8 outputs, and a sample of the 64.
const SAMPLED: usize = 8;

/// What to measure.
pub struct Run<'a> {
    pub program: &'a Path,
    pub samples: &'a Path,
    pub folder: &'a Path,
    pub rounds: usize,
    /// The folder of other installed programs; also measures the slow cases.
    pub peers: Option<&'a Path>,
    /// The file that an interrupted run is continued from.
    pub record: Option<&'a Path>,
    /// The machine and the versions of programs.
    pub machine: &'a str,
}

pub async fn compare(of: &Run<'_>) -> anyhow::Result<Comparison> {
    let Run { program, samples, folder, rounds, peers, .. } = *of;
    let cases = if peers.is_some() { "all cases" } else { "short cases" };
    let about = format!("{} {cases}", of.machine);
    let record = of.record.map(|path| Record::new(path, program, &about)).transpose()?;
    let mut results = record.as_ref().map(Record::read).transpose()?.unwrap_or_default();
    if results.steps > 0 {
        eprintln!("continuing after {} of {} steps", results.steps, rounds * STEPS);
    }
    eprintln!("making clips");
    let clips = Clips::make(samples, folder)?;
    let others = Others::find(folder, peers)?;
    for missing in others.missing() {
        eprintln!("skipped: {missing}");
    }
    let more = peers.map(|_| More::make(&clips, samples, folder)).transpose()?;
    let raw = folder.join("portrait.yuv");
    run(&mut expert::reference(&clips.row([0; 3]), &raw))?;
    let mut bench = Bench { program, folder, clips, raw, others, more, results: Results::default() };
    while results.steps < rounds * STEPS {
        let (round, step) = (results.steps / STEPS + 1, results.steps % STEPS);
        eprintln!("round {round} of {rounds}, step {} of {STEPS}", step + 1);
        bench.results = results;
        bench.step(step).await.with_context(|| format!("round {round}"))?;
        results = std::mem::take(&mut bench.results);
        results.steps += 1;
        if let Some(record) = &record {
            results = record.write(results)?;
        }
    }
    if let Some(record) = &record {
        record.remove()?;
    }
    Ok(Comparison { results, rounds })
}

/// Prints bytes, SSIM and SSIMULACRA2 of each file.
pub fn compare_quality(raw: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    for file in files {
        let quality = OutputQuality::measure(Case::Portrait, CLIPMILL, file, Some(raw))?;
        let (ssim, ssimulacra2) = (quality.ssim.unwrap_or_default(), quality.ssimulacra2.unwrap_or_default());
        println!("{}: {} bytes, SSIM {ssim:.4}, SSIMULACRA2 {ssimulacra2:.2}", file.display(), quality.bytes);
    }
    Ok(())
}

impl More {
    fn make(clips: &Clips, samples: &Path, folder: &Path) -> anyhow::Result<Self> {
        let phone =
            (0..3).map(|number| clips::phone(samples, folder, number)).collect::<anyhow::Result<_>>()?;
        let long = clips::long(&clips.landscape[0], folder)?;
        let growth = growth::steps(&clips.scenes_of(growth::PER_SCENE, samples, folder)?);
        Ok(Self { phone, long, growth })
    }
}

/// The steps of [`Bench::step`].
const STEPS: usize = 10;

impl Bench<'_> {
    /// One step of a round: the cases that are measured together.
    async fn step(&mut self, step: usize) -> anyhow::Result<()> {
        match step {
            0 => self.portrait().await,
            1 => self.landscape().await,
            2 => self.captioned().await,
            3 => self.many().await,
            4 => self.varied().await,
            5 => self.ten_varied().await,
            6 => self.full_hd().await,
            7 => self.phone().await,
            8 => self.long().await,
            _ => self.growth().await,
        }
    }

    async fn portrait(&mut self) -> anyhow::Result<()> {
        let clips = self.clips.row([0; 3]);
        let mix = Mix::of(&clips);
        let cost = run(&mut expert::mix(&mix, &self.file("portrait-expert.mp4")))?;
        self.add(Case::Portrait, EXPERT, cost);
        let rendered = self.one(&clips, None, None, "portrait-clipmill.mp4").await?;
        self.results.measurements.add(Case::Portrait, CLIPMILL, rendered.wall_s);
        for (name, mut command) in self.others.commands(&clips, self.folder)? {
            match run(&mut command) {
                Ok(cost) => self.add(Case::Portrait, name, cost),
                Err(error) => eprintln!("{name} is left out of this round: {error:#}"),
            }
        }
        let cost = run(&mut expert::encode_only(&self.raw, &self.file("floor.mp4")))?;
        self.add(Case::Portrait, FLOOR, cost);
        self.measure_quality(Case::Portrait, "portrait", Some(&clips))
    }

    async fn landscape(&mut self) -> anyhow::Result<()> {
        let clips = self.clips.landscape.clone();
        let mix = Mix::of(&clips);
        let cost = run(&mut expert::mix(&mix, &self.file("landscape-expert.mp4")))?;
        self.add(Case::Landscape, EXPERT, cost);
        let run = self.one(&clips, None, None, "landscape-clipmill.mp4").await?;
        self.results.measurements.add(Case::Landscape, CLIPMILL, run.wall_s);
        self.measure_quality(Case::Landscape, "landscape", Some(&clips))
    }

    async fn captioned(&mut self) -> anyhow::Result<()> {
        let (clips, music) = (self.clips.row([1; 3]), self.clips.music.clone());
        let captions = self.clips.captions.clone();
        let mix = Mix { music: Some(&music), captions: Some(&captions), ..Mix::of(&clips) };
        let cost = run(&mut expert::mix(&mix, &self.file("captioned-expert.mp4")))?;
        self.add(Case::Captioned, EXPERT, cost);
        let run = self.one(&clips, Some(&music), Some(&captions), "captioned-clipmill.mp4").await?;
        self.results.measurements.add(Case::Captioned, CLIPMILL, run.wall_s);
        self.measure_quality(Case::Captioned, "captioned", None)
    }

    /// 8 and 64 outputs. The expert's time for 64 outputs is computed from that of the 8 commands.
    async fn many(&mut self) -> anyhow::Result<()> {
        let (few, all) = (self.clips.rows(2), self.clips.rows(clips::PER_SCENE));
        let music = self.clips.music.clone();
        let (mut eight_s, out) = (0.0, self.file("many-expert.mp4"));
        for clips in few.iter().take(SAMPLED) {
            let mix = Mix { music: Some(&music), ..Mix::of(clips) };
            eight_s += run(&mut expert::mix(&mix, &out))?.wall_s;
        }
        let all_s = eight_s / SAMPLED as f64 * all.len() as f64;
        self.results.measurements.add(Case::Eight, EXPERT, eight_s);
        for case in [Case::SixtyFour, Case::Again, Case::Replaced] {
            self.results.measurements.add(case, EXPERT, all_s);
        }
        let eight = self.mixes(&Clipmill::start(self.program, self.folder)?, &few).await?;
        self.results.measurements.add(Case::Eight, CLIPMILL, eight.wall_s);
        let alone = self.mixes(&Clipmill::start(self.program, self.folder)?, &few[..1]).await?;
        self.results.measurements.add(Case::FirstOfMany, ALONE, alone.wall_s);
        let service = Clipmill::start(self.program, self.folder)?;
        let many = self.mixes(&service, &all).await?;
        self.results.measurements.add(Case::SixtyFour, CLIPMILL, many.wall_s);
        self.results.measurements.add(Case::FirstOfMany, CLIPMILL, many.first_s);
        let again = self.mixes(&service, &all).await?;
        self.results.measurements.add(Case::Again, CLIPMILL, again.wall_s);
        let replaced = self.mixes(&service, &self.replaced(&all)).await?;
        self.results.measurements.add(Case::Replaced, CLIPMILL, replaced.wall_s);
        Ok(())
    }

    /// The rows with one clip of the first scene replaced by the spare one.
    fn replaced(&self, rows: &[Vec<PathBuf>]) -> Vec<Vec<PathBuf>> {
        let old = &self.clips.scenes[0][clips::PER_SCENE - 1];
        let new = |clip: &PathBuf| if clip == old { self.clips.spare.clone() } else { clip.clone() };
        rows.iter().map(|row| row.iter().map(new).collect()).collect()
    }

    async fn varied(&mut self) -> anyhow::Result<()> {
        let clip = self.clips.landscape[0].clone();
        let service = Clipmill::start(self.program, self.folder)?;
        let url = service.upload(&clip).await?;
        let done = service.make(&variation(&url)).await?;
        self.results.measurements.add(Case::Varied, CLIPMILL, done.wall_s);
        service.download(&done.status["items"][0], &self.file("varied-clipmill.mp4")).await?;
        let filters = requests::variation_filters(&done.status["items"][0]["recipe"])?;
        let cost = run(&mut expert::vary(&clip, &filters, 1.0, &self.file("varied-expert.mp4")))?;
        self.add(Case::Varied, EXPERT, cost);
        self.measure_quality(Case::Varied, "varied", None)
    }

    /// Ten variations. The expert's time for them is computed from that of two.
    async fn ten_varied(&mut self) -> anyhow::Result<()> {
        let clip = self.clips.landscape[0].clone();
        let service = Clipmill::start(self.program, self.folder)?;
        let url = service.upload(&clip).await?;
        let done = service.make(&requests::ten_variations(&url)).await?;
        self.results.measurements.add(Case::TenVaried, CLIPMILL, done.wall_s);
        let items = done.status["items"].as_array().context("the status has no items")?;
        let (mut seconds, out) = (0.0, self.file("ten-expert.mp4"));
        for item in items.iter().step_by(5) {
            let (filters, speed) = requests::of_ten_filters(&item["recipe"])?;
            seconds += 5.0 * run(&mut expert::vary(&clip, &filters, speed, &out))?.wall_s;
        }
        self.results.measurements.add(Case::TenVaried, EXPERT, seconds);
        Ok(())
    }

    async fn full_hd(&mut self) -> anyhow::Result<()> {
        if self.more.is_none() {
            return Ok(());
        }
        self.large(Case::FullHd, &self.clips.row([2; 3])).await
    }

    async fn phone(&mut self) -> anyhow::Result<()> {
        let Some(clips) = self.more.as_ref().map(|more| more.phone.clone()) else { return Ok(()) };
        self.large(Case::Phone, &clips).await
    }

    /// One output of 1080×1920.
    async fn large(&mut self, case: Case, clips: &[PathBuf]) -> anyhow::Result<()> {
        let mix = Mix { size: FULL_HD, ..Mix::of(clips) };
        let cost = run(&mut expert::mix(&mix, &self.file("large-expert.mp4")))?;
        self.add(case, EXPERT, cost);
        let service = Clipmill::start(self.program, self.folder)?;
        let request = sized(base_mix(&[service.uploads(clips).await?]), FULL_HD);
        self.results.measurements.add(case, CLIPMILL, service.make(&request).await?.wall_s);
        Ok(())
    }

    async fn long(&mut self) -> anyhow::Result<()> {
        let Some(long) = self.more.as_ref().map(|more| more.long.clone()) else { return Ok(()) };
        let clips = [long.clone(), long.clone(), long.clone()];
        let mix = Mix { from_s: &EXCERPTS_S, ..Mix::of(&clips) };
        let cost = run(&mut expert::mix(&mix, &self.file("long-expert.mp4")))?;
        self.add(Case::Long, EXPERT, cost);
        let service = Clipmill::start(self.program, self.folder)?;
        let url = service.upload(&long).await?;
        let done = service.make(&requests::excerpts(&url, &EXCERPTS_S)).await?;
        self.results.measurements.add(Case::Long, CLIPMILL, done.wall_s);
        Ok(())
    }

    /// 1 to 256 outputs, each time by a fresh service.
    async fn growth(&mut self) -> anyhow::Result<()> {
        let Some(more) = &self.more else { return Ok(()) };
        let mut measured = Vec::new();
        for (outputs, rows) in &more.growth {
            let service = Clipmill::start(self.program, self.folder)?;
            let seconds = self.mixes(&service, rows).await?.wall_s;
            eprintln!("  {outputs} outputs: {seconds:.2} s");
            measured.push(seconds);
        }
        let (clips, music) = (self.clips.row([0; 3]), &self.clips.music);
        let mix = Mix { music: Some(music), ..Mix::of(&clips) };
        let one_s = run(&mut expert::mix(&mix, &self.file("growth-expert.mp4")))?.wall_s;
        self.results.growth.add(&measured, one_s);
        Ok(())
    }

    /// One output by a fresh service, downloaded to `name`.
    async fn one(
        &self,
        clips: &[PathBuf],
        music: Option<&Path>,
        captions: Option<&Path>,
        name: &str,
    ) -> anyhow::Result<Done> {
        let service = Clipmill::start(self.program, self.folder)?;
        let mut request = base_mix(&[service.uploads(clips).await?]);
        if let Some(music) = music {
            request = with_music(request, &service.upload(music).await?);
        }
        if let Some(captions) = captions {
            request = with_captions(request, &service.upload(captions).await?);
        }
        let done = service.make(&request).await?;
        service.download(&done.status["items"][0], &self.file(name)).await?;
        Ok(done)
    }

    /// Many outputs with music, in as many concurrent tasks as they need; the status is that of the first.
    async fn mixes(&self, service: &Clipmill, rows: &[Vec<PathBuf>]) -> anyhow::Result<Done> {
        let mut urls: Vec<(&PathBuf, String)> = Vec::new();
        for clip in rows.iter().flatten() {
            if !urls.iter().any(|(known, _)| *known == clip) {
                urls.push((clip, service.upload(clip).await?));
            }
        }
        let url = |clip: &PathBuf| urls.iter().find(|(known, _)| *known == clip).map(|(_, url)| url.clone());
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().filter_map(url).collect()).collect();
        let music = service.upload(&self.clips.music).await?;
        let requests: Vec<Value> =
            rows.chunks(MAX_OUTPUTS_PER_TASK).map(|rows| with_music(base_mix(rows), &music)).collect();
        let tasks = try_join_all(requests.iter().map(|request| service.make(request))).await?;
        let completed: u64 = tasks.iter().filter_map(|done| done.status["completedItems"].as_u64()).sum();
        ensure!(completed == rows.len() as u64, "{completed} of {} outputs", rows.len());
        let last = |all: Done, done: Done| Done {
            wall_s: all.wall_s.max(done.wall_s),
            first_s: all.first_s.min(done.first_s),
            status: all.status,
        };
        tasks.into_iter().reduce(last).context("no outputs")
    }

    fn add(&mut self, case: Case, side: &str, cost: Cost) {
        self.results.measurements.add(case, side, cost.wall_s);
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The quality and size of the outputs of a case, once: they are the same in each round. Outputs that only cut and scale
    /// `clips` are compared with their frames.
    fn measure_quality(&mut self, case: Case, name: &str, clips: Option<&[PathBuf]>) -> anyhow::Result<()> {
        if self.results.qualities.iter().any(|quality| quality.case == case) {
            return Ok(());
        }
        let raw = clips.map(|_| self.file("reference.yuv"));
        if let (Some(clips), Some(raw)) = (clips, &raw) {
            run(&mut expert::reference(clips, raw))?;
        }
        for (side, of) in [(EXPERT, "expert"), (CLIPMILL, "clipmill")] {
            let path = self.file(&format!("{name}-{of}.mp4"));
            self.results.qualities.push(OutputQuality::measure(case, side, &path, raw.as_deref())?);
        }
        Ok(())
    }
}
