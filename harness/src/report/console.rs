//! The audience of a user at a terminal: progress and notes on stderr, the files of the folder, the results of a night's
//! jobs on stdout.

use std::io;
use std::path::Path;

use super::ablation;
use super::found::{self, describe_with_files};
use super::number::{percent, plural};
use super::odds;
use super::output::{note, print_data, set_label, set_own_label};
use super::page::write_last_page;
use super::progress::{Progress, SearchProgress};
use super::records::LivePgn;
use super::tuning::StepsFile;
use crate::config::{MoveLimit, sprt_text};
use crate::event::Event;
use crate::experiment::{
    Audience, Begins, FileError, News, Outcome, POWER_GAINS, Power, TuningSpec, Unit, write_text,
};
use crate::tune::Step;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Full,
    /// Only warnings and errors; files are written.
    Quiet,
    /// A night whose result is to be JSON: its jobs are named, and nothing else is shown of them.
    JobsAlone,
    /// Nothing is shown; files are written.
    FilesAlone,
    Nothing,
}

pub struct Console {
    manner: Manner,
    job: Option<String>,
    games: Option<Progress>,
    /// What the match that is played is a part of.
    part: Option<String>,
    units: Option<SearchProgress>,
    /// Is the end of a match told with its speed?
    tells_pace: bool,
    steps: Option<StepsFile>,
    pgn: Option<LivePgn>,
}

impl Console {
    pub fn new(manner: Manner) -> Console {
        Console {
            manner,
            job: None,
            games: None,
            part: None,
            units: None,
            tells_pace: false,
            steps: None,
            pgn: None,
        }
    }

    /// The same, which writes a PGN on the way.
    #[must_use]
    pub fn with_pgn(self, pgn: Option<LivePgn>) -> Console {
        Console { pgn, ..self }
    }

    fn shows(&self) -> bool {
        self.manner == Manner::Full
    }

    fn writes(&self) -> bool {
        self.manner != Manner::Nothing
    }

    fn say(&self, text: &str) {
        if self.shows() {
            note(text);
        }
    }

    fn play(&mut self, event: &Event<'_>, pairs_max: u64, workers: usize) {
        match event {
            Event::Started { standing } if self.shows() => {
                self.games = Some(Progress::new(self.part.clone(), pairs_max, standing));
            }
            Event::Started { .. } => {}
            Event::Counted { standing } => {
                if let Some(games) = &self.games {
                    games.show(standing);
                }
            }
            Event::Ended { standing } => {
                let pace = self.games.take().and_then(|games| games.end(standing, workers));
                if let Some(text) = pace.filter(|_| std::mem::take(&mut self.tells_pace)) {
                    note(&text);
                }
            }
        }
    }

    fn units(&mut self, unit: Unit, of: u64, show: impl FnOnce(&SearchProgress)) {
        if self.shows() {
            show(
                self.units
                    .get_or_insert_with(|| SearchProgress::of(unit_name(unit), of as usize)),
            );
        }
    }

    fn step(&mut self, spec: &TuningSpec, step: &Step) -> Result<(), FileError> {
        let written = self.steps.as_mut().map_or(Ok(()), |steps| steps.step(step));
        self.units(Unit::Iterations, spec.plan.iterations, |units| {
            let about = |rate: f64| moved_most(spec, step, rate);
            units.show_with(step.trial.iteration as usize + 1, &about);
        });
        written
    }

    fn searched(&mut self, [players, positions]: [usize; 2], depth: u32, done: usize, folder: &Path) {
        let total = players * positions;
        if self.units.is_none() {
            self.say(&format!(
                "{players} configurations, {positions} positions, depth {depth}; {done} of {total} searches are done; {}",
                place(folder)
            ));
        }
        self.units(Unit::Searches, total as u64, |units| units.show(done));
    }

    fn begins(&mut self, begins: &Begins<'_>) -> Result<(), FileError> {
        match begins {
            Begins::Match { .. } => self.tells_pace = true,
            Begins::Tuning { spec, folder } if self.writes() => {
                write_text(&folder.join("run.toml"), &spec.text(folder))?;
                self.steps = Some(StepsFile::begin(folder, &spec.space)?);
            }
            Begins::Odds { batches, .. } => self.part = Some(format!("batch 1 of {batches}")),
            Begins::Row { assignment, .. } | Begins::MorePairs { assignment, .. } => {
                self.part = Some((*assignment).to_owned());
            }
            Begins::Ablation { skipped, .. } => {
                for reason in *skipped {
                    self.say(&format!("left out: {reason}"));
                }
            }
            _ => {}
        }
        self.say(&beginning(begins));
        Ok(())
    }

    fn job_begins(&self, name: &str, [number, of]: [usize; 2], arguments: &[String]) {
        if self.job.is_none() {
            set_label(None);
        }
        if matches!(self.manner, Manner::Full | Manner::JobsAlone) {
            let words = arguments.join(" ");
            note(&format!("job {name} ({number} of {of}): tanren {words}"));
        }
        self.name_job(Some(name));
    }

    /// Puts the name of a job before what is said of it; one beside others keeps it.
    fn name_job(&self, name: Option<&str>) {
        match &self.job {
            Some(own) => set_own_label(own),
            None => set_label(name),
        }
    }

    /// What a job came to, under its name if others run beside it.
    fn job_outcome(&self, outcome: &Outcome) -> Result<(), FileError> {
        if self.writes() {
            write_last_page(outcome).map_err(|error| FileError::Write {
                path: outcome.folder.join("report.html"),
                source: io::Error::other(error),
            })?;
        }
        if self.shows() {
            let text = describe_with_files(outcome);
            let name = self.job.as_ref().map(|job| format!("{job}:\n"));
            // Nobody reads on: no reason to end a night.
            let _ = print_data(&format!("{}{text}", name.unwrap_or_default()));
        }
        Ok(())
    }
}

impl Audience for Console {
    fn hear(&mut self, news: News<'_>) -> Result<(), FileError> {
        let of_pgn = self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.hear(&news));
        if let Some(trouble) = self.pgn.as_mut().and_then(LivePgn::trouble) {
            note(&format!("warning: {trouble}"));
        }
        self.show(news)?;
        of_pgn
    }

    fn beside(&self, job: &str) -> Box<dyn Audience + Send> {
        Box::new(Console {
            job: Some(job.to_owned()),
            ..Console::new(self.manner)
        })
    }
}

impl Console {
    fn show(&mut self, news: News<'_>) -> Result<(), FileError> {
        match news {
            News::Warning(warning) => note(&format!("warning: {warning}")),
            News::Begins(begins) => self.begins(&begins)?,
            News::Play {
                event,
                pairs_max,
                workers,
            } => self.play(event, pairs_max, workers),
            News::Done { done, of, unit } => self.units(unit, of, |units| units.show(done as usize)),
            News::Searched {
                players,
                positions,
                depth,
                done,
                folder,
            } => self.searched([players, positions], depth, done, folder),
            News::Step { spec, step } => self.step(spec, step)?,
            News::Audited { count, unit } => note_audits(count, unit),
            News::Over => {
                self.steps = None;
                if let Some(units) = self.units.take() {
                    units.end();
                }
            }
            News::Found {
                folder,
                ledger,
                found,
            } if self.writes() => found::write_files(folder, ledger, found)?,
            News::Found { .. } => {}
            News::Row {
                number: [number, of],
                row,
                left_s,
            } => {
                let left = left_s.map(|left_s| format!("; about {:.0} min left", left_s / 60.0));
                let line = ablation::line(row);
                self.say(&format!("[{number}/{of}] {line}{}", left.unwrap_or_default()));
            }
            News::Spent {
                row,
                pairs: [spent, budget],
            } => self.say(&format!("[{spent}/{budget} pairs] {}", ablation::line(row))),
            News::Batch {
                number: [number, of],
                found,
            } => {
                self.say(&format!("[{number}/{of}] {}", odds::line(found)));
                self.part = Some(format!("batch {} of {of}", number + 1));
            }
            News::JobBegins {
                name,
                number,
                arguments,
            } => self.job_begins(name, number, arguments),
            News::JobOutcome(outcome) => self.job_outcome(outcome)?,
            News::JobEnds { error } => {
                self.part = None;
                if let Some(message) = error {
                    note(&format!("error: {message}"));
                }
                self.name_job(None);
            }
        }
        Ok(())
    }
}

/// What a run is counted in, in words.
pub fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Pairs => "pairs",
        Unit::Batches => "batches",
        Unit::Rows => "rows",
        Unit::Iterations => "iterations",
        Unit::Searches => "searches",
        Unit::Jobs => "jobs",
    }
}

fn beginning(begins: &Begins<'_>) -> String {
    match begins {
        Begins::Match {
            labels: [a, b],
            standing,
            pairs_max,
            folder,
        } => {
            let done = standing.tally().pairs();
            let state = if standing.is_decided() {
                "already finished".to_owned()
            } else if done > *pairs_max {
                format!("{done} pairs are played, more than the {pairs_max} that are asked for")
            } else if done > 0 {
                format!("going on after {done} of {pairs_max} pairs")
            } else {
                format!("{pairs_max} pairs at most")
            };
            format!("{a} against {b}: {state}; {}", place(folder))
        }
        Begins::Tournament {
            players,
            pairings,
            rounds,
            done,
            folder,
        } => {
            let all = rounds * *pairings as u64;
            format!(
                "{players} players, {pairings} pairings, {rounds} rounds; {done} of {all} pairs are done; {}",
                place(folder)
            )
        }
        Begins::Tuning { spec, folder } => format!(
            "tuning {} parameters of {} by {}: {} iterations of {} pairs; {}",
            spec.space.parameters().len(),
            spec.label(),
            spec.plan.method.name(),
            spec.plan.iterations,
            spec.plan.pairs_per_iteration,
            place(folder)
        ),
        Begins::Power(power) => power_text(power),
        Begins::Widths => "measuring how much every parameter changes play".to_owned(),
        Begins::Confirming { pairs } => {
            format!("confirming: tuned against start, {pairs} pairs at most on other openings")
        }
        begins => beginning_of_study(begins),
    }
}

/// The line that a study or a part of one begins with.
fn beginning_of_study(begins: &Begins<'_>) -> String {
    match begins {
        Begins::Odds {
            labels: [a, b],
            batches,
            pairs,
            limit,
            folder,
        } => format!(
            "{a} against {b}: {} of {}, B with {}; {}",
            plural(*batches, "batch"),
            plural(*pairs, "pair"),
            limit.words(),
            place(folder)
        ),
        Begins::Ablation {
            label,
            rows,
            pairs,
            limit,
            folder,
            ..
        } => {
            let limit = match limit {
                MoveLimit::Nodes(nodes) => format!("at {nodes} nodes a move"),
                limit => format!("by {limit}"),
            };
            format!(
                "{label} against {rows} changes of it, {pairs} pairs each {limit}; {}",
                place(folder)
            )
        }
        Begins::Row {
            number: [number, of],
            assignment,
        } => format!("[{number}/{of}] {assignment}"),
        Begins::MorePairs { assignment, pairs } => format!("{assignment}, up to {pairs} pairs"),
        _ => String::new(),
    }
}

fn place(folder: &Path) -> String {
    format!("results in {}", folder.display())
}

/// Games a second and the parameters that have moved most.
fn moved_most(spec: &TuningSpec, step: &Step, rate: f64) -> Vec<String> {
    let parameters = spec.space.parameters().iter().zip(&step.estimate);
    let moved =
        parameters.map(|(parameter, now)| ((now - parameter.start) / parameter.c_end, &parameter.name));
    let mut moved: Vec<(f64, &String)> = moved.collect();
    moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let most: Vec<String> = moved
        .iter()
        .take(2)
        .map(|(by, name)| format!("{name} {by:+.1}c"))
        .collect();
    let games = 2.0 * rate * spec.plan.pairs_per_iteration as f64;
    most.into_iter().chain([format!("{games:.1} games/s")]).collect()
}

fn note_audits(count: u64, unit: Unit) {
    let done = match unit {
        Unit::Searches => "searches were made",
        _ => "pairs were played",
    };
    note(&format!(
        "{count} {done} a second time by another machine and came out the same"
    ));
}

/// What the confirming match of a tuning can show, before it begins; a warning with what would do if it is little.
fn power_text(power: &Power) -> String {
    let gains = POWER_GAINS.iter().zip(power.of_gains);
    let gains: Vec<String> = gains
        .map(|(gain, probability)| format!("{} for +{gain} Elo", percent(Some(probability))))
        .collect();
    let line = format!(
        "the confirming match of at most {} pairs will show a gain with a probability of {} (at {:.0} % draws)",
        power.pairs,
        gains.join(", "),
        100.0 * power.draws
    );
    if power.is_enough() {
        return line;
    }
    let Some((test, pairs)) = &power.enough else {
        return line + "\nwarning: +10 Elo would probably stay unconfirmed";
    };
    let test = sprt_text(test);
    let openings = 4 * pairs;
    format!(
        "{line}\nwarning: +10 Elo would stay unconfirmed too often; 80 % need --confirm-sprt {test} --confirm-pairs {pairs} \
         (every fourth opening is kept for them: {openings} openings)"
    )
}
