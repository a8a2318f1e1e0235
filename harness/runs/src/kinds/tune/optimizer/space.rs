use tanren_engine::config::{Config, Setting, SettingKind};
use tanren_engine::game::Game;

/// Where nothing else is said.
const R_END: f64 = 0.002;
/// Of its range, as OpenBench has it.
const WIDTH_SHARE: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Integer,
    Real,
}

/// A width for want of a better one.
fn unmeasured(kind: ValueKind, [start, min, max]: [f64; 3]) -> f64 {
    let least = if kind == ValueKind::Integer { 0.5 } else { 0.0 };
    let usual = WIDTH_SHARE * (max - min);
    let room = 0.5 * (start - min).min(max - start);
    let width = if room > 0.0 { usual.min(room) } else { usual };
    rounded_width(width).max(least)
}

/// To three digits.
pub(in crate::kinds::tune) fn rounded_width(width: f64) -> f64 {
    if width <= 0.0 || !width.is_finite() {
        return width;
    }
    let unit = 10f64.powf(width.log10().floor() - 2.0);
    // A decimal that is read back as it was written.
    let text = format!(
        "{:.*}",
        (-unit.log10()).round().max(0.0) as usize,
        (width / unit).round() * unit
    );
    text.parse().unwrap_or(width)
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

impl Parameter {
    pub fn clip(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }

    /// How far `value` is from the start, in units of `c_end`.
    pub fn place(&self, value: f64) -> f64 {
        (value - self.start) / self.c_end
    }

    pub fn nearest(&self, value: f64) -> f64 {
        let value = match self.kind {
            ValueKind::Integer => value.round(),
            ValueKind::Real => value,
        };
        // Some engines do not read -0.
        self.clip(value) + 0.0
    }

    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ValueKind::Integer => format!("{:.0}", self.nearest(value)),
            ValueKind::Real => format!("{}", self.nearest(value)),
        }
    }

    /// From `name, int|float, start, min, max, c_end, r_end`; without a kind it is a whole number, and the last two may be left out.
    fn parse(line: &str) -> Result<Parameter, String> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let (name, kind, numbers) = match fields[..] {
            [name, ref numbers @ ..] if matches!(numbers.len(), 3 | 5) => (name, "int", numbers),
            [name, kind, ref numbers @ ..] if matches!(numbers.len(), 3 | 5) => (name, kind, numbers),
            _ => {
                let found = fields.len();
                return Err(format!(
                    "{found} fields in '{line}', but there must be a name, int or float, start, min and max, and c_end and \
                     r_end unless they are to be measured"
                ));
            }
        };
        if name.is_empty() {
            return Err(format!("no name in '{line}'"));
        }
        let number = |index: usize, key: &str| {
            let text = numbers[index];
            let refuse = |_| format!("'{name}' has {key} '{text}', which is no number");
            text.parse::<f64>().map_err(refuse)
        };
        let kind = match kind {
            "int" => ValueKind::Integer,
            "float" => ValueKind::Real,
            _ => return Err(format!("kind '{kind}' is neither int nor float")),
        };
        let (start, min, max) = (number(0, "start")?, number(1, "min")?, number(2, "max")?);
        let (c_end, r_end) = match numbers.len() {
            3 => (unmeasured(kind, [start, min, max]), R_END),
            _ => (number(3, "c_end")?, number(4, "r_end")?),
        };
        Ok(Parameter {
            name: name.to_owned(),
            kind,
            start,
            min,
            max,
            c_end,
            r_end,
        })
    }

    fn of_setting(game: Game, config: &Config, setting: &Setting) -> Option<Parameter> {
        let SettingKind::Int { min, max, step, .. } = setting.kind else {
            return None;
        };
        Some(Parameter {
            name: setting.name.to_owned(),
            kind: ValueKind::Integer,
            start: config.get(game, setting.name)?.parse().ok()?,
            min: f64::from(min),
            max: f64::from(max),
            c_end: f64::from(step),
            r_end: R_END,
        })
    }

    fn check(&self) -> Result<(), String> {
        let Parameter {
            start,
            min,
            max,
            c_end,
            r_end,
            ..
        } = *self;
        let keys = ["start", "min", "max", "c_end", "r_end"].into_iter();
        let numbers: Vec<(&str, f64)> = keys.zip([start, min, max, c_end, r_end]).collect();
        let is_whole = self.kind == ValueKind::Integer;
        let no_number = numbers.iter().find(|(_, value)| !value.is_finite());
        let broken = numbers[..3].iter().find(|(_, value)| value.fract() != 0.0);
        let fault = if let Some((key, value)) = no_number {
            format!("{key} {value}, which is no number")
        } else if min >= max {
            format!("min {min}, which is not below its max {max}")
        } else if start < min || start > max {
            format!("start {start}, which is outside {min} to {max}")
        } else if c_end <= 0.0 || r_end <= 0.0 {
            format!("c_end {c_end} and r_end {r_end}, but both must be above 0")
        } else if c_end > max - min {
            format!("c_end {c_end}, which is more than its whole range")
        } else if is_whole && c_end < 0.5 {
            format!("c_end {c_end}, which rounds to nothing: a whole number needs at least 0.5")
        } else if is_whole && let Some((key, value)) = broken {
            format!("{key} {value}, but takes whole numbers")
        } else {
            return Ok(());
        };
        Err(format!("'{}' has {fault}", self.name))
    }

    /// Is it a number of the built-in engine, whose range holds its own?
    fn check_builtin(&self, game: Game) -> Result<(), String> {
        let Parameter { name, min, max, .. } = self;
        let Some(setting) = Config::settings(game).find(|setting| setting.name == name) else {
            let set = Config::default().set(game, name, "0");
            return set.map(drop).map_err(|error| error.to_string());
        };
        match setting.kind {
            SettingKind::Int { .. } if self.kind == ValueKind::Real => {
                Err(format!("'{name}' is float, but the engine takes whole numbers"))
            }
            SettingKind::Int {
                min: low, max: high, ..
            } if *min < low.into() || *max > high.into() => Err(format!(
                "'{name}' has the range {min} to {max}, but the engine takes {low} to {high}"
            )),
            SettingKind::Int { .. } => Ok(()),
            _ => Err(format!("'{name}' is no number but {}", setting.expected())),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    pub parameters: Vec<Parameter>,
}

impl Space {
    /// Parses `text`, which messages call `origin`. Blank lines and those that begin with `#` are skipped. With a game every
    /// parameter must be one of its built-in engine. An error has a line for each fault, with its place.
    pub fn parse(text: &str, origin: &str, builtin: Option<Game>) -> Result<Space, String> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut wrong = Vec::new();
        for (number, line) in (1_usize..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let checked = Parameter::parse(line).and_then(|parameter| {
                parameter.check()?;
                if parameters.iter().any(|other| other.name == parameter.name) {
                    return Err(format!("'{}' comes a second time", parameter.name));
                }
                builtin.map_or(Ok(()), |game| parameter.check_builtin(game))?;
                Ok(parameter)
            });
            match checked {
                Ok(parameter) => parameters.push(parameter),
                Err(message) => wrong.push(format!("{origin}, line {number}: {message}")),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong.join("\n"));
        }
        if parameters.is_empty() {
            return Err(format!("{origin}: there is no parameter to tune"));
        }
        Ok(Space { parameters })
    }

    pub fn lines(&self) -> String {
        let line = |parameter: &Parameter| {
            let kind = match parameter.kind {
                ValueKind::Integer => "int",
                ValueKind::Real => "float",
            };
            let Parameter {
                name,
                start,
                min,
                max,
                c_end,
                r_end,
                ..
            } = parameter;
            format!("{name}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}\n")
        };
        self.parameters.iter().map(line).collect()
    }

    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    pub fn nearest(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.parameters.iter().zip(values);
        pairs
            .map(|(parameter, &value)| parameter.nearest(value))
            .collect()
    }
}

/// Every number of the built-in engine that one of `patterns` describes, but for those of which `idle` says why they do nothing.
pub fn expand(
    game: Game,
    config: &Config,
    patterns: &[String],
    idle: &dyn Fn(&'static str) -> Option<String>,
) -> Result<Space, String> {
    let numbers = || Config::settings(game).filter(|setting| matches!(setting.kind, SettingKind::Int { .. }));
    for pattern in patterns {
        let mut whys = numbers()
            .filter(|setting| matches(pattern, setting.name))
            .map(|setting| idle(setting.name));
        let message = match whys.next() {
            None => {
                let is_setting = Config::settings(game).any(|setting| matches(pattern, setting.name));
                match is_setting {
                    true => format!("--tune: '{pattern}' is a switch: write '{pattern}.*' for its numbers"),
                    false => {
                        format!("--tune: '{pattern}' matches nothing; `tanren params` lists every number")
                    }
                }
            }
            Some(Some(why)) if whys.all(|why| why.is_some()) => format!("--tune: '{pattern}': {why}"),
            Some(_) => continue,
        };
        return Err(message);
    }
    let wanted = |setting: &&Setting| {
        patterns.iter().any(|pattern| matches(pattern, setting.name)) && idle(setting.name).is_none()
    };
    let parameters = numbers().filter(wanted);
    let parameters = parameters.filter_map(|setting| Parameter::of_setting(game, config, setting));
    Ok(Space {
        parameters: parameters.collect(),
    })
}

/// Is `name` what `pattern` describes? Every `*` stands for any text, also none.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, pattern)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(rest) = name.strip_prefix(head) else {
        return false;
    };
    (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| matches(pattern, rest)))
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

    #[test]
    fn every_line_that_is_no_parameter_is_told_with_its_number_and_value() {
        let cases: toml::Table = include_str!("wrong_spaces.toml").parse().unwrap();
        for (of, cases) in &cases {
            let builtin = (of == "shogi").then_some(Game::Shogi);
            for (text, expected) in cases.as_table().unwrap() {
                let message = Space::parse(text, "'s.txt'", builtin).unwrap_err();
                assert!(message.contains(expected.as_str().unwrap()), "{text}: {message}");
            }
        }
    }

    #[test]
    fn values_are_told_as_the_parameter_takes_them() {
        let integer = parameter("x", ValueKind::Integer, 1.0);
        assert_eq!(
            (integer.text(3.6), integer.text(25.0)),
            ("4".to_owned(), "20".to_owned())
        );
        let real = parameter("x", ValueKind::Real, 1.0);
        assert_eq!(real.text(0.25), "0.25");
        for centred in [integer, real].map(|parameter| Parameter {
            min: -20.0,
            ..parameter
        }) {
            assert_eq!([-0.0, 0.0].map(|value| centred.text(value)), ["0", "0"]);
        }
        assert_eq!(
            Parameter {
                min: -20.0,
                ..parameter("x", ValueKind::Integer, 1.0)
            }
            .text(-0.4),
            "0"
        );
    }

    #[test]
    fn both_formats_of_lines_are_read_and_written_again() {
        let text = "# a comment\n\nlmr.base, 700, 0, 4096, 64, 0.002\nx, float, 0.5, 0, 1, 0.1, 0.002\n";
        let lines = "lmr.base, int, 700, 0, 4096, 64, 0.002\nx, float, 0.5, 0, 1, 0.1, 0.002\n";
        let space = Space::parse(text, "s", None).unwrap();
        assert_eq!(space.lines(), lines);
        let bare = Space::parse("a, 32, 4, 512\nb, float, 0.01, 0, 1\nc, 0, 0, 5\n", "s", None).unwrap();
        let widths = bare.parameters.iter().map(|parameter| parameter.c_end);
        assert_eq!(widths.collect::<Vec<_>>(), [14.0, 0.005, 0.5]);
        assert_eq!(Space::parse(lines, "again", None), Ok(space));
    }

    #[test]
    fn a_pattern_is_every_number_of_that_name_and_no_switch() {
        let names = |patterns: &[&str]| -> Vec<String> {
            let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
            let space = expand(Game::Shogi, &Config::default(), &patterns, &|_| None).unwrap();
            space
                .parameters
                .into_iter()
                .map(|parameter| parameter.name)
                .collect()
        };
        let lmr = names(&["lmr.*"]);
        assert!(lmr.contains(&"lmr.base".to_owned()) && !lmr.contains(&"lmr.formula".to_owned()));
        assert_eq!(names(&["lmr.base", "lmr.b*"]), ["lmr.base"]);
        assert!(names(&["eval.*.pawn"]).contains(&"eval.hand.pawn".to_owned()));
        assert!(matches("a*b*c", "axxbyc") && !matches("a*b*c", "axxc") && !matches("ab", "abc"));
    }

    #[test]
    fn every_number_of_the_engine_makes_a_parameter_that_can_be_moved() {
        for game in [Game::Shogi, Game::Chess] {
            let all = expand(game, &Config::default(), &["*".to_owned()], &|_| None).unwrap();
            assert_eq!(Space::parse(&all.lines(), "all", Some(game)), Ok(all));
        }
    }
}
