//! What a script wants, option by option.

use super::engine::Engine;

/// Options that only show or keep something, or that are so here anyway.
const MEANINGLESS: &str = "-recover -repeat -reverse -ratinginterval -scoreinterval -outcomeinterval -autosaveinterval -report -output -event -site \
    -log -debug -epdout -crc32 -show-latency -testEnv -wait -bookmode -livepgnout -resultformat -strict -randomseed -check-mate-pvs -ucinewgame-ms -ping-ms";
/// What would change results, and what to do instead.
const BOTH_COLOURS: &str = "games come in pairs here, each opening with both colours: leave it out";
const REFUSED: [(&str, &str); 7] = [
    ("-noswap", BOTH_COLOURS),
    (
        "-tbignore50",
        "fifty moves without a capture or a pawn's move draw here, whatever the tables: leave it out",
    ),
    (
        "-quick",
        "write its two engines with -engine and its book with -openings",
    ),
    (
        "-config",
        "a configuration of theirs cannot be read: give its options",
    ),
    ("-compliance", "use tanren check uci:COMMAND --game chess"),
    ("-book", "use -openings file=FILE"),
    ("-swap", BOTH_COLOURS),
];

/// No tables have more men.
const MEN_OF_ALL_TABLES: u64 = 7;

#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) engines: Vec<Engine>,
    pub(super) each: Engine,
    pub(super) rounds: Option<u64>,
    pub(super) games: Option<u64>,
    pub(super) sprt: Option<String>,
    pub(super) has_openings: bool,
    pub(super) has_concurrency: bool,
    pub(super) max_moves: Option<u64>,
    pub(super) is_fischerandom: bool,
    pub(super) seeds: Option<u64>,
    pub(super) is_gauntlet: bool,
    /// Keys of ours that need no more thought.
    pub(super) keys: Vec<(&'static str, String)>,
    pub(super) warnings: Vec<String>,
}

impl Plan {
    /// Takes in an option and what stands behind it.
    pub(super) fn option(&mut self, name: &str, values: &[&str]) -> Result<(), String> {
        let single = || match values {
            [value] => Ok((*value).to_owned()),
            _ => Err(format!("{name} has {} values, but must have one", values.len())),
        };
        let number = || {
            let value = single()?;
            value
                .parse::<u64>()
                .map_err(|_| format!("{name} is '{value}', but must be a whole number"))
        };
        match name {
            "-engine" => {
                let mut engine = Engine::default();
                self.engine(&mut engine, values)?;
                self.engines.push(engine);
            }
            "-each" => self.each(values)?,
            "-rounds" => self.rounds = Some(number()?),
            "-games" => self.games = Some(number()?),
            "-repeat" if !matches!(values, [] | ["2" | "true", ..]) => {
                return Err(format!(
                    "-repeat {}: each opening is played twice here, -repeat 2",
                    values.join(" ")
                ));
            }
            "-repeat" => {}
            "-concurrency" => {
                self.has_concurrency = true;
                self.set("concurrency", single()?);
            }
            "-force-concurrency" => self.set("oversubscribe", "true"),
            "-use-affinity" => self.affinity(values),
            "-srand" => self.set("seed", single()?),
            "-startup-ms" => self.set("startup_ms", single()?),
            "-maxmoves" => self.max_moves = Some(number()?),
            "-sprt" => self.sprt(values)?,
            "-resign" => self.resign(values)?,
            "-draw" => self.draw(values)?,
            "-openings" => self.openings(values)?,
            "-pgnout" => self.pgn(values)?,
            "-tb" => self.tables(&single()?)?,
            "-tbpieces" => {
                let pieces = number()?;
                if (1..MEN_OF_ALL_TABLES).contains(&pieces) {
                    return Err(format!(
                        "-tbpieces {pieces}: all tables of a folder are used here; leave it out, or give -tb a folder without the greater ones"
                    ));
                }
            }
            "-tbadjudicate" => {
                let setting = single()?;
                if !setting.eq_ignore_ascii_case("both") {
                    return Err(format!(
                        "-tbadjudicate {setting}: tables end what is won and what is drawn here: leave it out, or say BOTH"
                    ));
                }
            }
            "-variant" => self.variant(&single()?)?,
            "-tournament" => self.tournament(&single()?)?,
            "-seeds" => self.seeds = Some(number()?),
            _ => self.other(name, values)?,
        }
        Ok(())
    }

    fn set(&mut self, key: &'static str, value: impl Into<String>) {
        self.keys.push((key, value.into()));
    }

    fn engine(&mut self, engine: &mut Engine, values: &[&str]) -> Result<(), String> {
        for value in values {
            self.warnings.extend(engine.read(value)?);
        }
        Ok(())
    }

    fn each(&mut self, values: &[&str]) -> Result<(), String> {
        let mut each = std::mem::take(&mut self.each);
        self.engine(&mut each, values)?;
        self.each = each;
        match &self.each.name {
            None => Ok(()),
            Some(name) => Err(format!(
                "-each name={name}: engines that are called alike cannot be told apart: give it with -engine"
            )),
        }
    }

    fn other(&mut self, name: &str, values: &[&str]) -> Result<(), String> {
        if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(format!(
                "{name} would change results, and is not known here: {instead}"
            ));
        }
        if MEANINGLESS.split(' ').any(|meaningless| meaningless == name) {
            let option = [&[name], values].concat().join(" ");
            self.warnings.push(format!("{option} means nothing here"));
            return Ok(());
        }
        Err(format!(
            "{name} is no option that is known here: see docs/src/from-fastchess.md"
        ))
    }

    fn sprt(&mut self, values: &[&str]) -> Result<(), String> {
        let mut parts = vec![];
        for (key, value) in pairs("-sprt", values)? {
            match (key, value) {
                ("elo0" | "elo1" | "alpha" | "beta", _) | ("model", "normalized" | "logistic") => {
                    parts.push(format!("{key}={value}"));
                }
                ("model", _) => {
                    return Err(format!(
                        "-sprt model={value}: the models here are normalized and logistic"
                    ));
                }
                _ => return Err(format!("-sprt {key}={value} is not known here: leave it out")),
            }
        }
        for needed in ["elo0", "elo1"] {
            if !parts.iter().any(|part: &String| part.starts_with(needed)) {
                return Err(format!("-sprt has no {needed}=: add it"));
            }
        }
        self.sprt = Some(parts.join(","));
        Ok(())
    }

    fn resign(&mut self, values: &[&str]) -> Result<(), String> {
        let (mut moves, mut score, mut agreement) = ("1".to_owned(), None, "");
        for (key, value) in pairs("-resign", values)? {
            match key {
                "movecount" => moves = value.to_owned(),
                "score" => score = Some(value.to_owned()),
                "twosided" => {
                    agreement = match value {
                        "true" => ",both",
                        "false" => "",
                        _ => return Err(format!("-resign twosided={value} is neither true nor false")),
                    }
                }
                _ => return Err(format!("-resign {key}={value} is not known here: leave it out")),
            }
        }
        let score = score.ok_or("-resign has no score=: add it")?;
        self.set("resign", format!("score={score},moves={moves}{agreement}"));
        Ok(())
    }

    fn draw(&mut self, values: &[&str]) -> Result<(), String> {
        let (mut number, mut moves, mut score) = (0, "1".to_owned(), "0".to_owned());
        for (key, value) in pairs("-draw", values)? {
            match key {
                "movenumber" => {
                    let unread = |_| format!("-draw movenumber={value} is no whole number");
                    number = value.parse::<u32>().map_err(unread)?;
                }
                "movecount" => moves = value.to_owned(),
                "score" => score = value.to_owned(),
                _ => return Err(format!("-draw {key}={value} is not known here: leave it out")),
            }
        }
        let from = number.saturating_mul(2);
        self.set("draw", format!("from={from},moves={moves},score={score}"));
        Ok(())
    }

    fn openings(&mut self, values: &[&str]) -> Result<(), String> {
        let mut order = "sequential".to_owned();
        let values = pairs("-openings", values)?;
        let is_epd = values.contains(&("format", "epd"));
        for (key, value) in values {
            match (key, value) {
                ("file", _) => {
                    self.has_openings = true;
                    self.set("openings", value);
                }
                ("order", _) => order = value.to_owned(),
                ("plies", _) if is_epd => self
                    .warnings
                    .push(format!("-openings plies={value} means nothing for EPD")),
                ("plies", _) => self.set("plies", value),
                // What a file is shows when it is read.
                ("format", _) | ("policy", "default" | "round") | ("start", "1") => {}
                ("start", _) => {
                    return Err(format!(
                        "-openings start={value}: a book is played from its beginning here; cut off what stands before"
                    ));
                }
                _ => return Err(format!("-openings {key}={value} is not known here: leave it out")),
            }
        }
        self.set("order", order);
        Ok(())
    }

    fn pgn(&mut self, values: &[&str]) -> Result<(), String> {
        let mut file = None;
        for value in values {
            match value.split_once('=') {
                Some(("file", path)) => file = Some(path.to_owned()),
                None if file.is_none() => file = Some((*value).to_owned()),
                _ => self.warnings.push(format!("-pgnout {value} means nothing here")),
            }
        }
        let file = file.ok_or("-pgnout has no file=: add it")?;
        self.set("pgn", file);
        Ok(())
    }

    fn tables(&mut self, paths: &str) -> Result<(), String> {
        if paths.contains([':', ';']) {
            return Err(format!(
                "-tb {paths}: the tables of one folder are used here: put them, or links to them, into one"
            ));
        }
        self.set("syzygy", paths);
        Ok(())
    }

    fn affinity(&mut self, values: &[&str]) {
        self.set("pin_cores", "true");
        if !values.is_empty() {
            let cores = values.join(" ");
            self.warnings.push(format!(
                "-use-affinity {cores}: all cores of this process are used; taskset chooses them"
            ));
        }
    }

    fn variant(&mut self, name: &str) -> Result<(), String> {
        match name {
            "standard" => {}
            "fischerandom" | "chess960" => self.is_fischerandom = true,
            _ => {
                return Err(format!(
                    "-variant {name}: games are of standard chess or fischerandom here"
                ));
            }
        }
        Ok(())
    }

    fn tournament(&mut self, kind: &str) -> Result<(), String> {
        match kind {
            "roundrobin" | "round-robin" => {}
            "gauntlet" => self.is_gauntlet = true,
            _ => {
                return Err(format!(
                    "-tournament {kind}: tournaments are roundrobin or gauntlet here"
                ));
            }
        }
        Ok(())
    }
}

/// What stands behind an option, each with its value.
fn pairs<'a>(name: &str, values: &[&'a str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    let parted = values.iter().map(|value| {
        let pair = value.split_once('=');
        pair.ok_or_else(|| format!("{name} {value} has no value: write KEY=VALUE"))
    });
    parted.collect()
}
