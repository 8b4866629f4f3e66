//! The results as a page of Markdown.

use std::fmt::Write as _;
use std::path::Path;

use super::Results;
use super::books::{Call, Times};
use super::phase::Measured;

pub fn text(found: &Results) -> String {
    let Results { settings, seeded, phases, .. } = found;
    let mut text = format!("{}.\n\n", found.machine);
    let _ = writeln!(
        text,
        "{} items of {} users in tasks of {}, {} distinct segments, were put into the queue in {:.0} s; {} items were \
         carried through to delivery. Pictures take {} to {} ms, finishing {} to {} ms. {} slots and at most {} \
         connections a process. The whole run took {:.0} s.\n",
        seeded.items,
        seeded.users.len(),
        settings.items_per_task,
        seeded.segments,
        seeded.took_s,
        found.delivered,
        settings.render_ms.start(),
        settings.render_ms.end(),
        settings.finish_ms.start(),
        settings.finish_ms.end(),
        settings.slots,
        settings.connections,
        found.took_s
    );
    text += &table(phases);
    text += "\nBeside the full queue, nothing else going on:\n\n| question | answer after |\n|---|--:|\n";
    for (name, took) in &found.questions {
        let _ = writeln!(text, "| {name} | {took} |");
    }
    let _ = writeln!(text, "\nAfterwards:\n\n{}", found.tables);
    for phase in phases {
        text += &details(phase);
    }
    text
}

/// A row for each figure, a column for each phase.
fn table(phases: &[Measured]) -> String {
    let mut text = String::from("| |");
    for phase in phases {
        let _ = write!(text, " {} |", phase.name);
    }
    text += "\n|---|";
    text += &"--:|".repeat(phases.len());
    text += "\n";
    let mut row = |name: &str, figure: &dyn Fn(&Measured) -> String| {
        let cells: Vec<String> = phases.iter().map(figure).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    let rate = |count: usize, phase: &Measured| format!("{:.1}", count as f64 / phase.seconds);
    row("claims a second", &|p| rate(p.times(Call::Claim).count, p));
    row("claims in vain a second", &|p| rate(p.times(Call::InVain).count, p));
    row("segments a second", &|p| rate(p.times(Call::SegmentDone).count, p));
    row("items a second", &|p| rate(p.delivered, p));
    row("renewals a second, each of all leases of a process", &|p| rate(p.times(Call::Heartbeat).count, p));
    row("slots at work", &|p| format!("{:.0} %", p.at_work * 100.0));
    for (name, call) in [
        ("claim", Call::Claim),
        ("renewal", Call::Heartbeat),
        ("segment done", Call::SegmentDone),
        ("item delivered", Call::Deliver),
        ("plan written", Call::Planned),
        ("task submitted", Call::Submit),
    ] {
        row(&format!("{name}: p50 / p95 / p99 / max, ms"), &|p| latency(p.times(call)));
    }
    row("database, cores", &|p| format!("{:.2}", p.load.server_cores));
    row("database, processor ms an item", &|p| {
        let items = p.delivered as f64 / p.seconds;
        if items < 1.0 { "–".into() } else { format!("{:.1}", p.load.server_cores * 1e3 / items) }
    });
    row("simulation, cores", &|p| format!("{:.2}", p.load.own_cores));
    row("transactions a second (rolled back)", &|p| {
        format!("{:.0} ({:.0})", p.load.commits, p.load.rollbacks)
    });
    row("rows read / written a second", &|p| format!("{:.0} / {:.0}", p.load.rows_read, p.load.rows_written));
    row("log, MB a second (syncs)", &|p| format!("{:.1} ({:.0})", p.load.wal_mb, p.load.wal_syncs));
    row("sessions waiting for a row lock", &|p| waiting(p, "for a row lock"));
    row("sessions waiting for the disk", &|p| waiting(p, "for the log to reach the disk"));
    row("new user's first claim: median / p95 / longest, ms", &|p| middle_late_and_longest(&p.waits.claimed));
    row("new user's file: median / p95 / longest, ms", &|p| middle_late_and_longest(&p.waits.delivered));
    row("users served, least / most claims of the queue's", &|p| spread(p));
    row("errors", &|p| p.errors.iter().map(|(_, count)| count).sum::<u64>().to_string());
    row("load average", &|p| p.load_average.split(' ').take(1).collect());
    text
}

fn latency(times: Times) -> String {
    if times.count == 0 {
        return "–".into();
    }
    let ms = |micros: u32| {
        if micros < 100_000 {
            format!("{:.1}", f64::from(micros) / 1e3)
        } else {
            format!("{}", micros / 1_000)
        }
    };
    format!("{} / {} / {} / {}", ms(times.p50), ms(times.p95), ms(times.p99), ms(times.max))
}

fn waiting(phase: &Measured, what: &str) -> String {
    let sessions = phase.load.sessions.iter().find(|(name, _)| name == what);
    format!("{:.1}", sessions.map_or(0.0, |(_, count)| *count))
}

fn middle_late_and_longest(sorted: &[f64]) -> String {
    let late = (sorted.len() * 95).div_ceil(100).saturating_sub(1);
    match (sorted.get(sorted.len() / 2), sorted.get(late), sorted.last()) {
        (Some(middle), Some(late), Some(last)) => format!("{middle:.0} / {late:.0} / {last:.0}"),
        _ => "–".into(),
    }
}

/// Of users who always have work waiting: those with more than a handful of claims.
fn spread(phase: &Measured) -> String {
    let counts: Vec<u64> = phase.shares.iter().map(|(_, count)| *count).filter(|count| *count > 6).collect();
    match (counts.last(), counts.first()) {
        (Some(min), Some(max)) => format!("{}: {min} / {max}", counts.len()),
        _ => "–".into(),
    }
}

fn details(phase: &Measured) -> String {
    let mut text = format!("\n<details><summary>{}</summary>\n\nSessions:\n\n", phase.name);
    for (name, count) in &phase.load.sessions {
        let _ = writeln!(text, "- {name}: {count:.2}");
    }
    if !phase.load.statements.is_empty() {
        text += "\n| share of time | calls | ms each | pages each | statement |\n|--:|--:|--:|--:|---|\n";
    }
    for (calls, ms, pages, share, statement) in &phase.load.statements {
        let _ = writeln!(
            text,
            "| {share:.0} % | {calls} | {ms:.3} | {pages} | `{}` |",
            statement.replace('|', "\\|")
        );
    }
    for (error, count) in &phase.errors {
        let _ = writeln!(text, "\n{count} times: {error}");
    }
    let _ =
        writeln!(text, "\nArrivals: {}, deadlocks: {}\n\n</details>", phase.waits.came, phase.load.deadlocks);
    text
}

/// Puts the text between the markers of a page.
pub fn write(path: &Path, text: &str) {
    let old = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (begin, end) = ("<!-- simulation -->", "<!-- /simulation -->");
    let (before, rest) = old.split_once(begin).expect("a marker where the figures begin");
    let (_, after) = rest.split_once(end).expect("a marker where the figures end");
    std::fs::write(path, format!("{before}{begin}\n{}\n{end}{after}", text.trim_end())).unwrap();
}
