//! What this machine can play: its limits, its clock and disk, and how exactly it times moves.

mod machine;
mod programs;
mod timing;

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use self::machine::Clocks;
use self::timing::{MOVE_MS, Timing};
use crate::config::{EngineProtocol, ProcessSpec};
use crate::document::Document;
use crate::document::language::said;
use crate::document::number::{or_dash, plural};
use crate::document::table::{Align, hanging, inner_table, titled};
use crate::document::text::Text;
use crate::interrupt::Interrupt;
use crate::platform::survey;
use crate::session::error::{ExperimentError, Result};

/// How long moves are timed, in all.
const TIMING: Duration = Duration::from_secs(6);
/// A worst move that is so late leaves too little of the usual margin.
const LATE_MS: f64 = 50.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Mark {
    Ok,
    /// Not there, and not needed.
    Absent,
    Warning,
    /// Nothing can be played.
    Error,
}

impl Mark {
    fn icon(self, is_utf8: bool) -> &'static str {
        match self {
            Mark::Ok if is_utf8 => "✓",
            Mark::Ok => "+",
            Mark::Absent if is_utf8 => "–",
            Mark::Absent => "-",
            Mark::Warning => "!",
            Mark::Error if is_utf8 => "✗",
            Mark::Error => "x",
        }
    }
}

struct Check {
    name: Text,
    mark: Mark,
    detail: Text,
    remedy: Option<Text>,
}

impl Check {
    fn new(name: Text, mark: Mark, detail: Text) -> Check {
        Check {
            name,
            mark,
            detail,
            remedy: None,
        }
    }

    fn remedy(self, remedy: Text) -> Check {
        Check {
            remedy: Some(remedy),
            ..self
        }
    }

    fn lines(&self, width: usize, is_utf8: bool) -> String {
        let name = self.name.said();
        let space = " ".repeat(width.saturating_sub(name.width()));
        let head = format!("  {} {name}{space}  ", self.mark.icon(is_utf8));
        let margin = " ".repeat(head.width());
        let remedy = self
            .remedy
            .iter()
            .map(|remedy| hanging(&margin, &said(remedy.said())));
        hanging(&head, self.detail.said()) + &remedy.collect::<String>()
    }

    fn value(&self) -> Value {
        json!({
            "check": self.name,
            "state": <&str>::from(self.mark),
            "detail": self.detail,
            "remedy": self.remedy,
        })
    }
}

fn list_of(parts: impl Iterator<Item = Text>) -> Option<Text> {
    parts.reduce(|list, part| list.then(&Text::new(", ")).then(&part))
}

/// What was found.
pub struct Examined {
    checks: Vec<Check>,
    timings: Vec<Timing>,
    cores: usize,
}

/// Examines this machine and the current folder; `program` speaks USI when it is started by `arguments`. `tell` hears how many measurements
/// of how many are done, and of how many games the next one is.
pub fn examine(program: &Path, arguments: &[&str], tell: &dyn Fn(usize, usize, usize)) -> Result<Examined> {
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let (clocks, machine) = (Clocks::now(), survey());
    let (limits, games) = machine::limits(&machine);
    let mut checks = vec![machine::cores(&machine)];
    checks.extend(machine::load());
    checks.push(limits);
    let folder = std::env::current_dir().map_err(ExperimentError::system("find the current folder"))?;
    let disk = machine::disk(&folder);
    let mut engine = ProcessSpec::new(EngineProtocol::Usi, "tanren").map_err(ExperimentError::Input)?;
    program.clone_into(&mut engine.command);
    engine.arguments = arguments.iter().map(|&word| word.to_owned()).collect();
    engine.options = vec![("Overhead_ms".to_owned(), "0".to_owned())];
    let steps = timing::steps(games);
    let (mut timings, mut failure) = (Vec::new(), None);
    for (done, &games) in steps.iter().enumerate() {
        tell(done, steps.len(), games);
        match timing::measure(&engine, games, TIMING / steps.len() as u32, &interrupt) {
            Ok(timing) => timings.push(timing),
            Err(message) => failure = Some(message),
        }
        if interrupt.signal().is_some() {
            return Err(ExperimentError::stopped(&interrupt));
        }
        if failure.is_some() {
            break;
        }
    }
    checks.extend([machine::clock(&clocks), disk]);
    if games > 0 {
        checks.push(timed(&timings, failure));
    }
    checks.extend(programs::checks());
    Ok(Examined {
        checks,
        timings,
        cores: machine.cores,
    })
}

fn timed(timings: &[Timing], failure: Option<String>) -> Check {
    let name = Text::new("timing");
    if let (Some(message), []) = (&failure, timings) {
        let remedy = Text::new("External engines are started in the same way: lift what forbids it.");
        let detail = Text::filled("no engine can be started: {message}", &[("message", message)]);
        return Check::new(name, Mark::Error, detail).remedy(remedy);
    }
    let Some(best) = timing::best(timings) else {
        let remedy = Text::new("Play by --nodes: those games are the same on any machine.");
        return Check::new(
            name,
            Mark::Warning,
            Text::new("moves end too late for any time control"),
        )
        .remedy(remedy);
    };
    let (median, worst) = (best.late_ms(50), best.late_ms(100));
    let detail = Text::filled(
        "{games} at a time: moves {median} ms late (median), {worst} ms at worst",
        &[
            ("games", &plural(best.games as u64, "game")),
            ("count", &best.games),
            ("median", &format!("{median:.2}")),
            ("worst", &format!("{worst:.1}")),
        ],
    );
    if let Some(message) = failure {
        return Check::new(name, Mark::Warning, detail).remedy(Text::plain(message));
    }
    if worst <= LATE_MS {
        return Check::new(name, Mark::Ok, detail);
    }
    let margin_ms = (worst / 50.0).ceil() as u64 * 100;
    let remedy = Text::filled(
        "Let engines overstep their clock by more: --time-margin {margin}",
        &[("margin", &margin_ms)],
    );
    Check::new(name, Mark::Warning, detail).remedy(remedy)
}

impl Examined {
    /// Can nothing be played?
    pub fn is_unfit(&self) -> bool {
        self.checks.iter().any(|check| check.mark == Mark::Error)
    }

    fn answer(&self) -> Text {
        if self.is_unfit() {
            return Text::new("Nothing can be played here.");
        }
        let Some(best) = timing::best(&self.timings) else {
            return Text::new("This machine can play by --nodes, but not by a clock.");
        };
        let values: [(&str, &dyn std::fmt::Display); 3] = [
            ("games", &plural(best.games as u64, "game")),
            ("count", &best.games),
            ("tc", &best.time_control().unwrap_or_default()),
        ];
        if best.games < self.cores {
            return Text::filled(
                "This machine is ready: --concurrency {count}, time controls from {tc}.",
                &values,
            );
        }
        Text::filled(
            "This machine is ready: {games} at a time, time controls from {tc}.",
            &values,
        )
    }

    pub fn document(&self) -> Document<'static> {
        let is_utf8 = programs::shows_utf8();
        let widest = self.checks.iter().map(|check| check.name.said().width()).max();
        let lines = self
            .checks
            .iter()
            .map(|check| check.lines(widest.unwrap_or(0), is_utf8));
        let mut text = format!("{}\n\n", self.answer().said());
        text += &lines.collect::<String>();
        if !self.timings.is_empty() {
            text += &format!("\n{}", self.table());
        }
        let best = timing::best(&self.timings).filter(|_| !self.is_unfit());
        Document::of_text(
            text,
            json!({
                "state": match best {
                    Some(_) => "ready",
                    None if self.is_unfit() => "unfit",
                    None => "nodes_only",
                },
                "answer": self.answer(),
                "concurrency": best.map(|best| best.games),
                "tc": best.and_then(Timing::time_control),
                "checks": self.checks.iter().map(Check::value).collect::<Value>(),
                "timing": self.timings.iter().map(value).collect::<Value>(),
            }),
        )
    }

    fn table(&self) -> String {
        let alone = self
            .timings
            .first()
            .map_or(f64::NAN, |first| first.nodes_per_second);
        let names = [
            "games",
            "moves",
            "late (median)",
            "1 in 100",
            "worst",
            "speed",
            "time control",
        ];
        let ms = |ms: f64| format!("{} ms", or_dash(Some(ms), 2));
        let rows = self.timings.iter().map(|timing| {
            [
                timing.games.to_string(),
                timing.late_us.len().to_string(),
                ms(timing.late_ms(50)),
                ms(timing.late_ms(99)),
                ms(timing.late_ms(100)),
                format!("{:.0} %", 100.0 * timing.nodes_per_second / alone),
                timing.time_control().unwrap_or("-").to_owned(),
            ]
        });
        inner_table(&titled(&names, rows), Align::Right)
    }
}

fn value(timing: &Timing) -> Value {
    json!({
        "games": timing.games,
        "moves": timing.late_us.len(),
        "move_ms": MOVE_MS,
        "late_median_ms": timing.late_ms(50),
        "late_99_ms": timing.late_ms(99),
        "late_worst_ms": timing.late_ms(100),
        "nodes_per_second": timing.nodes_per_second.round(),
        "tc": timing.time_control(),
    })
}
