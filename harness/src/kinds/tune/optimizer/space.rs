use crate::session::error::ExperimentError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Integer,
    Real,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub kind: ValueKind,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// Half the distance of the two sides at the end of the tuning.
    pub c_end: f64,
    /// The step for one game won at the end of the tuning, as a share of `c_end`.
    pub r_end: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct SpaceError {
    pub place: String,
    pub message: String,
}

impl SpaceError {
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> SpaceError {
        SpaceError {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl Parameter {
    pub fn clip(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }

    pub fn nearest(&self, value: f64) -> f64 {
        match self.kind {
            ValueKind::Integer => self.clip(value.round()),
            ValueKind::Real => self.clip(value),
        }
    }

    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ValueKind::Integer => format!("{:.0}", self.nearest(value)),
            ValueKind::Real => format!("{}", self.nearest(value)),
        }
    }

    fn fault(&self) -> Option<String> {
        let name = &self.name;
        let numbers = [
            ("start", self.start),
            ("min", self.min),
            ("max", self.max),
            ("c_end", self.c_end),
            ("r_end", self.r_end),
        ];
        if let Some((key, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
            return Some(format!("'{name}' has {key} {value}, which is no number"));
        }
        if self.min >= self.max {
            let (min, max) = (self.min, self.max);
            return Some(format!(
                "'{name}' has min {min}, which is not below its max {max}"
            ));
        }
        if self.start < self.min || self.start > self.max {
            let (start, min, max) = (self.start, self.min, self.max);
            return Some(format!(
                "'{name}' has start {start}, which is outside {min} to {max}"
            ));
        }
        if self.c_end <= 0.0 || self.r_end <= 0.0 {
            let (c, r) = (self.c_end, self.r_end);
            return Some(format!(
                "'{name}' has c_end {c} and r_end {r}, but both must be above 0"
            ));
        }
        if self.c_end > self.max - self.min {
            let c = self.c_end;
            return Some(format!(
                "'{name}' has c_end {c}, which is more than its whole range"
            ));
        }
        if self.kind == ValueKind::Real {
            return None;
        }
        if self.c_end < 0.5 {
            let c = self.c_end;
            return Some(format!(
                "'{name}' has c_end {c}, which rounds to nothing: a whole number needs at least 0.5"
            ));
        }
        let whole = [("start", self.start), ("min", self.min), ("max", self.max)];
        let broken = whole.into_iter().find(|(_, value)| value.fract() != 0.0);
        broken.map(|(key, value)| format!("'{name}' has {key} {value}, but takes whole numbers"))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    pub parameters: Vec<Parameter>,
}

impl Space {
    pub fn new(
        parameters: Vec<Parameter>,
        origin: &str,
        place: impl Fn(usize) -> String,
    ) -> Result<Space, SpaceError> {
        if parameters.is_empty() {
            return Err(SpaceError::new(origin, "there is no parameter to tune"));
        }
        for (index, parameter) in parameters.iter().enumerate() {
            if let Some(message) = parameter.fault() {
                return Err(SpaceError::new(place(index), message));
            }
            if parameters[..index]
                .iter()
                .any(|other| other.name == parameter.name)
            {
                let message = format!("'{}' comes a second time", parameter.name);
                return Err(SpaceError::new(place(index), message));
            }
        }
        Ok(Space { parameters })
    }

    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    #[must_use]
    pub(crate) fn with_widths(&self, widths: &[f64]) -> Space {
        let parameters = self.parameters.iter().zip(widths);
        let parameters = parameters.map(|(parameter, &c_end)| Parameter {
            c_end,
            ..parameter.clone()
        });
        Space {
            parameters: parameters.collect(),
        }
    }

    pub fn nearest(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.parameters.iter().zip(values);
        pairs
            .map(|(parameter, &value)| parameter.nearest(value))
            .collect()
    }
}

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
        self.parameters.iter().map(line).collect()
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

impl From<SpaceError> for ExperimentError {
    fn from(error: SpaceError) -> ExperimentError {
        ExperimentError::Input(error.to_string())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn parameter(name: &str, kind: ValueKind, c_end: f64) -> Parameter {
        Parameter {
            name: name.to_owned(),
            kind,
            start: 10.0,
            min: 0.0,
            max: 20.0,
            c_end,
            r_end: 0.002,
        }
    }

    fn fault(change: impl Fn(&mut Parameter)) -> String {
        let mut one = parameter("x", ValueKind::Integer, 2.0);
        change(&mut one);
        let error = Space::new(vec![one], "file", |index| format!("line {}", index + 1)).unwrap_err();
        error.to_string()
    }

    #[test]
    fn every_parameter_that_cannot_be_moved_is_named_with_its_place_and_value() {
        assert!(fault(|x| x.min = 20.0).contains("line 1: 'x' has min 20, which is not below its max 20"));
        assert!(fault(|x| x.start = 21.0).contains("start 21, which is outside 0 to 20"));
        assert!(fault(|x| x.c_end = 0.4).contains("c_end 0.4, which rounds to nothing"));
        assert!(fault(|x| x.c_end = 0.0).contains("must be above 0"));
        assert!(fault(|x| x.c_end = 21.0).contains("more than its whole range"));
        assert!(fault(|x| x.max = f64::INFINITY).contains("no number"));
        assert!(fault(|x| x.start = 9.5).contains("takes whole numbers"));
        let error = Space::new(Vec::new(), "file", |_| String::new()).unwrap_err();
        assert_eq!(error.to_string(), "file: there is no parameter to tune");
        let twice = vec![parameter("x", ValueKind::Real, 0.1); 2];
        let error = Space::new(twice, "file", |index| format!("line {}", index + 1)).unwrap_err();
        assert_eq!(error.to_string(), "line 2: 'x' comes a second time");
    }

    #[test]
    fn values_are_told_as_the_parameter_takes_them() {
        let integer = parameter("x", ValueKind::Integer, 1.0);
        assert_eq!(integer.text(3.6), "4");
        assert_eq!(integer.text(25.0), "20");
        assert_eq!(parameter("x", ValueKind::Real, 1.0).text(0.25), "0.25");
    }

    #[test]
    fn both_formats_of_lines_are_read_and_written_again() {
        let text = "# a comment\n\nlmr.base, 700, 0, 4096, 64, 0.002\nx, float, 0.5, 0, 1, 0.1, 0.002\n";
        let space = Space::parse(text, "s").unwrap();
        assert_eq!(space.parameters[0].kind, ValueKind::Integer);
        assert_eq!(space.parameters[1].kind, ValueKind::Real);
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
