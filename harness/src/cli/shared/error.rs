//! Whatever ends a command early, and its exit code.

use std::error::Error;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::marked::{marked_engine, marked_mistake, own_words};
use crate::config::{ConfigError, Mistakes, library_player};
use crate::document::invalid::InvalidRun;
use crate::document::language::{Language, said};
use crate::interrupt::Signal;
use crate::ledger::LedgerError;
use crate::report::{note, plural, quote};
use crate::session::error::{ExperimentError, StoppedByFault};
#[cfg(feature = "web")]
use crate::web::WebError;

const FAILURE: u8 = 1;
pub(super) const BAD_INPUT: u8 = 2;
const DECIDED_BY_FAULTS: u8 = 3;
const TEST_FAILED: u8 = 4;

#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum CliError {
    #[error(transparent)]
    Experiment(ExperimentError),
    #[error("{stopped}. Resume with:\n\n{command}")]
    Fault {
        stopped: StoppedByFault,
        command: String,
    },
    #[cfg(feature = "web")]
    #[error(transparent)]
    Web(#[from] WebError),
    /// What was played says nothing; it is printed and written.
    #[error("invalid: {run}; {}", .run.advice)]
    Invalid { run: InvalidRun },
    /// What was examined is not as it should be.
    #[error("{failed} of {of} checks failed")]
    Failed { failed: usize, of: usize },
    /// Ledgers that are not as they were written; all is said about them.
    #[error("{failed} of {of} ledgers are damaged or wrong")]
    Unproved { failed: usize, of: usize },
    /// Jobs of a queue; the others ran.
    #[error("{failed} of {} failed; the same command tries them again", plural(*jobs as u64, "job"))]
    JobsFailed { failed: usize, jobs: usize },
    /// Jobs of a queue that faults decided; the others ran, and none failed.
    #[error("{invalid} of {} ended invalid because of faults", plural(*jobs as u64, "job"))]
    JobsInvalid { invalid: usize, jobs: usize },
    /// A game played again that went another way; all is said.
    #[error("the games are not the same")]
    Different,
    /// A commit that could not be built, or a bench that failed; the end of its log is said.
    #[error("cannot {what}: {why}; the whole log is '{}'", .log.display())]
    Build {
        /// Such as `build main`.
        what: String,
        why: String,
        log: PathBuf,
    },
    /// A program whose bench is not the same twice.
    #[error(
        "bench of {label} is not deterministic: {} nodes, then {}; it must use one thread, no clock and no \
         random numbers", .nodes[0], .nodes[1]
    )]
    Unstable { label: String, nodes: [u64; 2] },
    /// The test of a branch that failed; all is said.
    #[error("the test failed")]
    TestFailed,
    /// A signal; everything is saved and said.
    #[error("stopped by a signal")]
    Stopped(Signal),
}

impl<E: Into<ExperimentError>> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::Experiment(error.into())
    }
}

impl CliError {
    pub(in crate::cli) fn input(message: impl Into<String>) -> CliError {
        CliError::Experiment(ExperimentError::Input(message.into()))
    }

    pub(in crate::cli) fn system<E: Into<Box<dyn Error + Send + Sync>>>(
        action: &'static str,
    ) -> impl FnOnce(E) -> CliError {
        move |source| CliError::Experiment(ExperimentError::system(action)(source))
    }

    /// As it came, with a word that nothing was written if a signal came first.
    pub(in crate::cli) fn of_unwritten(error: ExperimentError) -> CliError {
        if matches!(error, ExperimentError::Stopped(_)) {
            note("stopped; nothing is written");
        }
        error.into()
    }

    /// What to say on a terminal or in a file of errors: mistakes of files each below its line, with the value marked.
    pub(in crate::cli) fn shown(&self) -> Option<String> {
        if let CliError::Experiment(ExperimentError::Engine { label, message }) = self {
            return Some(marked_engine(label, message));
        }
        let Some(mistakes) = self.mistakes() else {
            return self
                .text()
                .map(|text| format!("error: {text}{}", self.of_library()));
        };
        let renderer = if console::colors_enabled_stderr() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let error = match Language::spoken() {
            Language::English => Level::ERROR,
            Language::Japanese => Level::ERROR.with_name("エラー"),
        };
        let shown = mistakes.iter().map(|mistake| {
            let Some(place) = &mistake.place else {
                return marked_mistake(mistake);
            };
            let marked = AnnotationKind::Primary.span(place.span.clone());
            let snippet = Snippet::source(&place.source.text).path(&place.source.origin);
            let report = error.clone().primary_title(said(&mistake.message));
            renderer.render(&[report.element(snippet.annotation(marked))])
        });
        let count = (mistakes.len() > 1).then(|| format!("error: {} mistakes", mistakes.len()));
        Some(shown.chain(count).collect::<Vec<_>>().join("\n\n"))
    }

    /// That engines of the library are not those of the run any more, if that is why it is refused.
    fn of_library(&self) -> String {
        let CliError::Experiment(ExperimentError::Ledger(LedgerError::OtherSpec { path, differences })) =
            self
        else {
            return String::new();
        };
        let words = own_words();
        let players = words
            .iter()
            .filter_map(|word| library_player(word.rsplit('=').next()?));
        let changed = players.filter(|(name, _)| {
            let label = format!(",name={name}");
            differences.iter().any(|line| line.matches(&label).count() > 1)
        });
        let notes = changed.map(|(name, _)| {
            let folder = quote(&path.to_string_lossy());
            format!(
                "\n@{name} changed in the engine library since the run began; tanren run {folder}/run.toml --out {folder} resumes it as it \
                 was"
            )
        });
        notes.collect()
    }

    fn mistakes(&self) -> Option<&Mistakes> {
        match self {
            CliError::Experiment(ExperimentError::Config(ConfigError::Mistakes(mistakes))) => Some(mistakes),
            _ => None,
        }
    }

    /// What to say; nothing if it has been said.
    pub(in crate::cli) fn text(&self) -> Option<String> {
        let is_said = matches!(
            self,
            CliError::Stopped(_)
                | CliError::Different
                | CliError::TestFailed
                | CliError::Experiment(ExperimentError::Stopped(_))
        );
        (!is_said).then(|| self.to_string())
    }

    pub(in crate::cli) fn exit_code(&self) -> u8 {
        match self {
            CliError::Stopped(signal) | CliError::Experiment(ExperimentError::Stopped(signal)) => {
                signal.exit_code()
            }
            CliError::Experiment(error) if error.is_input() => BAD_INPUT,
            #[cfg(feature = "web")]
            CliError::Web(error) if error.is_input() => BAD_INPUT,
            CliError::TestFailed => TEST_FAILED,
            CliError::Fault { .. } | CliError::Invalid { .. } | CliError::JobsInvalid { .. } => {
                DECIDED_BY_FAULTS
            }
            CliError::Experiment(error) if error.is_program_change() => DECIDED_BY_FAULTS,
            _ => FAILURE,
        }
    }
}
