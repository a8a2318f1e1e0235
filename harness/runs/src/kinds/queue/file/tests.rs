use super::*;

use crate::kinds::queue::EXAMPLE;

fn refusal(text: &str) -> String {
    Queue::parse(text, "night.toml").unwrap_err().to_string()
}

#[test]
fn a_wrong_file_is_refused_with_line_and_column() {
    let job = |keys: &str| format!("[[job]]\nname = \"a\"\n{keys}\n");
    let nodes = |keys: &str| job(&format!("command = \"nodes\"\n{keys}"));
    let cases = [
        (job(""), "line 1, column 1: job 'a' needs a command"),
        (
            "[[job]]\ncommand = \"nodes\"\n".to_owned(),
            "line 1, column 1: a job needs a name",
        ),
        (
            job("command = \"dance\""),
            "line 3, column 11: unknown command 'dance' (one of: match",
        ),
        (
            "[[job]]\nname = \"a b\"\n".to_owned(),
            "line 2, column 8: name 'a b' must",
        ),
        (
            "[[job]]\nname = 3\n".to_owned(),
            "line 2, column 8: name is 3, but must be a text",
        ),
        (
            "[[jobs]]\nname = 1\n".to_owned(),
            "line 1, column 3: unknown key 'jobs' (did you mean 'job'?)",
        ),
        ("[[job]]\nname = \"a\n".to_owned(), "line 2"),
        (
            nodes("") + &nodes(""),
            "line 6, column 8: there is another job 'a'",
        ),
        (
            nodes("only_if = \"b.finished\""),
            "line 4, column 12: only_if: there is no job 'b'",
        ),
        (
            nodes("only_if = \"not a.won\""),
            "line 4, column 18: only_if: 'won' cannot be asked",
        ),
        (
            nodes("only_if = \"a.finished\""),
            "line 4, column 11: job 'a' waits for itself",
        ),
        (
            nodes("budget_minutes = 0"),
            "line 4, column 18: budget_minutes is 0",
        ),
        (
            nodes("budget_pairs = -1"),
            "line 4, column 16: budget_pairs is -1",
        ),
        (
            nodes("priority = \"high\""),
            "line 4, column 12: priority is \"high\"",
        ),
    ];
    for (text, expected) in cases {
        let message = refusal(&text);
        assert!(message.contains(expected), "{text}\n{message}");
        let mut lines = message.lines().filter(|line| !line.ends_with(" mistakes"));
        assert!(
            lines.all(|line| line.starts_with("'night.toml', line ")),
            "{message}"
        );
    }
}

#[test]
fn conditions_that_go_round_in_a_circle_are_refused() {
    let job = |name: &str, asked: &str| {
        format!("[[job]]\nname = \"{name}\"\ncommand = \"match\"\nonly_if = \"{asked}.failed\"\n")
    };
    let text = job("a", "b") + &job("b", "c") + &job("c", "a");
    assert!(refusal(&text).contains("job 'a' waits for itself"));
    let text = job("b", "a") + "[[job]]\nname = \"a\"\ncommand = \"match\"\n";
    assert_eq!(Queue::parse(&text, "night.toml").unwrap().jobs().len(), 2);
}

#[test]
fn the_example_parses_and_shows_every_key_and_every_command() {
    let queue = Queue::parse(EXAMPLE, "queue.default.toml").unwrap();
    assert!(queue.jobs().len() >= 3);
    let shows = |text: &str| {
        let mut lines = EXAMPLE.lines().map(|line| line.trim_start_matches(['#', ' ']));
        lines.any(|line| line.starts_with(text))
    };
    for key in KEYS {
        assert!(shows(&format!("{key} = ")), "{key}");
    }
    for kind in KINDS {
        assert!(EXAMPLE.contains(&format!("\"{}\"", kind.name)), "{}", kind.name);
    }
}
