//! From the words of a script to keys of ours.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::fmt::Display;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use super::engine::{FastchessEngine, Limit};
use super::{Becomes, becomes, options};
use crate::config::did_you_mean;
use crate::endgame::men_max;
use crate::report::FastchessStyle;
use crate::session::error::ExperimentError;
use crate::session::folder;
use crate::session::stored::Run;

/// Rounds unless a script says something else.
const ROUNDS: u64 = 2;
/// What engines of chess take for their hash table unless they are told.
const HASH_MIB: &str = "16";

#[derive(Debug)]
pub(super) struct Translation {
    pub(super) command: &'static str,
    pub(super) keys: Vec<(&'static str, String)>,
    /// Options of ours that stood among those of the script.
    pub(super) own: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) style: FastchessStyle,
    /// Options by the names of their engines.
    options: Vec<(String, Vec<(String, String)>)>,
}

/// An option that an engine does not take.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusedOption {
    pub(super) engine: String,
    pub(super) name: String,
    /// The value, where it is only that.
    pub(super) value: Option<String>,
}

impl Translation {
    /// As theirs does: a folder and a seed of its own for each run. One that goes to a given folder is resumed there, with its seed. Returns the
    /// folder that it made.
    pub(super) fn begin_anew(&mut self) -> Result<Option<PathBuf>, ExperimentError> {
        let is_key = |wanted: &str| self.keys.iter().any(|(key, _)| *key == wanted);
        let seed = self.own_value("--seed").map(str::to_owned);
        let out = self.own_value("--out").map(PathBuf::from);
        if seed.is_none() && !is_key("seed") {
            let stored = out.as_ref().and_then(|folder| Run::open(folder).ok());
            let stored = stored.and_then(|run| run.manifest.spec_toml.parse::<toml::Table>().ok());
            let stored = stored.and_then(|keys| keys.get("seed")?.as_integer());
            let seed = stored.unwrap_or_else(|| (RandomState::new().build_hasher().finish() >> 32) as i64);
            self.keys.push(("seed", seed.to_string()));
        }
        if out.is_none() {
            let name = self.keys.iter().find(|(key, _)| *key == "name");
            let players = || match &self.style.names[..] {
                [a, b] => format!("{a}-vs-{b}"),
                names => format!("tournament-{}", names[0]),
            };
            let name = name.map_or_else(players, |(_, name)| name.clone());
            let made = folder::claim(&name).map_err(|source| ExperimentError::Unwritable {
                path: PathBuf::from("results"),
                source,
            })?;
            self.own
                .extend(["--out".to_owned(), made.to_string_lossy().into_owned()]);
            return Ok(Some(made));
        }
        Ok(None)
    }

    /// The option that keeps an engine from starting, by what is said of it.
    pub(super) fn refused_option(&self, engine: &str, message: &str) -> Option<RefusedOption> {
        let (_, options) = self.options.iter().find(|(name, _)| name == engine)?;
        let refused = |(name, value): &(String, String)| {
            let is_missing = message.contains(&format!("no option '{name}'"));
            let wrong = format!("option {name} is '{value}'").to_lowercase();
            let is_wrong = message.to_lowercase().contains(&wrong);
            (is_missing || is_wrong).then(|| RefusedOption {
                engine: engine.to_owned(),
                name: name.clone(),
                value: (!is_missing).then(|| value.clone()),
            })
        };
        options.iter().find_map(refused)
    }

    /// The value of an option of ours.
    fn own_value(&self, option: &str) -> Option<&str> {
        let mut words = self.own.iter();
        let word = words.find(|word| word.split('=').next() == Some(option))?;
        word.split_once('=')
            .map(|(_, value)| value)
            .or_else(|| words.next().map(String::as_str))
    }

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

/// Translates the options of a script, without options that engines refuse.
pub(super) fn translate(words: &[String], refused: &[RefusedOption]) -> Result<Translation, String> {
    let mut script = Script::default();
    let mut own: Vec<String> = Vec::new();
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        let mut values = Vec::new();
        while let Some(value) = rest.next_if(|value| !is_option(value)) {
            values.push(value);
        }
        if word.starts_with("--") && becomes(word).is_none() {
            own.push(word.to_owned());
            own.extend(values.into_iter().map(str::to_owned));
        } else if is_option(word) {
            script.option(word, &values)?;
        } else {
            return Err(format!("'{word}' follows no option"));
        }
    }
    script.finish(own, refused)
}

/// Numbers below zero are values.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-'))
}

/// What a script wants, as far as it has been read.
#[derive(Debug, Default)]
struct Script {
    engines: Vec<FastchessEngine>,
    each: FastchessEngine,
    rounds: Option<u64>,
    games: Option<u64>,
    is_fischerandom: bool,
    seeds: Option<u64>,
    is_gauntlet: bool,
    recovers: bool,
    is_silent: bool,
    /// Is no report by pairs wanted?
    without_pairs: bool,
    without_swap: bool,
    has_crc: bool,
    /// The most men of an endgame table that is used; 0 is all.
    table_men: Option<u64>,
    is_cutechess: bool,
    rating_interval: Option<u64>,
    score_interval: Option<u64>,
    keys: Vec<(&'static str, String)>,
    notes: Vec<String>,
}

impl Script {
    /// Takes in an option and what stands behind it.
    fn option(&mut self, name: &str, values: &[&str]) -> Result<(), String> {
        match becomes(name) {
            Some(Becomes::Key(key)) => self.set(key, single(name, values)?),
            Some(Becomes::Switch(key)) => self.set(key, "true"),
            Some(Becomes::Nothing) => {
                let option = [&[name], values].concat().join(" ");
                self.warn(format!("{option} is ignored"));
            }
            Some(Becomes::Refused(instead)) => {
                return Err(format!(
                    "{name} would change results, and is not known here: {instead}"
                ));
            }
            Some(Becomes::Own | Becomes::Limit(_)) => self.own(name, values)?,
            None => {
                let meant = did_you_mean(name, options().filter(|known| known.starts_with('-')));
                return Err(format!(
                    "{name} is no option of fastchess or cutechess-cli{meant}"
                ));
            }
        }
        Ok(())
    }

    fn own(&mut self, name: &str, values: &[&str]) -> Result<(), String> {
        let number = || {
            let value = single(name, values)?;
            let unread = |_| format!("{name} is '{value}', but must be a whole number, 0 or more");
            value.parse::<u64>().map_err(unread)
        };
        match name {
            "-engine" => {
                let mut engine = FastchessEngine::default();
                self.engine(&mut engine, values)?;
                self.engines.push(engine);
            }
            "-each" => self.each(values)?,
            "-rounds" => self.rounds = Some(number()?),
            "-games" => self.games = Some(number()?),
            "-repeat" => match values {
                [] | ["true"] => self.games = Some(2),
                _ => self.games = Some(number()?),
            },
            "-concurrency" => self.concurrency(single(name, values)?)?,
            "-config" => self.config(values)?,
            "-log" => self.log(values)?,
            "-quick" => self.quick(values)?,
            "-use-affinity" => self.affinity(values),
            "-maxmoves" => self.set("max_plies", number()?.saturating_mul(2).to_string()),
            "-sprt" => self.sprt(values)?,
            "-resign" => self.resign(values)?,
            "-draw" => self.draw(values)?,
            "-openings" => self.openings(values)?,
            "-pgnout" => self.pgn(values)?,
            "-tb" => self.tables(single(name, values)?)?,
            "-tbpieces" => self.table_men = Some(number()?),
            "-tbadjudicate" => {
                let setting = single(name, values)?;
                if !setting.eq_ignore_ascii_case("both") {
                    return Err(format!(
                        "-tbadjudicate {setting}: tables end what is won and what is drawn here: leave it out, or say BOTH"
                    ));
                }
            }
            "-variant" => self.variant(single(name, values)?)?,
            "-tournament" => self.tournament(single(name, values)?)?,
            "-seeds" => self.seeds = Some(number()?),
            "-recover" => self.recovers = true,
            "-crc32" => self.has_crc = one_of(name, values, "pgn", ["true", "false"])? == 0,
            "-ping-ms" => self.each.wait_for_ping(&number()?.to_string()),
            "-noswap" => self.without_swap = true,
            "-testEnv" => self.is_silent = true,
            "-ratinginterval" => self.rating_interval = Some(number()?),
            "-scoreinterval" => self.score_interval = Some(number()?),
            "-report" => self.without_pairs = one_of(name, values, "penta", ["true", "false"])? == 1,
            "-output" => {
                self.is_cutechess = one_of(name, values, "format", ["fastchess", "cutechess"])? == 1;
            }
            "-site" => self.set("site", &values.join(" ")),
            "-event" => {
                let plain = |c: char| {
                    if c.is_alphanumeric() || "._-".contains(c) {
                        c
                    } else {
                        '-'
                    }
                };
                let event: String = values.join(" ").chars().map(plain).collect();
                self.set("name", event.trim_start_matches('.'));
            }
            _ => {}
        }
        Ok(())
    }

    /// As there, the last one counts.
    fn set(&mut self, key: &'static str, value: impl Into<String>) {
        self.keys.retain(|(own, _)| *own != key);
        self.keys.push((key, value.into()));
    }

    /// Sets `key` to `value` unless the script has set it.
    fn set_default(&mut self, key: &'static str, value: impl Into<String>) {
        if !self.has(key) {
            self.set(key, value);
        }
    }

    fn warn(&mut self, text: impl Display) {
        self.notes.push(format!("warning: {text}"));
    }

    fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|(own, _)| *own == key)
    }

    fn engine(&mut self, engine: &mut FastchessEngine, values: &[&str]) -> Result<(), String> {
        for value in super::conf::expanded(values)? {
            if let Some(warning) = engine.read(&value)? {
                self.warn(warning);
            }
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
                "-each name={name}: engines of one name cannot be distinguished: give it with -engine"
            )),
        }
    }

    fn sprt(&mut self, values: &[&str]) -> Result<(), String> {
        let mut parts = vec![];
        for (key, value) in parted("-sprt", values)? {
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
        self.set("sprt", parts.join(","));
        Ok(())
    }

    fn resign(&mut self, values: &[&str]) -> Result<(), String> {
        let (mut moves, mut score, mut agreement) = (1, None, ",both=off");
        for (key, value) in parted("-resign", values)? {
            match key {
                "movecount" => moves = whole("-resign", key, value)?,
                "score" => score = Some(whole("-resign", key, value)?),
                "twosided" => {
                    agreement = match value {
                        "true" => ",both",
                        "false" => ",both=off",
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
        let (mut number, mut moves, mut score) = (0, 1, 0);
        for (key, value) in parted("-draw", values)? {
            match key {
                "movenumber" => number = whole("-draw", key, value)?,
                "movecount" => moves = whole("-draw", key, value)?,
                "score" => score = whole("-draw", key, value)?,
                _ => return Err(format!("-draw {key}={value} is not known here: leave it out")),
            }
        }
        let from = number.saturating_mul(2);
        self.set("draw", format!("from={from},moves={moves},score={score}"));
        Ok(())
    }

    fn openings(&mut self, values: &[&str]) -> Result<(), String> {
        let mut order = "sequential".to_owned();
        let values = parted("-openings", values)?;
        let is_epd = values.contains(&("format", "epd"));
        let (mut file, mut format) = (None, None);
        for (key, value) in values {
            match (key, value) {
                ("file", _) => {
                    file = Some(value);
                    self.set("openings", value);
                }
                ("order", _) => order = value.to_owned(),
                ("plies", _) if is_epd => {
                    self.warn(format_args!("-openings plies={value} is ignored for EPD"));
                }
                ("plies", _) => self.set("plies", value),
                ("format", "epd" | "pgn") => format = Some(value),
                ("format", _) => {
                    return Err(format!("-openings format={value} is neither epd nor pgn"));
                }
                ("policy", "default" | "round") => {}
                ("policy", _) => {
                    return Err(format!(
                        "-openings policy={value}: a round has one opening for all pairings here: leave it out, or say policy=round"
                    ));
                }
                ("start", "1") => {}
                ("start", _) => self.set("first_opening", value),
                _ => return Err(format!("-openings {key}={value} is not known here: leave it out")),
            }
        }
        if let (Some(file), Some(format)) = (file, format) {
            let extension = Path::new(file).extension().and_then(OsStr::to_str);
            let is_other = |extension: &str| {
                ["epd", "pgn"]
                    .iter()
                    .any(|known| extension.eq_ignore_ascii_case(known))
                    && !extension.eq_ignore_ascii_case(format)
            };
            if extension.is_some_and(is_other) {
                self.warn(format_args!(
                    "-openings format={format} is ignored: '{file}' is read by its contents"
                ));
            }
        }
        self.set("order", order);
        Ok(())
    }

    fn pgn(&mut self, values: &[&str]) -> Result<(), String> {
        let (mut file, mut appends) = (None, true);
        for value in values {
            match value.split_once('=') {
                Some(("file", path)) => file = Some(path.to_owned()),
                Some(("append", "true")) => appends = true,
                Some(("append", "false")) => appends = false,
                None if file.is_none() => {
                    if !self.is_cutechess {
                        self.warn(format_args!("-pgnout {value} is read as -pgnout file={value}"));
                    }
                    file = Some((*value).to_owned());
                }
                _ => self.warn(format_args!("-pgnout {value} is ignored")),
            }
        }
        let default = || {
            format!(
                "fastchess_{}.pgn",
                jiff::Timestamp::now().strftime("%Y%m%d_%H%M%S")
            )
        };
        self.set("pgn", file.unwrap_or_else(default));
        self.set(if appends { "append" } else { "force" }, "true");
        Ok(())
    }

    /// None or less is all cores but so many.
    fn concurrency(&mut self, value: &str) -> Result<(), String> {
        let unread = |_| format!("-concurrency is '{value}', but must be a whole number");
        let wanted: i64 = value.parse().map_err(unread)?;
        let cores = || available_parallelism().map_or(1, NonZero::get) as i64;
        let number = if wanted > 0 {
            wanted
        } else {
            cores().saturating_add(wanted).max(1)
        };
        self.set("concurrency", number.to_string());
        Ok(())
    }

    fn config(&mut self, values: &[&str]) -> Result<(), String> {
        for (key, value) in parted("-config", values)? {
            match key {
                "file" => {
                    return Err(format!(
                        "-config file={value}: a configuration of fastchess cannot be read: give its options; the same command with --out \
                         DIR resumes a run"
                    ));
                }
                "outname" | "discard" | "stats" => self.warn(format_args!(
                    "-config {key}={value} is ignored: every pair is saved in the folder of the run"
                )),
                _ => return Err(format!("-config {key}={value} is not known here: leave it out")),
            }
        }
        Ok(())
    }

    /// Theirs has what engines say if `engine=true` stands there.
    fn log(&mut self, values: &[&str]) -> Result<(), String> {
        let values = parted("-log", values)?;
        let file = values
            .iter()
            .find(|(key, _)| *key == "file")
            .map(|(_, file)| *file);
        match file.filter(|_| values.contains(&("engine", "true"))) {
            Some(file) => self.set("engine_log", format!("{file}.engines")),
            None => self.warn("-log is ignored without engine=true"),
        }
        Ok(())
    }

    /// Their short form of a match of two engines.
    fn quick(&mut self, values: &[&str]) -> Result<(), String> {
        let values = parted("-quick", values)?;
        for (key, value) in &values {
            match *key {
                "cmd" => self.option("-engine", &[&format!("cmd={value}"), "tc=10+0.1"])?,
                "book" => self.option("-openings", &[&format!("file={value}"), "order=random"])?,
                _ => return Err(format!("-quick {key}={value} is not known here: leave it out")),
            }
        }
        let count = |wanted: &str| values.iter().filter(|(key, _)| *key == wanted).count();
        if count("cmd") != 2 || count("book") != 1 {
            return Err("-quick needs cmd=ENGINE cmd=ENGINE book=FILE".to_owned());
        }
        (self.rounds, self.games, self.recovers, self.is_cutechess) = (Some(25_000), Some(2), true, true);
        self.option("-concurrency", &["-2"])?;
        self.option("-draw", &["movenumber=30", "movecount=8", "score=8"])
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
            self.warn(format_args!(
                "-use-affinity {cores}: the list of cores is ignored; choose them with taskset"
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

    /// What was read as a whole, with what goes without saying there.
    fn finish(mut self, own: Vec<String>, refused: &[RefusedOption]) -> Result<Translation, String> {
        let replaced = self.engines.iter().flat_map(|engine| engine.replaced(&self.each));
        for warning in replaced.collect::<Vec<_>>() {
            self.warn(warning);
        }
        let mut engines: Vec<FastchessEngine> = self
            .engines
            .iter()
            .map(|engine| engine.with(&self.each))
            .collect();
        let mut seen: HashMap<String, u32> = HashMap::new();
        for engine in &mut engines {
            let name = engine.default_name();
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count == 1 {
                name
            } else {
                format!("{name}_{count}")
            };
            for option in refused.iter().filter(|option| option.engine == name) {
                engine.leave_out(&option.name);
            }
            engine.name = Some(name);
        }
        let (count, is_match) = (engines.len(), engines.len() == 2);
        if count < 2 {
            return Err(format!(
                "there are {count} engines: give at least two with -engine cmd=PROGRAM"
            ));
        }
        if self.has("sprt") && !is_match {
            return Err(format!(
                "-sprt is for two engines, but there are {count}: leave it out"
            ));
        }
        let limits = engines.iter().map(FastchessEngine::limit);
        let limits = limits.collect::<Result<Vec<Limit>, String>>()?;
        let is_shared = limits.iter().all(|limit| *limit == limits[0]);
        let mut keys = vec![("game", "chess".to_owned())];
        for (number, (engine, limit)) in engines.iter().zip(&limits).enumerate() {
            let key = match (is_match, number) {
                (true, 0) => "a",
                (true, _) => "b",
                (false, _) => "player",
            };
            keys.push((key, engine.text((!is_shared).then_some(limit))?));
        }
        if is_shared {
            keys.push(limits[0].clone());
        }
        self.keys.splice(0..0, keys);
        if engines.iter().any(|engine| !engine.has_hash) {
            self.notes
                .push(format!("no option.Hash: engines without it get {HASH_MIB} MiB"));
            self.set("hash", HASH_MIB);
        }
        if let Some(pairs) = self.pairs()? {
            self.set("pairs", pairs.to_string());
            self.set("repeat", "true");
        }
        self.set_default("max_plies", "0");
        if self.recovers {
            self.set("faults_in_a_row", "0");
        } else {
            self.set("on_fault", "crash=stop,disconnect=stop,stall=stop");
        }
        match (self.seeds, self.is_gauntlet && !is_match) {
            (first, true) => self.set("gauntlet", first.unwrap_or(1).to_string()),
            (Some(first), false) => self.warn(format_args!(
                "-seeds {first} is ignored without -tournament gauntlet and a third engine"
            )),
            (None, false) => {}
        }
        if !own.iter().any(|word| word.starts_with("--concurrency")) {
            self.set_default("concurrency", "1");
        }
        self.crowd(&engines);
        self.check_tables()?;
        self.check_openings()?;
        let pairings = match (self.seeds, self.is_gauntlet && !is_match) {
            (first, true) => {
                let first = (first.unwrap_or(1) as usize).min(count);
                first * (first.saturating_sub(1)) / 2 + first * (count - first)
            }
            _ => count * (count - 1) / 2,
        };
        let rounds = self.pairs()?.unwrap_or(0);
        let is_single = self.games == Some(1);
        if is_single {
            self.set("single_games", "true");
        }
        if self.without_swap && !(is_single && self.rounds == Some(1)) {
            return Err("-noswap: each opening is played with both colours here, or the colours go by turns: leave it out".to_owned());
        }
        let style = FastchessStyle {
            is_cutechess: self.is_cutechess,
            names: engines.iter().filter_map(|engine| engine.name.clone()).collect(),
            games: if is_single { 1 } else { 2 } * rounds * pairings as u64,
            conditions: self.conditions(&engines, &limits),
            rating_interval: self.rating_interval.unwrap_or(10),
            score_interval: self.score_interval.unwrap_or(1),
            has_pentanomial: !self.without_pairs && !is_single,
            is_single,
            is_silent: self.is_silent,
            crc_of: self
                .keys
                .iter()
                .find(|(key, _)| self.has_crc && *key == "pgn")
                .map(|(_, file)| file.into()),
        };
        let named = engines
            .iter()
            .filter_map(|engine| Some((engine.name.clone()?, engine.options())));
        Ok(Translation {
            options: named.collect(),
            style,
            command: if is_match { "match" } else { "tournament" },
            keys: self.keys,
            own,
            notes: self.notes,
        })
    }

    /// All tables of a folder are used here.
    fn check_tables(&self) -> Result<(), String> {
        let folder = self.keys.iter().find(|(key, _)| *key == "syzygy");
        let (Some(wanted @ 1..), Some((_, folder))) = (self.table_men, folder) else {
            return Ok(());
        };
        // What cannot be read is refused with its reason when it is opened.
        match men_max(Path::new(folder)) {
            Ok(men) if u64::from(men) > wanted => Err(format!(
                "-tbpieces {wanted}: '{folder}' has tables of {men} men, and all are used here: leave it out, or give -tb a folder without the \
                 greater ones"
            )),
            _ => Ok(()),
        }
    }

    /// Theirs asks for a core a game, however many threads its engines have.
    fn crowd(&mut self, engines: &[FastchessEngine]) {
        let number = |text: &str| text.parse::<usize>().ok();
        let concurrency = self.keys.iter().find(|(key, _)| *key == "concurrency");
        let concurrency = concurrency.and_then(|(_, value)| number(value)).unwrap_or(1);
        let threads = engines
            .iter()
            .filter_map(|engine| engine.option("Threads").and_then(number));
        let threads = threads.max().unwrap_or(1);
        let cores = available_parallelism().map_or(1, NonZero::get);
        if concurrency <= cores && concurrency.saturating_mul(threads) > cores {
            self.set_default("oversubscribe", "true");
            self.warn(format_args!(
                "{concurrency} games of engines with {threads} threads on {cores} cores: some may be lost on time"
            ));
        }
    }

    /// What stands in the brackets of their results.
    fn conditions(&self, engines: &[FastchessEngine], limits: &[Limit]) -> String {
        let both = |of: &dyn Fn(usize) -> String| {
            let [first, second] = [0, 1].map(of);
            if first == second {
                first
            } else {
                format!("{first} - {second}")
            }
        };
        let limit = |index: usize| {
            let (kind, value) = &limits[index];
            match *kind {
                "nodes" => format!("{value} nodes"),
                "depth" => format!("{value} plies"),
                "movetime" => format!("{}/move", value.parse::<f64>().unwrap_or(0.0) / 1000.0),
                _ => value.strip_suffix("+0").unwrap_or(value).to_owned(),
            }
        };
        let option = |index: usize, name: &str, default: &str| {
            engines[index].option(name).unwrap_or(default).to_owned()
        };
        let mut parts = vec![
            both(&limit),
            both(&|index| option(index, "Threads", "1") + "t"),
            both(&|index| option(index, "Hash", HASH_MIB) + "MB"),
        ];
        let file = self.keys.iter().find(|(key, _)| *key == "openings");
        let file = file.and_then(|(_, path)| path.rsplit(['/', '\\']).next());
        parts.extend(file.map(str::to_owned));
        parts.join(", ")
    }

    fn pairs(&self) -> Result<Option<u64>, String> {
        let games = self.games.unwrap_or(2);
        if games == 0 || games > 1 && !games.is_multiple_of(2) {
            return Err(format!(
                "-games {games}: games come in pairs here, each opening with both colours, or alone: give -games 2 or -games 1"
            ));
        }
        let games = games.max(2);
        match self.rounds {
            None if self.has("sprt") => Ok(None),
            rounds => Ok(Some(rounds.unwrap_or(ROUNDS).saturating_mul(games / 2))),
        }
    }

    fn check_openings(&mut self) -> Result<(), String> {
        if self.has("openings") {
            return Ok(());
        }
        if self.is_fischerandom {
            return Err(
                "-variant fischerandom has no openings: make them with tanren openings generate --chess960 --out c960.epd, and \
                 give -openings file=c960.epd"
                    .to_owned(),
            );
        }
        self.notes
            .push("no -openings: playing the built-in openings".to_owned());
        Ok(())
    }
}

/// Which of two values a key has that must stand alone.
fn one_of(name: &str, values: &[&str], key: &str, known: [&str; 2]) -> Result<usize, String> {
    let value = match parted(name, values)?[..] {
        [(own, value)] if own == key => value,
        _ => {
            return Err(format!(
                "{name} {}: write {name} {key}={}",
                values.join(" "),
                known[0]
            ));
        }
    };
    let place = known.iter().position(|known| *known == value);
    place.ok_or_else(|| format!("{name} {key}={value} is neither {} nor {}", known[0], known[1]))
}

fn whole(name: &str, key: &str, value: &str) -> Result<u32, String> {
    let unread = |_| format!("{name} {key}= is '{value}', but must be a whole number, 0 or more");
    value.parse().map_err(unread)
}

fn single<'a>(name: &str, values: &[&'a str]) -> Result<&'a str, String> {
    match values {
        [value] => Ok(*value),
        _ => Err(format!("{name} has {} values, but must have one", values.len())),
    }
}

/// What stands behind an option, each with its value.
fn parted<'a>(name: &str, values: &[&'a str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    let parted = values.iter().map(|value| {
        let pair = value.split_once('=');
        pair.ok_or_else(|| format!("{name} {value} has no value: write KEY=VALUE"))
    });
    parted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A script behind `$`, with what it becomes (`=` whole, `+` in part, `-` not), its notes (`?`), or why it is refused (`!`).
    #[test]
    fn scripts_become_commands_and_nothing_is_left_out_in_silence() {
        let mut translated = Err(String::new());
        for line in include_str!("cases.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let Some((mark, text)) = line.split_once(' ') else {
                continue;
            };
            let text = text
                .replace("TWO", "-engine cmd=/a -engine cmd=/b -each nodes=5")
                .replace("NEWLINE", "\n");
            if mark == "$" {
                translated = translate(&shlex::split(&text).unwrap(), &[]);
                continue;
            }
            if mark == "!" {
                let said = translated.as_ref().unwrap_err();
                assert!(said.contains(&text), "{text}: {said}");
                continue;
            }
            let (words, notes) = translated
                .as_ref()
                .map(|translation| (translation.words().join(" "), translation.notes.join("\n")))
                .unwrap();
            let holds = match mark {
                "=" => words == text,
                "+" => words.contains(&text),
                "-" => !words.contains(&text),
                "?" => notes.contains(&text),
                _ => false,
            };
            assert!(holds, "{mark} {text}\n{words}\n{notes}");
        }
    }
}
