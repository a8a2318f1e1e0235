//! The observer of a user at a terminal: progress and notes on stderr, the files of the folder, the results of a night's
//! jobs on stdout.

use std::io;
use std::sync::Arc;

use console::Term;

use super::fastchess::FastchessLines;
use super::found::{self, describe_with_files};
use super::output::{note, print_data, set_label, set_own_label};
use super::page::write_last_page;
use super::progress::{MatchProgress, SearchProgress};
use super::records::LivePgn;
use crate::document::file::FileError;
use crate::document::text::command_line;
use crate::event::{Event, Warning};
use crate::play::GameListener;
use crate::session::observer::{RunEvent, RunObserver, Standings};
use crate::session::outcome::{Outcome, Unit};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    #[default]
    Full,
    /// Only warnings and errors; files are written.
    Quiet,
    /// A night whose result is to be JSON: its jobs are named, and nothing else is shown of them.
    JobsAlone,
    /// Nothing is shown; files are written.
    FilesAlone,
    Nothing,
}

#[derive(Default)]
pub struct Console {
    manner: Manner,
    job: Option<String>,
    games: Option<MatchProgress>,
    /// How it began, for the last line of its progress.
    begun: Option<String>,
    /// What the match that is played is a part of.
    part: Option<String>,
    units: Option<SearchProgress>,
    /// Is the speed of a match told after its result?
    tells_pace: bool,
    pace: Option<String>,
    pub pgn: Option<LivePgn>,
    /// With the lines of fastchess on stdout.
    pub fastchess: Option<Arc<FastchessLines>>,
    /// Told once the engines have started.
    pub command: Option<String>,
    /// Warnings before that.
    early: Vec<String>,
}

impl Console {
    pub fn new(manner: Manner) -> Console {
        Console {
            manner,
            ..Console::default()
        }
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

    /// How fast the match was that ended last.
    pub fn pace(&mut self) -> Option<String> {
        self.pace.take()
    }

    fn play(&mut self, event: &Event<'_>, labels: &[String; 2], pairs_max: u64, workers: usize) {
        match event {
            Event::Started { count } => {
                let begin =
                    || MatchProgress::new(self.part.clone(), labels, self.begun.clone(), pairs_max, count);
                self.games = self.shows().then(begin);
            }
            Event::Counted { count, .. } => {
                if let Some(games) = &self.games {
                    games.show(count);
                }
            }
            Event::Ended { count } => {
                let pace = self.games.take().and_then(|games| games.end(count, workers));
                self.pace = pace.filter(|_| std::mem::take(&mut self.tells_pace));
            }
        }
    }

    fn begin(&mut self, line: String) {
        self.tells_pace = true;
        if self.job.is_none() && Term::stderr().is_term() {
            self.begun = Some(line);
        } else {
            self.say(&line);
        }
    }

    fn done(&mut self, [done, of]: [u64; 2], unit: Unit, about: &dyn Fn(f64) -> Standings) {
        if self.shows() {
            let begin = || SearchProgress::of(unit_name(unit), of as usize).with_footer(self.begun.clone());
            self.units
                .get_or_insert_with(begin)
                .show_with(done as usize, about);
        }
    }

    fn job_begins(&self, name: &str, [number, of]: [usize; 2], arguments: &[String]) {
        if self.job.is_none() {
            set_label(None);
        }
        if matches!(self.manner, Manner::Full | Manner::JobsAlone) {
            let words = command_line(arguments);
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
    fn job_outcome(&mut self, outcome: &Outcome) -> Result<(), FileError> {
        if self.writes() {
            let written = write_last_page(outcome).map_err(io::Error::other);
            written.map_err(FileError::unwritable(&outcome.folder.join("report.html")))?;
        }
        if self.shows() {
            let text = describe_with_files(outcome, false);
            let name = self.job.as_ref().map(|job| format!("{job}:\n"));
            // Nobody reads on: no reason to end a night.
            let _ = print_data(&format!("{}{text}", name.unwrap_or_default()));
            if let Some(pace) = self.pace() {
                note(&pace);
            }
        }
        Ok(())
    }
}

impl RunObserver for Console {
    fn on_event(&mut self, event: RunEvent<'_>) -> Result<(), FileError> {
        let of_pgn = self.pgn.as_mut().map_or(Ok(()), |pgn| pgn.on_event(&event));
        if let Some(trouble) = self.pgn.as_mut().and_then(LivePgn::trouble) {
            note(&format!("warning: {trouble}"));
        }
        if !matches!(
            event,
            RunEvent::Warning(_) | RunEvent::Folder(_) | RunEvent::Engine { .. }
        ) && let Some(command) = self.command.take()
        {
            std::mem::take(&mut self.early)
                .iter()
                .for_each(|warning| note(warning));
            note(&command);
        }
        if let Some(lines) = &self.fastchess {
            lines.on_event(&event);
        }
        self.show(event)?;
        of_pgn
    }

    fn game_listener(&self) -> Option<Arc<dyn GameListener>> {
        let lines = self.fastchess.clone()?;
        Some(lines)
    }

    fn for_job(&self, job: &str) -> Box<dyn RunObserver + Send> {
        Box::new(Console {
            job: Some(job.to_owned()),
            ..Console::new(self.manner)
        })
    }
}

impl Console {
    fn show(&mut self, event: RunEvent<'_>) -> Result<(), FileError> {
        match event {
            // Who gives --repeat knows; in scripts of fastchess it goes without saying.
            RunEvent::Warning(Warning::ReusedOpenings { .. }) if self.fastchess.is_none() => {}
            RunEvent::Warning(_) if self.fastchess.as_ref().is_some_and(|lines| lines.is_silent()) => {}
            RunEvent::Warning(warning) if self.command.is_some() => {
                self.early.push(format!("warning: {warning}"));
            }
            RunEvent::Warning(warning) => note(&format!("warning: {warning}")),
            RunEvent::Folder(_) | RunEvent::Engine { .. } | RunEvent::Standings { .. } => {}
            RunEvent::Started { line, .. } => self.begin(line),
            RunEvent::Write(write) => {
                if self.writes() {
                    write()?;
                }
            }
            RunEvent::Line(line) => self.say(&line),
            RunEvent::Part(name) => self.part = Some(name),
            RunEvent::Play {
                event,
                labels,
                pairs_max,
                workers,
            } => self.play(event, labels, pairs_max, workers),
            RunEvent::Done {
                done,
                of,
                unit,
                about,
            } => self.done([done, of], unit, about),
            RunEvent::Audited { count, unit } => audited(count, unit),
            RunEvent::Over => {
                self.tells_pace = false;
                if let Some(units) = self.units.take() {
                    units.end();
                }
            }
            RunEvent::Found {
                folder,
                ledger,
                found,
            } if self.writes() => found::write_files(folder, ledger, found)?,
            RunEvent::Found { .. } => {}
            RunEvent::JobStarted {
                name,
                number,
                arguments,
            } => self.job_begins(name, number, arguments),
            RunEvent::JobOutcome(outcome) => self.job_outcome(outcome)?,
            RunEvent::JobEnded { error } => {
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

fn audited(count: u64, unit: Unit) {
    let done = match unit {
        Unit::Searches => "searches were made",
        _ => "pairs were played",
    };
    note(&format!(
        "{count} {done} a second time by another machine and came out the same"
    ));
}

pub fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Pairs => "pair",
        Unit::Batches => "batch",
        Unit::Rows => "row",
        Unit::Iterations => "iteration",
        Unit::Searches => "search",
        Unit::Jobs => "job",
    }
}
