//! What is tuned: parameters with their ranges and steps.

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
    parameters: Vec<Parameter>,
}

impl Space {
    /// Checks `parameters`; `place` says where the one of a number stands, and `origin` where all of them do.
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

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The same with these values of `c_end`, which must be such as [`new`](Space::new) takes.
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
}
