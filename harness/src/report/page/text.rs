//! A text in both languages of a page.
//!
//! In: English and Japanese. Out: markup of which one is shown. Must not: know which.

use maud::{Markup, Render, html};

use crate::foreign;

/// The same said twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::report) struct Text {
    pub(in crate::report) en: String,
    pub(in crate::report) ja: String,
}

impl Text {
    pub(in crate::report) fn new(en: impl Into<String>, ja: impl Into<String>) -> Text {
        Text {
            en: en.into(),
            ja: ja.into(),
        }
    }

    /// What is the same in both: a number, a name.
    pub(in crate::report) fn same(text: impl Into<String>) -> Text {
        let text = text.into();
        Text {
            ja: text.clone(),
            en: text,
        }
    }
}

impl Render for Text {
    fn render(&self) -> Markup {
        let (en, ja) = (foreign::lines(&self.en), foreign::lines(&self.ja));
        if en == ja {
            return html! { (en) };
        }
        html! { span lang="en" { (en) } span lang="ja" { (ja) } }
    }
}
