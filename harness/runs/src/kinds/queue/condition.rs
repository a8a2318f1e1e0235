use super::{JobOutcome, JobState};

use crate::config::did_you_mean;
use crate::match_state::Verdict;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// Its test accepted H1.
    Passed,
    /// Its test accepted H0.
    Failed,
    /// It ran, to its end or its budget, and accepted neither.
    Undecided,
    /// It ended with an error.
    Error,
    /// Faults decided it.
    Invalid,
    /// It ran to its end or its budget.
    Finished,
}

impl Fact {
    const NAMES: [(&'static str, Fact); 6] = [
        ("passed", Fact::Passed),
        ("failed", Fact::Failed),
        ("undecided", Fact::Undecided),
        ("error", Fact::Error),
        ("invalid", Fact::Invalid),
        ("finished", Fact::Finished),
    ];

    pub fn needs_verdict(self) -> bool {
        matches!(self, Fact::Passed | Fact::Failed | Fact::Undecided)
    }

    fn holds(self, ending: JobOutcome) -> bool {
        let has_run = matches!(ending.state, JobState::Finished | JobState::OutOfBudget);
        match self {
            Fact::Passed => has_run && ending.accepted == Some(Verdict::AcceptedH1),
            Fact::Failed => has_run && ending.accepted == Some(Verdict::AcceptedH0),
            Fact::Undecided => has_run && ending.accepted.is_none(),
            Fact::Error => ending.state == JobState::Error,
            Fact::Invalid => ending.state == JobState::Invalid,
            Fact::Finished => has_run,
        }
    }
}

/// Each may be a step of a recursion.
const TOKENS_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Is(usize, Fact),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// What is wrong is told with its offset in the text.
    pub(crate) fn parse(text: &str, jobs: &[&str]) -> Result<Condition, (usize, String)> {
        let tokens = tokens(text);
        if let Some(token) = tokens.get(TOKENS_MAX) {
            let message = format!("a condition has at most {TOKENS_MAX} words and parentheses");
            return Err((token.offset, message));
        }
        let mut parser = Parser {
            tokens,
            next: 0,
            end: text.len(),
            jobs,
        };
        let condition = parser.any()?;
        match parser.peek() {
            None => Ok(condition),
            Some(token) => Err((
                token.offset,
                format!("expected 'and' or 'or', found '{}'", token.text),
            )),
        }
    }

    /// Whether it holds; `None` as long as that depends on jobs that are not over.
    pub fn holds(&self, endings: &[Option<JobOutcome>]) -> Option<bool> {
        match self {
            Condition::Is(job, fact) => endings[*job].map(|ending| fact.holds(ending)),
            Condition::Not(inner) => inner.holds(endings).map(|holds| !holds),
            Condition::And(one, two) => match (one.holds(endings), two.holds(endings)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (one, two) => one.and(two),
            },
            Condition::Or(one, two) => match (one.holds(endings), two.holds(endings)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (one, two) => one.and(two),
            },
        }
    }

    pub fn questions(&self) -> Vec<(usize, Fact)> {
        match self {
            Condition::Is(job, fact) => vec![(*job, *fact)],
            Condition::Not(inner) => inner.questions(),
            Condition::And(one, two) | Condition::Or(one, two) => [one.questions(), two.questions()].concat(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    offset: usize,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
        let end = match first {
            '(' | ')' => 1,
            _ => rest.find(ends).unwrap_or(rest.len()),
        };
        tokens.push(Token {
            text: &rest[..end],
            offset: text.len() - rest.len(),
        });
        rest = rest[end..].trim_start();
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    end: usize,
    jobs: &'a [&'a str],
}

type Parsed = Result<Condition, (usize, String)>;

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    fn take(&mut self, text: &str) -> bool {
        let is_there = self.peek().is_some_and(|token| token.text == text);
        self.next += usize::from(is_there);
        is_there
    }

    fn any(&mut self) -> Parsed {
        let mut condition = self.all()?;
        while self.take("or") {
            condition = Condition::Or(Box::new(condition), Box::new(self.all()?));
        }
        Ok(condition)
    }

    fn all(&mut self) -> Parsed {
        let mut condition = self.one()?;
        while self.take("and") {
            condition = Condition::And(Box::new(condition), Box::new(self.one()?));
        }
        Ok(condition)
    }

    fn one(&mut self) -> Parsed {
        if self.take("not") {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if !self.take("(") {
            return self.question();
        }
        let condition = self.any()?;
        let offset = self.peek().map_or(self.end, |token| token.offset);
        let is_closed = self.take(")");
        is_closed
            .then_some(condition)
            .ok_or_else(|| (offset, "expected ')'".to_owned()))
    }

    fn question(&mut self) -> Parsed {
        let facts = Fact::NAMES.map(|(name, _)| name);
        let expected = format!("a question such as JOB.passed (one of: {})", facts.join(", "));
        let Some(Token { text, offset }) = self.peek() else {
            return Err((self.end, format!("expected {expected}")));
        };
        let Some((name, word)) = text.rsplit_once('.') else {
            return Err((offset, format!("expected {expected}, found '{text}'")));
        };
        let Some(job) = self.jobs.iter().position(|job| *job == name) else {
            let hint = did_you_mean(name, self.jobs.iter().copied());
            let jobs = self.jobs.join(", ");
            let message = format!(
                "there is no job '{name}'{hint} (jobs: {jobs}; the other words are 'not', 'and', 'or')"
            );
            return Err((offset, message));
        };
        let Some((_, fact)) = Fact::NAMES.into_iter().find(|(known, _)| *known == word) else {
            let hint = did_you_mean(word, facts);
            let message = format!("'{word}' cannot be asked about a job{hint}; expected {expected}");
            return Err((offset + name.len() + 1, message));
        };
        self.next += 1;
        Ok(Condition::Is(job, fact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOBS: [&str; 3] = ["one", "two", "three-b"];

    fn ending(state: JobState, accepted: Option<Verdict>) -> Option<JobOutcome> {
        Some(JobOutcome { state, accepted })
    }

    #[test]
    fn not_binds_closer_than_and_and_and_closer_than_or() {
        let parse = |text| Condition::parse(text, &JOBS).unwrap();
        let same = |one, two| assert_eq!(parse(one), parse(two));
        same(
            "one.failed or not two.failed and three-b.finished",
            "one.failed or ((not two.failed) and three-b.finished)",
        );
        assert_ne!(
            parse("(one.failed or two.failed) and three-b.failed"),
            parse("one.failed or two.failed and three-b.failed")
        );
    }

    #[test]
    fn a_wrong_word_is_named_with_its_place() {
        let cases = [
            ("four.passed", 0, "there is no job 'four'"),
            ("one.passed and two.won", 19, "'won' cannot be asked"),
            ("one", 0, "expected a question such as JOB.passed"),
            ("one.failed two.failed", 11, "expected 'and' or 'or'"),
            ("(one.failed", 11, "expected ')'"),
            ("one.failed and", 14, "expected a question"),
            ("", 0, "expected a question"),
            ("one.failed)", 10, "expected 'and' or 'or', found ')'"),
            ("one.failed und two.failed", 11, "found 'und'"),
        ];
        for (text, offset, expected) in cases {
            let (at, message) = Condition::parse(text, &JOBS).unwrap_err();
            assert_eq!(at, offset, "{text}: {message}");
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_condition_of_any_depth_is_read_or_refused() {
        for (before, after) in [
            ("(", ")"),
            ("not ", ""),
            ("one.failed and ", ""),
            ("one.failed or ", ""),
        ] {
            let text = |count| format!("{}one.failed{}", before.repeat(count), after.repeat(count));
            assert!(Condition::parse(&text(400), &JOBS).is_ok(), "{before}");
            let (_, message) = Condition::parse(&text(1_000_000), &JOBS).unwrap_err();
            assert!(message.contains("at most 1000"), "{message}");
        }
    }

    #[test]
    fn the_truth_is_known_as_soon_as_nothing_open_can_change_it() {
        let condition = Condition::parse("one.passed or two.error", &JOBS).unwrap();
        let accepted = ending(JobState::Finished, Some(Verdict::AcceptedH1));
        let rejected = ending(JobState::Finished, Some(Verdict::AcceptedH0));
        assert_eq!(condition.holds(&[accepted, None, None]), Some(true));
        assert_eq!(condition.holds(&[rejected, None, None]), None);
        assert_eq!(condition.holds(&[rejected, rejected, None]), Some(false));
        let both = Condition::parse("not one.passed and two.error", &JOBS).unwrap();
        assert_eq!(both.holds(&[accepted, None, None]), Some(false));
        assert_eq!(both.holds(&[rejected, None, None]), None);
    }

    #[test]
    fn every_ending_answers_every_question() {
        let endings = [
            ending(JobState::Finished, Some(Verdict::AcceptedH1)),
            ending(JobState::Finished, Some(Verdict::AcceptedH0)),
            ending(JobState::OutOfBudget, None),
            ending(JobState::Error, None),
            ending(JobState::Invalid, None),
            ending(JobState::Skipped, None),
        ];
        let truths = endings.map(|ending| Fact::NAMES.map(|(_, fact)| fact.holds(ending.unwrap())));
        let expected = [
            [true, false, false, false, false, true],
            [false, true, false, false, false, true],
            [false, false, true, false, false, true],
            [false, false, false, true, false, false],
            [false, false, false, false, true, false],
            [false; 6],
        ];
        assert_eq!(truths, expected);
    }
}
