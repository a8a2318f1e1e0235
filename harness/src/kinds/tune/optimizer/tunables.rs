use tanren_engine::config::{Config, Setting, SettingKind};
use tanren_engine::game::Game;

use super::{Parameter, Space, SpaceError, ValueKind};

/// The step for one game won at the end, as a share of `c_end`, where nothing else is said.
const R_END: f64 = 0.002;

pub fn expand(game: Game, config: &Config, patterns: &[String]) -> Result<Space, SpaceError> {
    for pattern in patterns {
        if !Config::settings(game).any(|setting| is_number(setting) && matches(pattern, setting.name)) {
            let is_setting = Config::settings(game).any(|setting| matches(pattern, setting.name));
            let what = if is_setting { "only switches" } else { "nothing" };
            let message = format!("'{pattern}' matches {what}; `tanren params` lists every number");
            return Err(SpaceError::new("--tune", message));
        }
    }
    let wanted = |setting: &&Setting| patterns.iter().any(|pattern| matches(pattern, setting.name));
    let parameters = Config::settings(game).filter(wanted);
    let parameters = parameters
        .filter_map(|setting| parameter(game, config, setting))
        .collect();
    Space::new(parameters, "--tune", |_| "--tune".to_owned())
}

impl Space {
    /// Checks that every parameter is a number of the built-in engine whose range holds the parameter's. `origin` is what
    /// messages call the space, and `line_of` finds the line of a parameter.
    pub fn check_builtin(&self, game: Game, place: impl Fn(&str) -> String) -> Result<(), SpaceError> {
        for parameter in &self.parameters {
            let name = parameter.name.as_str();
            let fail = |message: String| Err(SpaceError::new(place(name), message));
            let Some(setting) = Config::settings(game).find(|setting| setting.name == name) else {
                let error = Config::default().set(game, name, "0").err();
                return fail(error.map_or_else(String::new, |error| error.to_string()));
            };
            let SettingKind::Int { min, max, .. } = setting.kind else {
                return fail(format!("'{name}' is no number but {}", setting.expected()));
            };
            if parameter.kind == ValueKind::Real {
                return fail(format!("'{name}' is float, but the engine takes whole numbers"));
            }
            if parameter.min < f64::from(min) || parameter.max > f64::from(max) {
                let (low, high) = (parameter.min, parameter.max);
                return fail(format!(
                    "'{name}' has the range {low} to {high}, but the engine takes {min} to {max}"
                ));
            }
        }
        Ok(())
    }
}

fn is_number(setting: &Setting) -> bool {
    matches!(setting.kind, SettingKind::Int { .. })
}

fn parameter(game: Game, config: &Config, setting: &Setting) -> Option<Parameter> {
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

/// Is `name` what `pattern` describes? Every `*` stands for any text, also none.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(patterns: &[&str]) -> Vec<String> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let space = expand(Game::Shogi, &Config::default(), &patterns).unwrap();
        space
            .parameters
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect()
    }

    #[test]
    fn a_pattern_is_every_number_of_that_name_and_no_switch() {
        let lmr = names(&["lmr.*"]);
        assert!(lmr.contains(&"lmr.base".to_owned()) && !lmr.contains(&"lmr.formula".to_owned()));
        assert_eq!(names(&["lmr.base", "lmr.b*"]), ["lmr.base"]);
        assert!(names(&["eval.*.pawn"]).contains(&"eval.hand.pawn".to_owned()));
        assert!(matches("a*b*c", "axxbyc") && !matches("a*b*c", "axxc") && !matches("ab", "abc"));
    }

    #[test]
    fn every_number_of_the_engine_makes_a_parameter_that_can_be_moved() {
        for game in [Game::Shogi, Game::Chess] {
            let all = expand(game, &Config::default(), &["*".to_owned()]).unwrap();
            all.check_builtin(game, |_| String::new()).unwrap();
        }
    }

    #[test]
    fn what_is_no_number_of_the_engine_is_named() {
        let message = |text: &str| {
            let space = Space::parse(text, "s").unwrap();
            let error = space
                .check_builtin(Game::Shogi, |name| format!("at {name}"))
                .unwrap_err();
            error.to_string()
        };
        assert!(
            message("lmr.bas, 1, 0, 2, 1, 1").contains("at lmr.bas: unknown setting 'lmr.bas' (did you mean")
        );
        assert!(message("lmr, 1, 0, 2, 1, 1").contains("no number but on or off"));
        assert!(message("lmr.base, 1, -5, 2, 1, 1").contains("takes 0 to 4096"));
        assert!(message("lmr.base, float, 1, 0, 2, 1, 1").contains("whole numbers"));
        let error = expand(Game::Shogi, &Config::default(), &["nothing.*".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("'nothing.*' matches nothing"));
    }
}
