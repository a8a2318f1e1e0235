//! From the words of a script to keys of ours.

use std::ffi::OsStr;
use std::fmt::Display;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use super::engine::FastchessEngine;
use super::translation::{RefusedOption, Translation};
use super::{Becomes, becomes, options};
use crate::config::did_you_mean;

/// Translates the options of a script, of cutechess-cli if that is said, without options that engines refuse.
pub(super) fn translate(
    words: &[String],
    refused: &[RefusedOption],
    is_of_cutechess: bool,
) -> Result<Translation, String> {
    let mut script = Script {
        is_of_cutechess,
        is_cutechess: is_of_cutechess,
        ..Script::default()
    };
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
pub(super) struct Script {
    pub(super) engines: Vec<FastchessEngine>,
    pub(super) each: FastchessEngine,
    pub(super) rounds: Option<u64>,
    pub(super) games: Option<u64>,
    /// How often cutechess-cli plays an opening.
    pub(super) repeats: Option<u64>,
    pub(super) is_fischerandom: bool,
    pub(super) seeds: Option<u64>,
    pub(super) is_gauntlet: bool,
    pub(super) recovers: bool,
    pub(super) is_silent: bool,
    /// Is no report by pairs wanted?
    pub(super) without_pairs: bool,
    pub(super) without_swap: bool,
    pub(super) has_crc: bool,
    /// The most men of an endgame table that is used; 0 is all.
    pub(super) table_men: Option<u64>,
    /// Are the options meant as cutechess-cli means them?
    pub(super) is_of_cutechess: bool,
    /// Is the output that of cutechess-cli?
    pub(super) is_cutechess: bool,
    pub(super) rating_interval: Option<u64>,
    pub(super) score_interval: Option<u64>,
    /// The move from which on games are drawn.
    pub(super) draw_number: u32,
    pub(super) keys: Vec<(&'static str, String)>,
    pub(super) notes: Vec<String>,
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
            "-repeat" => self.repeat(values, number)?,
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
            "-site" => self.set("site", values.join(" ")),
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

    /// In fastchess the games of a round, in cutechess-cli those of an opening.
    fn repeat(
        &mut self,
        values: &[&str],
        number: impl FnOnce() -> Result<u64, String>,
    ) -> Result<(), String> {
        let times = match values {
            [] | ["true"] => 2,
            _ => number()?,
        };
        if self.is_of_cutechess {
            self.repeats = Some(times);
        } else {
            self.games = Some(times);
        }
        Ok(())
    }

    /// As there, the last one counts.
    pub(super) fn set(&mut self, key: &'static str, value: impl Into<String>) {
        self.keys.retain(|(own, _)| *own != key);
        self.keys.push((key, value.into()));
    }

    /// Sets `key` to `value` unless the script has set it.
    pub(super) fn set_default(&mut self, key: &'static str, value: impl Into<String>) {
        if !self.has(key) {
            self.set(key, value);
        }
    }

    pub(super) fn warn(&mut self, text: impl Display) {
        self.notes.push(format!("warning: {text}"));
    }

    pub(super) fn has(&self, key: &str) -> bool {
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
        if self.is_of_cutechess && !parts.iter().any(|part| part.starts_with("model")) {
            parts.push("model=logistic".to_owned());
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
        self.draw_number = number;
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
                // It is written so.
                Some(("notation", "san") | ("nodes", "true")) => {}
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

    /// A script behind `$`, or behind `$ cutechess`, with what it becomes (`=` whole, `+` in part, `-` not), its notes (`?`), or why it is refused (`!`).
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
                let script = text.strip_prefix("cutechess ");
                let words = shlex::split(script.unwrap_or(&text)).unwrap();
                translated = translate(&words, &[], script.is_some());
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
