//! A text in both languages of a page.
//!
//! In: English and Japanese. Out: markup of which one is shown. Must not: know which.

use maud::{Markup, Render, html};

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
        if self.en == self.ja {
            return html! { (self.en) };
        }
        html! { span lang="en" { (self.en) } span lang="ja" { (self.ja) } }
    }
}
