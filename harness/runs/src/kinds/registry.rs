//! All kinds of run that are played, and from the file of a run to what is played.

use std::path::Path;

use crate::config::{ConfigError, Source, did_you_mean, nearest, resolve_files};
use crate::kinds::{ablate, match_, nodes, odds, openings_check, tournament, tune};
use crate::session::error::Result;
use crate::session::kind::{Experiment, KindInfo, Workload};

/// All kinds of run, in the order in which messages name them.
pub(crate) static KINDS: [&KindInfo; 7] = [
    &match_::KIND,
    &tournament::KIND,
    &nodes::KIND,
    &ablate::KIND,
    &odds::KIND,
    &tune::KIND,
    &openings_check::KIND,
];

pub(crate) fn find(name: &str) -> Option<&'static KindInfo> {
    KINDS.into_iter().find(|kind| kind.name == name)
}

impl Experiment {
    pub fn from_toml(text: &str) -> Result<Experiment> {
        Experiment::of_source(&Source::parse(text, "the file of a run")?, Path::new(""))
    }

    /// Reads the file at `path`. Files that it names are looked for from its own folder first.
    pub fn read(path: &Path) -> Result<Experiment> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Experiment::of_source(&Source::open(path)?, folder)
    }

    pub fn of_source(source: &Source, folder: &Path) -> Result<Experiment> {
        let Some(command) = source.table.get("command") else {
            let mut names = source.table.keys().map(String::as_str);
            let hint = names
                .find(|name| nearest(name, ["job", "command"]).is_some())
                .map_or_else(String::new, |name| did_you_mean(name, ["job", "command"]));
            let message =
                format!("it has neither a command, such as command = \"match\", nor a [[job]]{hint}");
            return Err(ConfigError::from(source.mistake("", message)).into());
        };
        let command = command.as_str().unwrap_or_default();
        let has_file = |kind: &&KindInfo| kind.workload != Workload::Nothing;
        let Some(kind) = find(command).filter(has_file) else {
            let files = KINDS.into_iter().filter(has_file);
            let known: Vec<&str> = files.map(|kind| kind.name).collect();
            let hint = did_you_mean(command, known.iter().copied());
            let message = format!("unknown command '{command}'{hint} (one of: {})", known.join(", "));
            return Err(ConfigError::from(source.mistake("command", message)).into());
        };
        let mut resolved = source.clone();
        resolve_files(&mut resolved.table, folder);
        let experiment = (kind.keys.parse)(&resolved, &[]);
        let checked = experiment.and_then(|experiment| experiment.check_new().map(|()| experiment));
        checked.map_err(|error| error.placed(source))
    }
}
