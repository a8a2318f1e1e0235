//! Positions of chess with operations behind (Edwards, "Extended Position Description", 1994).

pub(super) fn fen(line: &str) -> Result<String, String> {
    let line = line.strip_prefix("fen ").unwrap_or(line);
    let mut rest = line;
    let mut fields = Vec::with_capacity(6);
    while fields.len() < 4 {
        let (field, behind) = word(rest);
        if field.is_empty() || field.ends_with(';') {
            return Err(format!(
                "it has {} of 4 fields before its operations",
                fields.len()
            ));
        }
        fields.push(field);
        rest = behind;
    }
    let mut counters = ["0", "1"];
    for counter in &mut counters {
        let (field, behind) = word(rest);
        let number = field.trim_end_matches(';');
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        (*counter, rest) = (number, behind);
    }
    for operation in operations(rest)? {
        let (name, operand) = word(operation);
        match name {
            "hmvc" => counters[0] = operand.trim(),
            "fmvn" => counters[1] = operand.trim(),
            "moves" => {
                return Err(
                    "moves stand at the end of a line without operations: take the ';' away".to_owned(),
                );
            }
            _ => {}
        }
    }
    fields.extend(counters);
    Ok(fields.join(" "))
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// What stands before each `;` that is in no quotes.
fn operations(text: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b';' if !is_quoted => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    match text[start..].trim() {
        "" => Ok(found),
        _ if is_quoted => Err("a quotation is not closed".to_owned()),
        left => Err(format!("the operation '{left}' does not end with ';'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

    #[test]
    fn counters_come_from_operations_and_all_others_are_passed_over() {
        for (operations, counters) in [
            ("hmvc 3; fmvn 9;", "3 9"),
            ("fmvn 2; id \"a; b moves c\"; bm Nf3; hmvc 1;", "1 2"),
            ("bm Nf3 d4; c0 \"x\";", "0 1"),
            ("4 7; id \"1\";", "4 7"),
            ("4 7 id \"1\";", "4 7"),
            (";", "0 1"),
        ] {
            assert_eq!(
                fen(&format!("{FIELDS} {operations}")).unwrap(),
                format!("{FIELDS} {counters}")
            );
        }
    }

    #[test]
    fn operations_that_do_not_end_and_positions_that_are_none_are_refused() {
        for (line, reason) in [
            (format!("{FIELDS} bm Nf3; id 7"), "'id 7' does not end"),
            (format!("{FIELDS} id \"x;"), "not closed"),
            ("8/8 w; x;".to_owned(), "1 of 4 fields"),
            (";".to_owned(), "0 of 4 fields"),
            (format!("{FIELDS} moves d2d4;"), "take the ';' away"),
        ] {
            let message = fen(&line).unwrap_err();
            assert!(message.contains(reason), "{line}: {message}");
        }
    }
}
