//! Options of who is told when a run ends.

use clap::Args;

#[cfg(feature = "web")]
use std::sync::mpsc::{RecvTimeoutError, channel};
#[cfg(feature = "web")]
use std::thread::Builder;
#[cfg(feature = "web")]
use std::time::Duration;

#[cfg(feature = "web")]
use super::error::BAD_INPUT;
use super::error::CliError;
#[cfg(feature = "web")]
use crate::config::ADVANCED;
#[cfg(feature = "web")]
use crate::interrupt::Interrupt;
use crate::session::outcome::Outcome;
#[cfg(feature = "web")]
use crate::web::{Notices, Webhook};

/// Options of every command whose run takes long; they change no result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct NotifyArgs {
    /// Run this shell line when the run ends; it reads the result as JSON.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "COMMAND", help_heading = "Output")]
    notify: Option<String>,
    /// POST the result as JSON to this URL at the end.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "URL", hide = true, help_heading = ADVANCED)]
    notify_url: Option<Webhook>,
}

#[cfg(feature = "web")]
impl NotifyArgs {
    /// Tells how a run ended, which was `shown` to the user; what does not work is a warning.
    pub(in crate::cli) fn tell(&self, outcome: Option<&Outcome>, shown: &Result<(), CliError>) {
        use serde_json::json;

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
        let answer = gist.as_ref().and_then(|gist| gist.overview.answer.as_ref());
        let text = match (answer, &error) {
            (Some(answer), _) => answer.sentence.en.clone(),
            (None, error) => error.clone().unwrap_or_default(),
        };
        let notice = json!({
            "text": text,
            "folder": outcome.map(|outcome| absolute(&outcome.folder)),
            "kind": outcome.and_then(|outcome| outcome.findings.kind()),
            "state": answer.map(|answer| answer.state),
            "verdict": gist.as_ref().and_then(|gist| gist.overview.verdict.as_deref()),
            "is_over": gist.as_ref().is_some_and(|gist| gist.is_over),
            "exit_code": exit_code,
            "error": error,
            "result": outcome.map(|outcome| json(&*outcome.findings)),
        });
        match Interrupt::install() {
            Ok(interrupt) => {
                for warning in told(notices, notice, interrupt) {
                    note(&format!("warning: {warning}"));
                }
            }
            Err(error) => note(&format!("warning: no notification of the end was sent: {error}")),
        }
    }
}

/// Between two looks at the flag while somebody is told, and for which a command may end by itself after a signal.
#[cfg(feature = "web")]
const LOOK_PAUSE: Duration = Duration::from_millis(20);
#[cfg(feature = "web")]
const END_TIME: Duration = Duration::from_millis(500);

/// Tells everybody in a thread of its own, so that a signal ends what hangs; what did not work, in words.
#[cfg(feature = "web")]
fn told(notices: Notices, notice: serde_json::Value, interrupt: Interrupt) -> Vec<String> {
    // Whoever stopped the run is told that it stopped.
    let was_stopped = interrupt.is_requested();
    let (done, end) = channel();
    let tell = {
        let interrupt = interrupt.clone();
        move || drop(done.send(notices.tell(&notice, &interrupt)))
    };
    if let Err(error) = Builder::new().name("notify".to_owned()).spawn(tell) {
        return vec![format!("no notification of the end was sent: {error}")];
    }
    loop {
        match end.recv_timeout(LOOK_PAUSE) {
            Ok(warnings) => return warnings,
            Err(RecvTimeoutError::Disconnected) => return Vec::new(),
            Err(RecvTimeoutError::Timeout) if !was_stopped && interrupt.is_requested() => {
                let late = || vec!["interrupted before all notifications of the end were sent".to_owned()];
                return end.recv_timeout(END_TIME).unwrap_or_else(|_| late());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The words of a command line as they may be shown: what follows the host of `--notify-url` is a secret at most services.
pub(in crate::cli) fn without_secrets(words: impl IntoIterator<Item = String>) -> Vec<String> {
    const OPTION: &str = "--notify-url";
    let mut is_next = false;
    let shown = |word: String| {
        let was_next = std::mem::replace(&mut is_next, word == OPTION);
        let url = word.strip_prefix(OPTION).and_then(|rest| rest.strip_prefix('='));
        match url {
            Some(url) if !is_harmless(url) => format!("{OPTION}=URL"),
            None if was_next && !is_harmless(&word) => "URL".to_owned(),
            _ => word,
        }
    };
    words.into_iter().map(shown).collect()
}

fn is_harmless(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    host.is_some_and(|host| !host.trim_end_matches('/').contains(['/', '?', '#', '@']))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        without_secrets(line.split(' ').map(str::to_owned)).join(" ")
    }

    #[test]
    fn an_address_is_shown_only_where_it_holds_no_secret() {
        for url in [
            "https://a.b/hook/123",
            "https://a.b?key=1",
            "http://me:pass@a.b",
            "https://a.b//x",
        ] {
            assert_eq!(
                shown(&format!("m --notify-url {url} --quiet")),
                "m --notify-url URL --quiet"
            );
            assert_eq!(
                shown(&format!("m --notify-url={url} --quiet")),
                "m --notify-url=URL --quiet"
            );
        }
        for harmless in [
            "m --notify-url http://localhost:80/ --out https://a.b/hook",
            "m --notify-url=https://a.b",
        ] {
            assert_eq!(shown(harmless), harmless);
        }
    }
}
