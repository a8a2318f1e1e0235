//! From the words of a script to keys of ours.

use super::engine::{Engine, Limit};
use super::plan::Plan;

/// Rounds unless a script says something else.
const ROUNDS: u64 = 2;
/// What engines of chess take for their hash table unless they are told.
const HASH_MIB: &str = "16";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translation {
    pub(super) command: &'static str,
    pub(super) keys: Vec<(&'static str, String)>,
    /// Options of ours that stood among those of the script.
    pub(super) own: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Translation {
    /// The command as somebody would type it.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![self.command.to_owned()];
        for (key, value) in &self.keys {
            let long = format!("--{}", key.replace('_', "-"));
            match value.as_str() {
                "true" => words.push(long),
                // A value below zero is none of its own.
                value if value.starts_with('-') => words.push(format!("{long}={value}")),
                value => words.extend([long, value.to_owned()]),
            }
        }
        words.extend(self.own.clone());
        words
    }
}

/// Translates the options of a script.
pub(super) fn translate(words: &[String]) -> Result<Translation, String> {
    let mut plan = Plan::default();
    let mut own: Vec<String> = Vec::new();
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        let mut values = Vec::new();
        while let Some(value) = rest.next_if(|value| !is_option(value)) {
            values.push(value);
        }
        if word.starts_with("--") {
            own.push(word.to_owned());
            own.extend(values.into_iter().map(str::to_owned));
        } else if is_option(word) {
            plan.option(word, &values)?;
        } else {
            return Err(format!("'{word}' stands behind no option"));
        }
    }
    plan.has_concurrency |= own.iter().any(|word| word.starts_with("--concurrency"));
    whole(plan, own)
}

/// Numbers below zero are values.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-'))
}

fn whole(mut plan: Plan, own: Vec<String>) -> Result<Translation, String> {
    let engines: Vec<Engine> = plan
        .engines
        .iter()
        .map(|engine| engine.with(&plan.each))
        .collect();
    let is_match = engines.len() == 2;
    if engines.len() < 2 {
        return Err(format!(
            "there are {} engines: give at least two with -engine cmd=PROGRAM",
            engines.len()
        ));
    }
    if plan.sprt.is_some() && !is_match {
        return Err(format!(
            "-sprt is for two engines, but there are {}: leave it out",
            engines.len()
        ));
    }
    let limits = engines
        .iter()
        .map(Engine::limit)
        .collect::<Result<Vec<Limit>, String>>()?;
    let is_shared = limits.iter().all(|limit| *limit == limits[0]);
    let mut keys = vec![("game", "chess".to_owned())];
    let mut set = |key: &'static str, value: String| keys.push((key, value));
    for (number, (engine, limit)) in engines.iter().zip(&limits).enumerate() {
        let key = match (is_match, number) {
            (true, 0) => "a",
            (true, _) => "b",
            (false, _) => "player",
        };
        set(key, engine.text((!is_shared).then_some(limit))?);
    }
    if is_shared {
        set(limits[0].0, limits[0].1.clone());
    }
    if engines.iter().any(|engine| !engine.has_hash) {
        plan.warnings.push(format!(
            "no option.Hash for every engine: --hash {HASH_MIB} for those without"
        ));
        set("hash", HASH_MIB.to_owned());
    }
    length(&mut plan, is_match, &mut set)?;
    if !plan.has_concurrency {
        set("concurrency", "1".to_owned());
    }
    openings(&mut plan)?;
    keys.append(&mut plan.keys);
    Ok(Translation {
        command: if is_match { "match" } else { "tournament" },
        keys,
        own,
        warnings: plan.warnings,
    })
}

fn length(plan: &mut Plan, is_match: bool, set: &mut dyn FnMut(&'static str, String)) -> Result<(), String> {
    if let Some(pairs) = pairs(plan)? {
        set("pairs", pairs.to_string());
    }
    if let Some(sprt) = &plan.sprt {
        set("sprt", sprt.clone());
    }
    let plies = plan.max_moves.unwrap_or(0).saturating_mul(2);
    set("max_plies", plies.to_string());
    match (plan.seeds, plan.is_gauntlet && !is_match) {
        (first, true) => set("gauntlet", first.unwrap_or(1).to_string()),
        (Some(first), false) => {
            let warning =
                format!("-seeds {first} means nothing without -tournament gauntlet and a third engine");
            plan.warnings.push(warning);
        }
        (None, false) => {}
    }
    Ok(())
}

fn pairs(plan: &Plan) -> Result<Option<u64>, String> {
    let games = plan.games.unwrap_or(2);
    if games == 0 || !games.is_multiple_of(2) {
        return Err(format!(
            "-games {games}: games come in pairs here, each opening with both colours: give -games 2"
        ));
    }
    match plan.rounds {
        None if plan.sprt.is_some() => Ok(None),
        rounds => Ok(Some(rounds.unwrap_or(ROUNDS).saturating_mul(games / 2))),
    }
}

fn openings(plan: &mut Plan) -> Result<(), String> {
    if plan.has_openings {
        return Ok(());
    }
    if plan.is_fischerandom {
        return Err(
            "-variant fischerandom has no openings: make them with tanren openings generate --chess960 --out c960.epd, and \
             give -openings file=c960.epd"
                .to_owned(),
        );
    }
    let warning = "no -openings: those that are built in, where their games would all begin alike";
    plan.warnings.push(warning.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(script: &str) -> Result<String, String> {
        let words = shlex::split(script).unwrap();
        translate(&words).map(|translation| translation.words().join(" "))
    }

    #[test]
    fn a_test_of_two_engines_becomes_a_match() {
        let script = "-engine cmd=/bin/new name=new option.Threads=2 -engine cmd=/bin/old name=old args='--uci x' \
             -each proto=uci tc=10+0.1 option.Hash=64 timemargin=50 -rounds 5000 -games 2 -repeat -concurrency 4 \
             -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=logistic -resign movecount=3 score=600 twosided=true \
             -draw movenumber=40 movecount=8 score=10 -maxmoves 200 -openings file=b.pgn format=pgn order=random plies=16 \
             -srand 7 -pgnout file=out.pgn notation=san -recover --out x";
        let expected = "match --game chess --a uci:/bin/new,option.Hash=64,time_margin_ms=50,option.Threads=2,name=new \
             --b uci:/bin/old --uci x,option.Hash=64,time_margin_ms=50,name=old --tc 10+0.1 --pairs 5000 \
             --sprt elo0=0,elo1=5,alpha=0.05,beta=0.1,model=logistic --max-plies 400 --concurrency 4 \
             --resign score=600,moves=3,both --draw from=80,moves=8,score=10 --openings b.pgn --plies 16 --order random \
             --seed 7 --pgn out.pgn --out x";
        assert_eq!(translated(script).as_deref(), Ok(expected));
    }

    #[test]
    fn limits_of_one_engine_alone_and_more_than_two_engines_have_their_words() {
        let two = translated(
            "-engine cmd=/a st=0.1 -engine cmd=/b tc=40/60 -each option.Hash=1 -games 4 -rounds 3",
        )
        .unwrap();
        assert!(
            two.contains(
                "--a uci:/a,option.Hash=1,movetime=100 --b uci:/b,option.Hash=1,tc=40/60+0 --pairs 6"
            ),
            "{two}"
        );
        let three = "-engine cmd=/a name=x nodes=5 -engine cmd=/b depth=3 -engine cmd=/c depth=3 -tournament gauntlet";
        let three = translated(three).unwrap();
        assert!(
            three.starts_with(
                "tournament --game chess --player uci:/a,nodes=5,name=x --player uci:/b,depth=3 --player"
            ) && three.contains("--hash 16 --pairs 2 --max-plies 0 --gauntlet 1"),
            "{three}"
        );
    }

    #[test]
    fn what_stands_with_each_goes_before_an_engines_own_as_it_does_there() {
        let script = "-engine cmd=/a tc=5+1 option.Hash=1 ponder -engine cmd=/b option.Hash=2 -each tc=1:30+0.5 option.Hash=8";
        let expected = "match --game chess --a uci:/a,option.Hash=8,ponder=on --b uci:/b,option.Hash=8 --tc 90+0.5 --pairs 2";
        let words = translated(script).unwrap();
        assert!(words.starts_with(expected), "{words}");
        let both = translated("-engine cmd=/a nodes=5 -engine cmd=/b -each depth=3").unwrap_err();
        assert!(both.contains("two limits"), "{both}");
    }

    #[test]
    fn one_pair_at_a_time_unless_more_are_asked_for_and_values_below_zero_stay_with_their_option() {
        let two = "-engine cmd=/a -engine cmd=/b -each nodes=5 option.Hash=1 -openings file=x";
        let words = translated(&format!("{two} -srand -5")).unwrap();
        assert!(
            words.contains("--concurrency 1") && words.contains("--seed=-5"),
            "{words}"
        );
        for asked in ["-concurrency 3", "--concurrency 3"] {
            let words = translated(&format!("{two} {asked}")).unwrap();
            assert_eq!(words.matches("--concurrency").count(), 1, "{words}");
        }
        let three = translated(&format!("{two} -engine cmd=/c -seeds 2")).unwrap();
        assert!(!three.contains("--gauntlet"), "{three}");
        let three = translated(&format!("{two} -engine cmd=/c -tournament gauntlet -seeds 2")).unwrap();
        assert!(three.contains("--gauntlet 2"), "{three}");
    }

    #[test]
    fn a_text_of_a_script_sets_what_it_stands_behind_and_nothing_else() {
        let script = r"-engine cmd=/a 'initstr=setoption name Hash value 8\nsetoption name X value 3' 'name=a, b' ponder=off restart=auto
             -engine cmd=/b -each nodes=5 option.Hash=1";
        let words = translated(script).unwrap();
        let expected = ",init=setoption name Hash value 8,init=setoption name X value 3,ponder=off,restart=fault,name=a, b ";
        assert!(words.contains(expected), "{words}");
        let two = "-engine cmd=/b -each nodes=5 option.Hash=1";
        for engine in [
            "cmd=/a name=v2,ponder=on",
            "cmd=/a,memory_mib=1",
            "cmd=/a option.File=x,option.Hash=9",
            "cmd=/a arg=x,ponder=on",
            "cmd=/a arg=x,nodes=9",
            "cmd=/a 'name=a '",
        ] {
            let message = translated(&format!("-engine {engine} {two}")).unwrap_err();
            assert!(message.contains("another key"), "{engine}: {message}");
        }
    }

    #[test]
    fn tables_moves_and_cores_are_taken_as_they_mean_them() {
        let two = "-engine cmd=/a -engine cmd=/b -each nodes=5 option.Hash=1 -openings file=x";
        let words = translated(&format!("{two} -tb /tables -tbpieces 7 -tbadjudicate BOTH")).unwrap();
        assert!(words.contains("--syzygy /tables"), "{words}");
        let words = translated(&format!("{two} -draw movenumber=10 -resign score=500")).unwrap();
        assert!(
            words.contains("--draw from=20,moves=1,score=0 --resign score=500,moves=1"),
            "{words}"
        );
        let script = shlex::split(&format!("{two} -use-affinity 1,2 -check-mate-pvs -ping-ms 9")).unwrap();
        let translation = translate(&script).unwrap();
        assert!(translation.keys.contains(&("pin_cores", "true".to_owned())));
        let warnings = translation.warnings.join("\n");
        for option in ["-use-affinity 1,2", "-check-mate-pvs", "-ping-ms 9"] {
            assert!(warnings.contains(option), "{option}: {warnings}");
        }
    }

    #[test]
    fn what_means_nothing_is_named_and_what_would_change_results_is_refused() {
        let two = "-engine cmd=/a -engine cmd=/b -each nodes=5";
        let words = shlex::split(&format!("{two} -recover -ratinginterval 10 -log file=x.log")).unwrap();
        let warnings = translate(&words).unwrap().warnings.join("\n");
        for option in [
            "-recover",
            "-ratinginterval 10",
            "-log file=x.log",
            "option.Hash",
            "-openings",
        ] {
            assert!(warnings.contains(option), "{option}: {warnings}");
        }
        for (script, reason) in [
            ("-noswap", "both colours"),
            ("-tb /tables:/more", "one folder"),
            ("-tbpieces 5", "all tables"),
            ("-tbadjudicate DRAW", "BOTH"),
            ("-tbignore50", "fifty moves"),
            ("-each whitepov", "mover's"),
            ("-each tc=1:x+1", "minutes and seconds"),
            ("-games 1", "-games 2"),
            ("-repeat 3", "twice"),
            ("-variant atomic", "fischerandom"),
            ("-variant fischerandom", "--chess960"),
            ("-sprt elo0=0 elo1=5 model=bayesian", "normalized and logistic"),
            ("-openings file=x start=9", "cut off"),
            ("-tournament knockout", "gauntlet"),
            ("-each tc=1+1", "two limits"),
            ("-each proto=xboard", "UCI"),
            ("-each book=x", "no counterpart"),
            ("-unheard", "no option"),
            ("-engine cmd=/c -sprt elo0=0 elo1=5", "two engines"),
            ("-rounds many", "whole number"),
            ("-sprt", "elo0"),
            ("-sprt elo0=0", "elo1"),
            ("-resign score=400 twosided=TRUE", "neither true nor false"),
            ("-each ponder=yes", "neither true nor false"),
            ("-each restart=wat", "off or auto"),
            ("-each name=x", "told apart"),
            ("-engine cmd=/c name=x name=y", "two names"),
        ] {
            let message = translated(&format!("{two} {script}")).unwrap_err();
            assert!(message.contains(reason), "{script}: {message}");
        }
        assert!(
            translated("-engine cmd=/a -each nodes=5")
                .unwrap_err()
                .contains("at least two")
        );
        assert!(
            translated("-engine cmd=/a -engine cmd=/b")
                .unwrap_err()
                .contains("no limit")
        );
    }
}
