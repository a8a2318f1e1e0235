//! Spaces as lines of text.

use super::{Parameter, Space, SpaceError, ValueKind};

impl Space {
    /// Parses `text`, which messages call `origin`. Blank lines and those that begin with `#` are skipped. A line without
    /// a kind is of whole numbers.
    pub fn parse(text: &str, origin: &str) -> Result<Space, SpaceError> {
        let mut parameters = Vec::new();
        let mut numbers = Vec::new();
        let mut wrong: Vec<SpaceError> = Vec::new();
        for (number, line) in (1_usize..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match parse_line(line) {
                Ok(parameter) => {
                    parameters.push(parameter);
                    numbers.push(number);
                }
                Err(message) => wrong.push(SpaceError::new(place(origin, number), message)),
            }
        }
        let mut wrong = wrong.into_iter();
        if let Some(mut first) = wrong.next() {
            for other in wrong {
                first.message += &format!("\n{other}");
            }
            return Err(first);
        }
        Space::new(parameters, origin, |index| place(origin, numbers[index]))
    }

    /// The text that [`parse`](Space::parse) takes to this space.
    pub fn lines(&self) -> String {
        let line = |parameter: &Parameter| {
            let kind = match parameter.kind {
                ValueKind::Integer => "int",
                ValueKind::Real => "float",
            };
            format!(
                "{}, {kind}, {}, {}, {}, {}, {}\n",
                parameter.name,
                parameter.start,
                parameter.min,
                parameter.max,
                parameter.c_end,
                parameter.r_end
            )
        };
        self.parameters().iter().map(line).collect()
    }
}

fn place(origin: &str, line: usize) -> String {
    format!("{origin}, line {line}")
}

fn parse_line(line: &str) -> Result<Parameter, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (kind, numbers) = match fields.len() {
        6 => (ValueKind::Integer, &fields[1..]),
        7 => (kind_of(fields[1])?, &fields[2..]),
        found => {
            return Err(format!(
                "{found} fields in '{line}', but there must be 6 (name, start, min, max, c_end, r_end) or 7 (int or \
                 float behind the name)"
            ));
        }
    };
    let name = fields[0];
    if name.is_empty() {
        return Err(format!("no name in '{line}'"));
    }
    let number = |index: usize, key: &str| {
        let text = numbers[index];
        text.parse::<f64>()
            .map_err(|_| format!("'{name}' has {key} '{text}', which is no number"))
    };
    Ok(Parameter {
        name: name.to_owned(),
        kind,
        start: number(0, "start")?,
        min: number(1, "min")?,
        max: number(2, "max")?,
        c_end: number(3, "c_end")?,
        r_end: number(4, "r_end")?,
    })
}

fn kind_of(text: &str) -> Result<ValueKind, String> {
    match text {
        "int" => Ok(ValueKind::Integer),
        "float" => Ok(ValueKind::Real),
        _ => Err(format!("kind '{text}' is neither int nor float")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_of_lines_are_read_and_written_again() {
        let text = "# a comment\n\nlmr.base, 700, 0, 4096, 64, 0.002\nx, float, 0.5, 0, 1, 0.1, 0.002\n";
        let space = Space::parse(text, "s").unwrap();
        assert_eq!(space.parameters()[0].kind, ValueKind::Integer);
        assert_eq!(space.parameters()[1].kind, ValueKind::Real);
        assert_eq!(
            space.lines().lines().next(),
            Some("lmr.base, int, 700, 0, 4096, 64, 0.002")
        );
        assert_eq!(Space::parse(&space.lines(), "again").unwrap(), space);
    }

    #[test]
    fn a_wrong_line_is_named_with_its_number() {
        let message = |text: &str| Space::parse(text, "'s.txt'").unwrap_err().to_string();
        assert!(message("a, 1, 2\n").starts_with("'s.txt', line 1: 3 fields in 'a, 1, 2'"));
        assert!(message("\na, x, 0, 2, 1, 1\n").contains("line 2: 'a' has start 'x', which is no number"));
        assert!(message("a, bool, 1, 0, 2, 1, 1\n").contains("kind 'bool' is neither int nor float"));
        assert_eq!(
            message("a, 1, 2\n\na, x, 0, 2, 1, 1\n").lines().count(),
            2,
            "every line is told"
        );
        assert!(message("a, 1, 3, 2, 1, 1\n").contains("line 1: 'a' has min 3"));
        assert_eq!(message("# nothing\n"), "'s.txt': there is no parameter to tune");
    }
}
