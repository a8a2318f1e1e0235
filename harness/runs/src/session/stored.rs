use std::path::{Path, PathBuf};

use tanren_engine::search::Searchable;

use crate::config::{Conditions, Seat, Source, resolve_files};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError, Manifest};
use crate::player::Player;
use crate::record::PlayerId;
use crate::session::error::Result;
use crate::session::external_engines::ExternalEngines;
use crate::session::seating;

pub struct Run {
    pub folder: PathBuf,
    pub ledger: Ledger,
    pub manifest: Manifest,
}

impl Run {
    pub fn open(folder: &Path) -> Result<Run> {
        let ledger = Ledger::open_existing(folder)?;
        Ok(Run {
            folder: folder.to_owned(),
            manifest: ledger.manifest()?,
            ledger,
        })
    }

    /// Its file. Files that it names are looked for from its folder first.
    pub(crate) fn source(&self) -> Result<Source> {
        let origin = format!("the specification in '{}'", self.folder.display());
        let mut source = Source::parse(&self.manifest.spec_toml, &origin)?;
        resolve_files(&mut source.table, &self.folder);
        Ok(source)
    }

    /// Its file as it would stand in `folder`.
    pub(crate) fn text(&self, folder: &Path) -> Result<String> {
        let experiment = self.experiment()?;
        let text = experiment.and_then(|experiment| experiment.text(folder));
        Ok(text.unwrap_or_else(|| self.manifest.spec_toml.clone()))
    }

    pub(crate) fn pairs(&self) -> Result<u64> {
        let pairs = self.manifest.identity.pairs();
        Ok(pairs.ok_or_else(|| LedgerError::Damaged {
            path: self.folder.clone(),
            message: "it does not say its number of pairs".to_owned(),
        })?)
    }
}

pub struct StoredSeats {
    pub conditions: Conditions,
    pub seats: Vec<Seat>,
}

impl StoredSeats {
    pub fn is_timed(&self) -> bool {
        self.seats.iter().any(|seat| seat.limit.is_timed())
    }

    pub fn is_repeatable(&self, number: u16) -> bool {
        self.seat(number)
            .is_some_and(|seat| !seat.limit.is_timed() && seat.player.config().is_some())
    }

    pub fn describe(&self, number: u16) -> String {
        self.seat(number).map_or_else(String::new, |seat| {
            format!("{} by {}", seat.player.label, seat.limit)
        })
    }

    pub fn player<P: Searchable>(&self, number: u16, interrupt: &Interrupt) -> Option<Box<dyn Player<P>>> {
        let (seat, programs) = (self.seat(number)?, ExternalEngines::default());
        let id = PlayerId::A;
        Some(seating::player(&self.conditions, seat, id, &programs, interrupt))
    }

    pub(crate) fn seat(&self, number: u16) -> Option<&Seat> {
        self.seats.get(usize::from(number))
    }
}
