use super::*;

use crate::kinds::queue::EXAMPLE;

fn refusal(text: &str) -> String {
    Queue::parse(text, "night.toml").unwrap_err().to_string()
}

#[test]
fn a_wrong_file_is_refused_with_line_and_column() {
    let cases = [
        (
            "[[job]]\nname = \"a\"\n",
            "line 1, column 1: job 'a' needs a command",
        ),
        (
            "[[job]]\ncommand = \"nodes\"\n",
            "line 1, column 1: a job needs a name",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"dance\"\n",
            "line 3, column 11: unknown command 'dance' (one of: match",
        ),
        ("[[job]]\nname = \"a b\"\n", "line 2, column 8: name 'a b' must"),
        (
            "[[job]]\nname = 3\n",
            "line 2, column 8: name is 3, but must be a text",
        ),
        (
            "[[jobs]]\nname = \"a\"\n",
            "line 1, column 3: unknown key 'jobs' (did you mean 'job'?)",
        ),
        ("[[job]]\nname = \"a\n", "line 2"),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\n[[job]]\nname = \"a\"\ncommand = \"nodes\"\n",
            "line 5, column 8: there is another job 'a'",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nonly_if = \"b.finished\"\n",
            "line 4, column 12: only_if: there is no job 'b'",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nonly_if = \"not a.won\"\n",
            "line 4, column 18: only_if: 'won' cannot be asked",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nonly_if = \"a.finished\"\n",
            "line 4, column 11: job 'a' waits for itself",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nbudget_minutes = 0\n",
            "line 4, column 18: budget_minutes is 0",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nbudget_pairs = -1\n",
            "line 4, column 16: budget_pairs is -1",
        ),
        (
            "[[job]]\nname = \"a\"\ncommand = \"nodes\"\npriority = \"high\"\n",
            "line 4, column 12: priority is \"high\"",
        ),
    ];
    for (text, expected) in cases {
        let message = refusal(text);
        assert!(message.contains(expected), "{text}\n{message}");
        let mut lines = message.lines().filter(|line| !line.ends_with(" mistakes"));
        assert!(
            lines.all(|line| line.starts_with("'night.toml', line ")),
            "{message}"
        );
    }
}

#[test]
fn every_mistake_of_every_job_is_told_at_once_with_what_was_meant() {
    let text = "[[job]]\ncommand = \"mach\"\n[[job]]\nname = \"b\"\ncommand = \"nodes\"\npriority = \"high\"\n\
                only_if = \"c.finish\"\nbudget_pairs = 0\n[[job]]\nname = \"c\"\ncommand = \"match\"\nonly_if = \"cc.failed\"\n";
    let message = refusal(text);
    let expected = [
        "'night.toml', line 1, column 1: a job needs a name",
        "'night.toml', line 2, column 11: unknown command 'mach' (did you mean 'match'?)",
        "'night.toml', line 6, column 12: priority is \"high\"",
        "'night.toml', line 7, column 14: only_if: 'finish' cannot be asked about a job (did you mean 'finished'?)",
        "'night.toml', line 8, column 16: budget_pairs is 0",
        "'night.toml', line 12, column 12: only_if: there is no job 'cc' (did you mean 'c'?)",
    ];
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "6 mistakes", "{message}");
    assert_eq!(lines.len(), 7, "{message}");
    for (line, expected) in lines[1..].iter().zip(expected) {
        assert!(line.starts_with(expected), "{message}");
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
fn a_job_without_a_verdict_cannot_be_asked_for_one() {
    let text = "[[job]]\nname = \"count\"\ncommand = \"nodes\"\n\
                [[job]]\nname = \"b\"\ncommand = \"match\"\nonly_if = \"count.accepted\"\n";
    assert!(refusal(text).contains("job 'count' runs nodes, which has no verdict"));
}

#[test]
fn the_example_parses_and_shows_every_key_and_every_command() {
    let queue = Queue::parse(EXAMPLE, "night.default.toml").unwrap();
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
