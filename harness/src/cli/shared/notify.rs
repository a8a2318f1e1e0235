//! Options of who is told when a run ends.
//!
//! In: arguments, an outcome or an error. Out: word to whom it was asked for. Must not: change an exit code.

use clap::Args;

#[cfg(feature = "web")]
use super::error::BAD_INPUT;
use super::error::CliError;
use crate::experiment::Outcome;
#[cfg(feature = "web")]
use crate::web::{Notices, Webhook};

/// Options of every command whose run takes long; they change no result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct NotifyArgs {
    /// When the run ends, run this line in the shell; it reads what came of it, one JSON object.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "COMMAND", help_heading = "When it ends")]
    notify: Option<String>,
    /// When the run ends, post the same to this address; tried three times.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "URL", help_heading = "When it ends")]
    notify_url: Option<Webhook>,
}

#[cfg(feature = "web")]
impl NotifyArgs {
    /// Tells how a run ended, which was `shown` to the user; what does not work is a warning.
    pub(in crate::cli) fn tell(&self, outcome: Option<&Outcome>, shown: &Result<(), CliError>) {
        use serde_json::json;

        use crate::interrupt::Interrupt;
        use crate::report::{Gist, json, note};

        let notices = Notices {
            command: self.notify.clone(),
            url: self.notify_url.clone(),
        };
        let exit_code = shown.as_ref().err().map_or(0, CliError::exit_code);
        // A run that never began has not ended.
        if notices.is_empty() || outcome.is_none() && exit_code == BAD_INPUT {
            return;
        }
        let error = shown.as_ref().err().and_then(CliError::text);
        let gist = outcome.map(Gist::of);
        let text = match (&gist, &error) {
            (Some(gist), _) => gist.answer().to_owned(),
            (None, error) => error.clone().unwrap_or_default(),
        };
        let notice = json!({
            "text": text,
            "folder": outcome.map(|outcome| absolute(&outcome.folder)),
            "kind": outcome.and_then(Outcome::kind).map(|kind| kind.name()),
            "verdict": gist.as_ref().and_then(|gist| gist.verdict),
            "is_over": gist.as_ref().is_some_and(|gist| gist.is_over),
            "exit_code": exit_code,
            "error": error,
            "result": outcome.map(|outcome| json(&outcome.findings)),
        });
        match Interrupt::install() {
            Ok(interrupt) => {
                for warning in notices.tell(&notice, &interrupt) {
                    note(&format!("warning: {warning}"));
                }
            }
            Err(error) => note(&format!("warning: nobody is told of the end: {error}")),
        }
    }
}

/// A folder as whoever hears of it elsewhere finds it.
#[cfg(feature = "web")]
fn absolute(folder: &std::path::Path) -> String {
    let absolute = std::path::absolute(folder);
    absolute.as_deref().unwrap_or(folder).display().to_string()
}

#[cfg(not(feature = "web"))]
impl NotifyArgs {
    /// Nobody is told without the web.
    pub(in crate::cli) fn tell(&self, _: Option<&Outcome>, _: &Result<(), CliError>) {}
}
