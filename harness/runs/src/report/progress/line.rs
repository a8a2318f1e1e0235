//! One line of progress that fits its window.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::document::language::said;

const GAP: &str = "  ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProgressPart {
    /// From the longest to the shortest, each with its rank: the form with the greatest rank is the first to give way to the
    /// next one of its part, or to nothing.
    forms: Vec<(u8, String)>,
}

impl ProgressPart {
    /// A part with one form; a form of rank 0 never gives way.
    pub(super) fn new(rank: u8, form: impl Into<String>) -> ProgressPart {
        ProgressPart {
            forms: vec![(rank, said(&form.into()).into_owned())],
        }
    }

    #[must_use]
    pub(super) fn or(mut self, rank: u8, form: impl Into<String>) -> ProgressPart {
        self.forms.push((rank, said(&form.into()).into_owned()));
        self
    }
}

/// The parts that fit into `width` columns, in their order. The least important forms give way first; if the most important
/// ones do not fit, what they say is cut.
pub(super) fn line(width: usize, parts: &[ProgressPart]) -> String {
    // How many forms of each part have given way.
    let mut gone = vec![0; parts.len()];
    loop {
        let text = joined(parts, &gone);
        if text.width() <= width {
            return text;
        }
        let rank = |index: usize| parts[index].forms.get(gone[index]).map_or(0, |(rank, _)| *rank);
        match (0..parts.len())
            .filter(|&index| rank(index) > 0)
            .max_by_key(|&index| rank(index))
        {
            Some(index) => gone[index] += 1,
            None => return cut(&text, width),
        }
    }
}

/// All parts in their longest forms, for a place without a width.
pub(super) fn whole(parts: &[ProgressPart]) -> String {
    joined(parts, &vec![0; parts.len()])
}

fn joined(parts: &[ProgressPart], gone: &[usize]) -> String {
    let forms = parts.iter().zip(gone);
    let forms = forms.filter_map(|(part, &gone)| part.forms.get(gone));
    let texts = forms
        .map(|(_, text)| text.as_str())
        .filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(GAP)
}

fn cut(text: &str, width: usize) -> String {
    let mut room = width.saturating_sub(1);
    let fits = text.chars().take_while(|&character| {
        let own = character.width().unwrap_or(0);
        let fits = own <= room;
        room = room.saturating_sub(own);
        fits
    });
    let mut cut: String = fits.collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn narrower_windows_show_less_and_always_the_first_things() {
        let parts = [
            ProgressPart::new(5, "job one"),
            ProgressPart::new(0, "120 games"),
            ProgressPart::new(4, "LLR +1.23 [-2.94 +2.94]").or(2, "LLR +1.23"),
            ProgressPart::new(1, "Elo +12.3 ± 8.1"),
        ];
        for (width, expected) in [
            (80, "job one  120 games  LLR +1.23 [-2.94 +2.94]  Elo +12.3 ± 8.1"),
            (59, "120 games  LLR +1.23 [-2.94 +2.94]  Elo +12.3 ± 8.1"),
            (40, "120 games  LLR +1.23  Elo +12.3 ± 8.1"),
            (10, "120 games"),
            (5, "120 …"),
            (0, ""),
        ] {
            assert_eq!(line(width, &parts), expected);
        }
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_its_window(
            texts in proptest::collection::vec((0u8..5, "[a-z鍛錬 ±é\u{301}]{0,30}", 0u8..5, "[鍛錬a]{0,9}"), 0..8),
            width in 0usize..220,
        ) {
            let parts: Vec<ProgressPart> = texts
                .iter()
                .map(|(rank, long, other, short)| ProgressPart::new(*rank, long).or(*other, short))
                .collect();
            let line = line(width, &parts);
            prop_assert!(line.width() <= width, "{width}: {line}");
        }
    }
}
