//! The language of pages.
//!
//! In: a word. Out: a [`Language`].

use crate::report::Language;

/// The languages of pages as a command-line option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum LanguageArg {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl LanguageArg {
    pub(in crate::cli) fn language(self) -> Language {
        match self {
            LanguageArg::En => Language::English,
            LanguageArg::Ja => Language::Japanese,
        }
    }
}
