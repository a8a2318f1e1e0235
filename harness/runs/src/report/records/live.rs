//! A PGN of all counted games, longer with each pair.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::view::RecordHeader;
use super::{pgn, view};
use crate::document::file::{FileError, check_writable, place_of, write_atomically};
use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::platform::read_regular;
use crate::session::error::ExperimentError;
use crate::session::observer::RunEvent;
use crate::session::stored::Run;

/// What becomes of a file that is there already and is not of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldPgn {
    Refused,
    Replaced,
    /// It grows.
    Kept,
}

pub struct LivePgn {
    path: PathBuf,
    old: OldPgn,
    games: Option<(PgnGames, BufWriter<File>)>,
    /// What went wrong on the way; it is told when the files of the folder are written.
    error: Option<FileError>,
    is_told: bool,
}

struct PgnGames {
    run: Run,
    header: RecordHeader,
    written: u64,
    /// The number from which on the next pair is looked for.
    next: u64,
}

impl LivePgn {
    /// A file at `path` of the run that goes to `folder`, or to a default one.
    pub fn prepare(path: &Path, folder: Option<&Path>, old: OldPgn) -> Result<LivePgn, ExperimentError> {
        let path = &check_place(path, folder)?;
        Ok(LivePgn {
            path: path.to_owned(),
            old,
            games: None,
            error: None,
            is_told: false,
        })
    }

    /// Refuses to replace what another run or program wrote.
    fn check_owner(&self, folder: &Path) -> Result<(), FileError> {
        let path = &self.path;
        if self.old == OldPgn::Kept {
            return Ok(());
        }
        let old = self.read_old()?;
        if old.is_empty() || self.old == OldPgn::Replaced || is_of_run(folder, &old, path)? {
            return Ok(());
        }
        Err(FileError::NotOurs(format!(
            "'{}' exists and is not of this run: give another --pgn, or --force to replace it",
            path.display()
        )))
    }

    fn read_old(&self) -> Result<Vec<u8>, FileError> {
        match read_regular(&self.path, u64::MAX - 1) {
            Ok(old) => Ok(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(unwritable(&self.path, error)),
        }
    }

    /// What went wrong since this was asked last, while games go on.
    pub fn trouble(&mut self) -> Option<String> {
        let is_new = !std::mem::replace(&mut self.is_told, self.error.is_some());
        let error = self.error.as_ref().filter(|_| is_new)?;
        Some(format!(
            "{error}; the games go on, and tanren report FOLDER --records pgn writes them"
        ))
    }

    pub fn on_event(&mut self, news: &RunEvent<'_>) -> Result<(), FileError> {
        match news {
            RunEvent::Folder(folder) => return self.check_owner(folder),
            RunEvent::Found { .. } => return self.error.take().map_or(Ok(()), Err),
            _ => {}
        }
        if self.error.is_none() {
            self.error = self.follow(news).err();
        }
        Ok(())
    }

    fn follow(&mut self, news: &RunEvent<'_>) -> Result<(), FileError> {
        let counted = match news {
            RunEvent::Started { folder, pairs, .. } => return self.begin(folder, *pairs),
            RunEvent::Play {
                event: Event::Counted { count, .. } | Event::Ended { count },
                ..
            } => count.tally().pairs(),
            RunEvent::Done { done, .. } => *done,
            _ => return Ok(()),
        };
        let Some((games, output)) = &mut self.games else {
            return Ok(());
        };
        let written = games.write(output, counted).and_then(|()| output.flush());
        written.map_err(|error| unwritable(&self.path, error))
    }

    fn begin(&mut self, folder: &Path, counted: u64) -> Result<(), FileError> {
        let games = Run::open(folder).and_then(PgnGames::of);
        let mut games = games.map_err(|error| unwritable(&self.path, error))?;
        if self.old != OldPgn::Kept || counted > 0 {
            let mut old = match self.old {
                OldPgn::Kept => self.read_old()?,
                _ => Vec::new(),
            };
            // What the run wrote there before is written anew; others may have written after it.
            let mut own = Vec::new();
            games
                .write(&mut own, counted.min(1))
                .map_err(|error| unwritable(&self.path, error))?;
            if let Some(begin) = last_of(&old, &own) {
                let run = Run::open(folder).map_err(|error| unwritable(&self.path, error))?;
                let length = length_of_own(run, &old[begin..]);
                old.drain(begin..begin + length);
            }
            write_atomically(&self.path, |output| {
                output.write_all(&old)?;
                output.write_all(&own)?;
                games.write(output, counted)
            })?;
        }
        let appended = OpenOptions::new().append(true).create(true).open(&self.path);
        let appended = appended.map_err(|error| unwritable(&self.path, error))?;
        self.games = Some((games, BufWriter::new(appended)));
        Ok(())
    }
}

/// Where the last `part` in `all` begins.
fn last_of(all: &[u8], part: &[u8]) -> Option<usize> {
    let line = part
        .split(|&byte| byte == b'\n')
        .next()
        .filter(|line| !line.is_empty())?;
    let ends = all.windows(line.len()).enumerate().rev();
    let mut begins = ends.filter(|(_, window)| *window == line).map(|(begin, _)| begin);
    begins.find(|&begin| all[begin..].starts_with(part))
}

/// Where the file goes. Refuses what could not be written, and what a run calls its own files.
fn check_place(path: &Path, folder: Option<&Path>) -> Result<PathBuf, ExperimentError> {
    let refuse = |why: &str| {
        let path = path.display();
        Err(ExperimentError::Input(format!("--pgn '{path}': {why}")))
    };
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let absolute = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    let is_in_run = folder.is_some_and(|folder| absolute(parent) == absolute(folder));
    if path.is_dir() {
        return refuse("this is a folder: name a file in it");
    }
    if is_in_run && path.extension().is_none_or(|extension| extension != "pgn") {
        return refuse(
            "in the folder of the run its name must end with .pgn, as no file does that the run needs",
        );
    }
    if !is_in_run && !parent.is_dir() {
        return refuse("there is no such folder: make it first");
    }
    let place = match place_of(path) {
        Ok(place) => place,
        Err(error) => return refuse(&format!("{error}: name a file")),
    };
    // The folder of a run may not be there yet.
    if parent.is_dir()
        && let Err(error) = check_writable(&place)
    {
        return refuse(&format!("no file can be written there: {error}"));
    }
    Ok(place)
}

impl PgnGames {
    fn of(run: Run) -> Result<PgnGames, ExperimentError> {
        Ok(PgnGames {
            header: RecordHeader::of(&run)?,
            run,
            written: 0,
            next: 0,
        })
    }

    fn write(&mut self, output: &mut dyn Write, counted: u64) -> io::Result<()> {
        while self.written < counted {
            let pair = self.run.ledger.pair_from(self.next).map_err(io::Error::other)?;
            let Some(pair) = pair else { break };
            let labels = self.run.manifest.labels_of(pair.players);
            for (index, _) in pair.played() {
                pgn::write(output, &view(&pair, index, &labels, &self.header))?;
            }
            self.next = pair.pair + 1;
            self.written += 1;
        }
        Ok(())
    }
}

/// Is `old`, which stands at `path`, of the run in `folder`?
fn is_of_run(folder: &Path, old: &[u8], path: &Path) -> Result<bool, FileError> {
    if Run::open(folder).is_ok_and(|run| has_written(run, old)) {
        return Ok(true);
    }
    let is_damaged = match Ledger::open_to_examine(folder, &Interrupt::default()) {
        Ok((ledger, damage)) => match ledger.examine() {
            Ok(found) => damage.is_some() || !found.is_whole(),
            Err(error) => error.is_damage(),
        },
        Err(error) => error.is_damage(),
    };
    if is_damaged {
        return Err(FileError::NotOurs(format!(
            "'{}' exists, and the run is too damaged to say whether it is its own; give the command once without --pgn, \
             which mends it, or with --force to replace the file",
            path.display()
        )));
    }
    Ok(false)
}

/// Did this run write what a file holds, up to any place in it?
fn has_written(run: Run, old: &[u8]) -> bool {
    length_of_own(run, old) == old.len()
}

/// How many bytes at the start of `text` this run wrote: whole pairs, and a part of one if the text ends there.
fn length_of_own(run: Run, text: &[u8]) -> usize {
    let Ok(mut games) = PgnGames::of(run) else {
        return 0;
    };
    let mut length = 0;
    while length < text.len() {
        let mut pair = Vec::new();
        let next = games.written + 1;
        let is_read = games.write(&mut pair, next).is_ok() && games.written == next;
        let rest = &text[length..];
        let common = pair.len().min(rest.len());
        if !is_read || pair[..common] != rest[..common] {
            break;
        }
        length += common;
    }
    length
}

fn unwritable(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> FileError {
    FileError::unwritable(path)(io::Error::other(error))
}
