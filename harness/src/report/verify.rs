//! What an examination of stored runs found, as lines and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::kinds::registry::find;
use crate::session::kind::Holds;
use crate::tools::verify::{LedgerVerification, Verification};

/// Lines of problems of one ledger; JSON has them all.
const PROBLEMS_SHOWN: usize = 20;

/// A line for each ledger, and one for everything that is wrong with it.
pub fn describe_verifications(found: &[Verification]) -> String {
    let mut text = String::new();
    for ledger in found.iter().flat_map(|folder| &folder.ledgers) {
        describe(&mut text, ledger);
    }
    text
}

/// An object for one folder, an array of them for more.
pub fn verifications_json(found: &[Verification]) -> Value {
    match found {
        [one] => object(one),
        all => all.iter().map(object).collect(),
    }
}

fn describe(text: &mut String, ledger: &LedgerVerification) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}: {}{}, checksums{}{}",
        ledger.folder.display(),
        ledger.kind.as_deref().unwrap_or("of unknown kind"),
        holdings(ledger),
        match ledger.replayed {
            Some(replayed) if replayed.pairs > 0 => format!(", {} pairs played again", replayed.pairs),
            _ => String::new(),
        },
        match ledger.problems.len() {
            0 => ": good".to_owned(),
            1 => ": 1 problem".to_owned(),
            more => format!(": {more} problems"),
        }
    );
    for problem in ledger.problems.iter().take(PROBLEMS_SHOWN) {
        let _ = writeln!(text, "  {problem}");
    }
    if ledger.problems.len() > PROBLEMS_SHOWN {
        let more = ledger.problems.len() - PROBLEMS_SHOWN;
        let _ = writeln!(text, "  and {more} more (all of them with --json)");
    }
    for note in &ledger.notes {
        let _ = writeln!(text, "  note: {note}");
    }
}

fn holdings(ledger: &LedgerVerification) -> String {
    let holds = ledger
        .kind
        .as_deref()
        .map(|kind| find(kind).map(|kind| kind.holds));
    let unit = match holds {
        Some(Some(Holds::Pairs)) => "pairs",
        Some(Some(Holds::Searches)) => "searches",
        Some(_) => return String::new(),
        None => "pairs or searches",
    };
    format!(", {} {unit} whole", ledger.whole)
}

fn object(found: &Verification) -> Value {
    let ledgers: Vec<Value> = found.ledgers.iter().map(ledger_object).collect();
    json!({
        "folder": found.folder.display().to_string(),
        "good": found.is_good(),
        "ledgers": ledgers,
    })
}

fn ledger_object(ledger: &LedgerVerification) -> Value {
    let problems: Vec<String> = ledger.problems.iter().map(ToString::to_string).collect();
    let notes: Vec<String> = ledger.notes.iter().map(ToString::to_string).collect();
    json!({
        "folder": ledger.folder.display().to_string(),
        "kind": ledger.kind,
        "checksums": true,
        "whole": ledger.whole,
        "problems": problems,
        "replayed_pairs": ledger.replayed.map(|replayed| replayed.pairs),
        "different_games": ledger.replayed.map(|replayed| replayed.different),
        "notes": notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::verify::Problem;

    fn found(problems: usize) -> Verification {
        let missing = |pair| Problem::Missing { pair, counted: 99 };
        Verification {
            folder: "x".into(),
            ledgers: vec![LedgerVerification {
                folder: "x".into(),
                kind: Some("match".to_owned()),
                whole: 4,
                problems: (1..=problems as u64).map(missing).collect(),
                replayed: None,
                notes: Vec::new(),
            }],
        }
    }

    #[test]
    fn a_good_ledger_has_a_line_and_every_problem_one_more() {
        assert_eq!(
            describe_verifications(&[found(0)]),
            "x: match, 4 pairs whole, checksums: good\n"
        );
        let text = describe_verifications(&[found(1)]);
        assert_eq!(
            text.lines().nth(1),
            Some("  pair 1 of the 99 that were counted is missing")
        );
        assert_eq!(
            describe_verifications(&[found(50)]).lines().count(),
            1 + PROBLEMS_SHOWN + 1
        );
        assert_eq!(
            object(&found(50))["ledgers"][0]["problems"]
                .as_array()
                .map(Vec::len),
            Some(50)
        );
        assert_eq!(object(&found(0))["good"], true);
    }
}
