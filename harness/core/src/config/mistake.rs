//! Where in a file something stands, and what is wrong there.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    pub const START: Place = Place { line: 1, column: 1 };

    pub fn of(text: &str, offset: usize) -> Place {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Place {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{origin}', {place}: {message}")]
pub struct Mistake {
    pub origin: String,
    pub place: Place,
    pub message: String,
}

impl Mistake {
    pub fn of_toml(error: &toml::de::Error, text: &str, origin: &str) -> Mistake {
        Mistake {
            origin: origin.to_owned(),
            place: Place::of(text, error.span().map_or(0, |span| span.start)),
            message: super::nearest::with_suggestion(error.message()),
        }
    }
}

/// All that a user must change, file by file and from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistakes(Vec<Mistake>);

impl Mistakes {
    /// Nothing if there are none.
    pub fn check(found: Vec<Mistake>) -> Result<(), Mistakes> {
        if found.is_empty() {
            return Ok(());
        }
        Err(Mistakes::from(found))
    }

    pub fn into_vec(self) -> Vec<Mistake> {
        self.0
    }
}

impl From<Vec<Mistake>> for Mistakes {
    fn from(mut found: Vec<Mistake>) -> Mistakes {
        let mut origins: Vec<String> = Vec::new();
        for mistake in &found {
            if !origins.contains(&mistake.origin) {
                origins.push(mistake.origin.clone());
            }
        }
        found.sort_by_key(|mistake| {
            let file = origins.iter().position(|origin| *origin == mistake.origin);
            (file, mistake.place)
        });
        found.dedup();
        Mistakes(found)
    }
}

impl From<Mistake> for Mistakes {
    fn from(mistake: Mistake) -> Mistakes {
        Mistakes(vec![mistake])
    }
}

/// One as it is, several below their number.
pub(super) fn list(f: &mut fmt::Formatter<'_>, messages: &[impl fmt::Display]) -> fmt::Result {
    if let [message] = messages {
        return message.fmt(f);
    }
    write!(f, "{} mistakes", messages.len())?;
    messages.iter().try_for_each(|message| write!(f, "\n{message}"))
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, &self.0)
    }
}

impl std::error::Error for Mistakes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_file_by_file_from_top_to_bottom_and_none_twice() {
        let mistake = |origin: &str, line, message: &str| Mistake {
            origin: origin.to_owned(),
            place: Place { line, column: 1 },
            message: message.to_owned(),
        };
        let one = mistake("b", 3, "late");
        assert_eq!(
            Mistakes::from(one.clone()).to_string(),
            "'b', line 3, column 1: late"
        );
        let all = Mistakes::from(vec![
            one.clone(),
            mistake("a", 1, "other"),
            mistake("b", 1, "early"),
            one,
        ]);
        assert_eq!(
            all.to_string(),
            "3 mistakes\n'b', line 1, column 1: early\n'b', line 3, column 1: late\n'a', line 1, column 1: other"
        );
        assert_eq!(Mistakes::check(Vec::new()), Ok(()));
    }

    #[test]
    fn columns_are_characters_and_not_bytes() {
        let text = "a = 1\n名 = x";
        let place = Place { line: 2, column: 5 };
        assert_eq!(Place::of(text, text.find('x').unwrap()), place);
    }
}
