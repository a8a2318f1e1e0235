//! The referee's rules as the options that shogi engines have for them.

use tanren_engine::config::DeclarationRule;

use super::option::EngineOption;
use super::program::settings;
use crate::config::{EngineProtocol, ProcessSpec, Rules};

/// A rule with the options that tell it (the names of YaneuraOu and dlshogi) and the values, the first that fits.
struct RuleOption {
    names: &'static [&'static str],
    values: Vec<String>,
    rule: String,
    /// Do engines without an option for it play by it anyway?
    is_usual: bool,
}

fn rule_options(rules: &Rules) -> [RuleOption; 2] {
    let values = match rules.plies_max {
        0 => vec!["0".to_owned(), "100000".to_owned()],
        plies => vec![plies.to_string()],
    };
    [
        RuleOption {
            names: &["EnteringKingRule"],
            values: vec![rules.declaration.usi_name().to_owned()],
            rule: format!("declaration {}", rules.declaration.name()),
            is_usual: rules.declaration == DeclarationRule::default(),
        },
        RuleOption {
            names: &["MaxMovesToDraw", "Draw_Ply"],
            values,
            rule: format!("max_plies {}", rules.plies_max),
            is_usual: true,
        },
    ]
}

impl RuleOption {
    fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The option of an engine for it, and the line that sets it where a value fits.
    fn line<'a>(&self, announced: &'a [EngineOption]) -> Option<(&'a EngineOption, Option<String>)> {
        let option = announced.iter().find(|option| self.is_named(&option.name))?;
        let line = self.values.iter().find_map(|value| option.set_line(value).ok());
        Some((option, line))
    }

    fn given<'a>(&self, spec: &'a ProcessSpec) -> Option<(&'a str, &'a str)> {
        settings(spec).filter(|(name, _)| self.is_named(name)).last()
    }

    fn warning(&self, spec: &ProcessSpec, announced: &[EngineOption]) -> Option<String> {
        let rule = &self.rule;
        if let Some((name, value)) = self.given(spec) {
            let is_right = self.values.iter().any(|right| right.eq_ignore_ascii_case(value));
            return (!is_right).then(|| {
                format!(
                    "option {name} is {value}, but the referee plays by {rule} ({})",
                    self.values[0]
                )
            });
        }
        match self.line(announced) {
            Some((_, Some(_))) => None,
            Some((option, None)) => Some(format!(
                "its option {} does not take {}, so it does not know that the referee plays by {rule}",
                option.name, self.values[0]
            )),
            None if self.is_usual => None,
            None => Some(format!(
                "it has no option {}, so it does not know that the referee plays by {rule}",
                self.names[0]
            )),
        }
    }
}

/// The lines that tell an engine the rules, as far as it has options for them that its player does not set.
pub(super) fn lines(rules: &Rules, spec: &ProcessSpec, announced: &[EngineOption]) -> String {
    let options = rule_options(rules);
    let own = options.iter().filter(|option| option.given(spec).is_none());
    own.filter_map(|option| option.line(announced)?.1).collect()
}

/// Where an engine plays by other rules than the referee, as far as its options tell.
pub fn rule_warnings(rules: &Rules, spec: &ProcessSpec, announced: &[EngineOption]) -> Vec<String> {
    if spec.protocol != EngineProtocol::Usi {
        return Vec::new();
    }
    let options = rule_options(rules);
    options
        .iter()
        .filter_map(|option| option.warning(spec, announced))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fitness::tests::spec;
    use super::*;

    const KING: &str = "name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 var CSARule24H \
        var CSARule27 var CSARule27H var TryRule";
    const MAX: &str = "name MaxMovesToDraw type spin default 0 min 0 max 100000";
    const MAX_FROM_1: &str = "name Draw_Ply type spin default 100000 min 1 max 100000";
    const OLD_KING: &str = "name EnteringKingRule type combo default CSARule27 var CSARule27 var CSARule24";

    /// Rule and longest game, the options that are announced, the player's own; what the engine is told, and warned of.
    type Case = (
        &'static str,
        u32,
        &'static [&'static str],
        &'static str,
        &'static str,
        &'static str,
    );

    const CASES: [Case; 9] = [
        (
            "24",
            320,
            &[KING, MAX],
            "",
            "EnteringKingRule=CSARule24 MaxMovesToDraw=320",
            "",
        ),
        (
            "27h",
            0,
            &[KING, MAX_FROM_1],
            "",
            "EnteringKingRule=CSARule27H Draw_Ply=100000",
            "",
        ),
        (
            "try",
            0,
            &[KING, MAX],
            "",
            "EnteringKingRule=TryRule MaxMovesToDraw=0",
            "",
        ),
        ("off", 512, &[KING], "", "EnteringKingRule=NoEnteringKing", ""),
        ("27", 512, &[], "", "", ""),
        (
            "24",
            512,
            &[],
            "",
            "",
            "it has no option EnteringKingRule, so it does not know that the referee plays by declaration 24",
        ),
        (
            "24h",
            512,
            &[OLD_KING],
            "",
            "",
            "its option EnteringKingRule does not take CSARule24H, so it does not know that the referee plays by declaration 24h",
        ),
        (
            "27",
            256,
            &[KING, MAX],
            ",option.enteringkingrule=csarule27,option.MaxMovesToDraw=256",
            "",
            "",
        ),
        (
            "27",
            512,
            &[KING, MAX],
            ",option.MaxMovesToDraw=256,init=setoption name EnteringKingRule value CSARule24",
            "",
            "option EnteringKingRule is CSARule24, but the referee plays by declaration 27 (CSARule27)\n\
                 option MaxMovesToDraw is 256, but the referee plays by max_plies 512 (512)",
        ),
    ];

    #[test]
    fn an_engine_is_told_the_rules_that_it_has_options_for_and_the_user_is_warned_of_the_others() {
        for (declaration, plies_max, announced, own, told, warned) in CASES {
            let rules = Rules {
                declaration: DeclarationRule::from_name(declaration).unwrap(),
                plies_max,
                ..Rules::default()
            };
            let announced = announced.iter().map(|text| EngineOption::parse(text).unwrap());
            let (announced, spec) = (announced.collect::<Vec<_>>(), spec(&format!("usi:x{own}")));
            let lines = lines(&rules, &spec, &announced);
            let lines = lines
                .lines()
                .map(|line| line.replace("setoption name ", "").replace(" value ", "="));
            assert_eq!(lines.collect::<Vec<_>>().join(" "), told, "{declaration} {own}");
            assert_eq!(rule_warnings(&rules, &spec, &announced).join("\n"), warned);
        }
    }
}
