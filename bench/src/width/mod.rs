//! How long jobs take on machines with other numbers of cores: every process of a job is recorded on this machine, and the
//! recorded pieces are scheduled on 2 to 64 cores.

mod recording;
mod schedule;

use std::path::{Path, PathBuf};

use serde_json::Value;

use self::recording::{Recording, clock};
use self::schedule::{CORES, RecordedOn, Schedule, simulate};
use crate::peers::clips::{Clips, repeated};
use crate::peers::expert::{self, Mix};
use crate::peers::{base_mix, median, variation, variation_filters, with_music};
use crate::run::run;

/// The widths that are computed.
const WIDTHS: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// The width whose critical paths are described.
const DESCRIBED: u32 = 16;

/// Seconds of the long clips.
const LONG_S: usize = 60;

/// A job, and the command of an expert for the same result.
struct Job {
    name: &'static str,
    request: Value,
    expert: Expert,
}

enum Expert {
    /// One command for all outputs, or for one of so many.
    Mix {
        clips: Vec<PathBuf>,
        music: Option<PathBuf>,
        outputs: u32,
    },
    Variation(PathBuf),
}

/// The table of all jobs, and their critical paths, in Markdown.
pub struct Measured {
    pub table: String,
    pub details: String,
}

pub fn measure(program: &Path, samples: &Path, folder: &Path, rounds: usize) -> anyhow::Result<Measured> {
    let cores = u32::try_from(std::thread::available_parallelism()?.get())?;
    let mut table = format!(
        "Seconds. \"Clock\" is measured on {cores} cores, {}; the rest is computed.\n\n\
         | Job | ffmpeg, clock | clipmill, clock |",
        rounds_text(rounds)
    );
    WIDTHS.iter().for_each(|width| table += &format!(" {width} cores |"));
    table += &format!("\n|---|--:|--:|{}\n", "--:|".repeat(WIDTHS.len()));
    let mut details = Vec::new();
    for job in jobs(samples, folder)? {
        let (row, paragraphs) = measure_job(&job, program, folder, (cores, rounds))?;
        table += &format!("{row}\n");
        details.extend(paragraphs);
    }
    let threads: Vec<String> = CORES.iter().map(|cores| format!("{cores:.1}")).collect();
    details.push(format!(
        "Encodes with 1 to 4 threads keep {} cores busy: measured for 1 and 2, modelled for 3 and 4. A width above this \
         machine's cores is recorded with its own division into parts and threads, one process at a time. Busy cores are slower \
         by the processor time of the whole job, relative to that of the recording.",
        threads.join(", ")
    ));
    Ok(Measured { table, details: details.join("\n\n") })
}

/// The row of a job in the table, and its paragraphs in the details. All rounds run on this machine's `cores`.
fn measure_job(
    job: &Job,
    program: &Path,
    folder: &Path,
    (cores, rounds): (u32, usize),
) -> anyhow::Result<(String, Vec<String>)> {
    eprintln!("{}", job.name);
    let (mut expert_s, mut clipmill_s) = (Vec::new(), Vec::new());
    let (mut recordings, mut slowdowns) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let here = |name| Run {
            program,
            folder,
            request: &job.request,
            width: cores,
            name: format!("{name}-{round}"),
        };
        let (cost, recipe) = clock(&here("clock"))?;
        expert_s.push(expert_seconds(&job.expert, &recipe, folder)?);
        let recording = Recording::make(&here("recorded"))?;
        slowdowns.push(cost.cpu_s / recording.cpu_s);
        clipmill_s.push(cost.wall_s);
        recordings.push(recording);
    }
    let recorded_on = RecordedOn { cores: f64::from(cores), slowdown: median(&slowdowns).max(1.0) };
    let predicted = |recording: &Recording| simulate(recording, cores, &recorded_on).seconds;
    let ratios: Vec<f64> =
        recordings.iter().zip(&clipmill_s).map(|(recording, s)| predicted(recording) / s).collect();
    let mut details = vec![format!(
        "{}: the prediction for {cores} cores is {:+.0} % off the clock, with busy cores {:.0} % slower than one alone.",
        job.name,
        (median(&ratios) - 1.0) * 100.0,
        (recorded_on.slowdown - 1.0) * 100.0
    )];
    let mut row = format!("| {} | {:.2} | {:.2} |", job.name, median(&expert_s), median(&clipmill_s));
    for width in WIDTHS {
        let of_width;
        let recordings = if width == cores {
            &recordings[..]
        } else {
            let name = format!("width-{width}");
            let run = Run { program, folder, request: &job.request, width, name };
            of_width = [Recording::make(&run)?];
            &of_width
        };
        let schedules: Vec<Schedule> =
            recordings.iter().map(|recording| simulate(recording, width, &recorded_on)).collect();
        let seconds = median(&schedules.iter().map(|schedule| schedule.seconds).collect::<Vec<_>>());
        if let (DESCRIBED, [schedule, ..], [recording, ..]) = (width, &schedules[..], recordings) {
            let path = schedule.describe(recording, width);
            details.push(format!("{}, {width} cores:\n{path}", job.name));
        }
        row += &format!(" {seconds:.2} |");
    }
    Ok((row, details))
}

fn rounds_text(rounds: usize) -> String {
    match rounds {
        1 => "one round".to_owned(),
        rounds => format!("medians of {rounds} rounds"),
    }
}

/// One run of `clipmill render` with an empty cache.
struct Run<'a> {
    program: &'a Path,
    folder: &'a Path,
    request: &'a Value,
    width: u32,
    name: String,
}

fn jobs(samples: &Path, folder: &Path) -> anyhow::Result<Vec<Job>> {
    let clips = Clips::make(samples, folder)?;
    let three = clips.row([0; 3]);
    let twelve: Vec<PathBuf> = clips.scenes.iter().flatten().cloned().collect();
    let long = repeated(&clips.landscape[0], LONG_S, &folder.join("minute.mp4"))?;
    let music = clips.music.clone();
    let rows: Vec<Vec<String>> = clips.rows(4).iter().map(|row| texts(row)).collect();
    let mix = |name, row: &[PathBuf]| Job {
        name,
        request: base_mix(&[texts(row)]),
        expert: Expert::Mix { clips: row.to_vec(), music: None, outputs: 1 },
    };
    let many = Job {
        name: "64 outputs of twelve clips, music",
        request: with_music(base_mix(&rows), &text(&music)),
        expert: Expert::Mix { clips: three.clone(), music: Some(music), outputs: 64 },
    };
    let varied = Job {
        name: "variation of a 60 s video",
        request: variation(&text(&long)),
        expert: Expert::Variation(long.clone()),
    };
    Ok(vec![
        mix("one output of three 5 s clips", &three),
        mix("one output of one 5 s clip", &three[..1]),
        mix("one output of a 60 s clip, cropped", &[long]),
        mix("one output of twelve 5 s clips", &twelve),
        many,
        varied,
    ])
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| text(path)).collect()
}

/// Seconds of the expert's commands for all outputs.
fn expert_seconds(expert: &Expert, recipe: &Value, folder: &Path) -> anyhow::Result<f64> {
    let output = folder.join("expert.mp4");
    match expert {
        Expert::Mix { clips, music, outputs } => {
            let mix = Mix { music: music.as_deref(), ..Mix::of(clips) };
            Ok(run(&mut expert::mix(&mix, &output))?.wall_s * f64::from(*outputs))
        }
        Expert::Variation(clip) => {
            let filters = variation_filters(recipe)?;
            Ok(run(&mut expert::vary(clip, &filters, 1.0, &output))?.wall_s)
        }
    }
}
