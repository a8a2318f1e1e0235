//! What a script says as a whole, with what goes without saying there.

use std::collections::HashMap;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use super::engine::{FastchessEngine, Limit};
use super::plan::Script;
use super::translation::{RefusedOption, Translation};
use crate::endgame::men_max;
use crate::report::{FastchessStyle, plural};

/// Rounds unless a script says something else.
const ROUNDS: u64 = 2;
/// What engines of chess take for their hash table unless they are told.
const HASH_MIB: &str = "16";

impl Script {
    pub(super) fn finish(
        mut self,
        own: Vec<String>,
        refused: &[RefusedOption],
    ) -> Result<Translation, String> {
        let engines = self.named_engines(refused);
        self.check_count(engines.len())?;
        let limits = engines.iter().map(FastchessEngine::limit);
        let limits = limits.collect::<Result<Vec<Limit>, String>>()?;
        self.set_players(&engines, &limits)?;
        self.set_hash(&engines);
        self.set_length()?;
        self.set_faults();
        self.set_gauntlet(engines.len());
        if !own.iter().any(|word| word.starts_with("--concurrency")) {
            self.set_default("concurrency", "1");
        }
        self.crowd(&engines);
        self.check_tables()?;
        self.check_openings()?;
        self.set_single_games(engines.len())?;
        let style = self.style(&engines, &limits)?;
        let named = engines
            .iter()
            .filter_map(|engine| Some((engine.name.clone()?, engine.options())));
        Ok(Translation {
            options: named.collect(),
            style,
            command: if engines.len() == 2 { "match" } else { "tournament" },
            keys: self.keys,
            own,
            notes: self.notes,
        })
    }

    /// The engines with what holds for each, every one by a name of its own.
    fn named_engines(&mut self, refused: &[RefusedOption]) -> Vec<FastchessEngine> {
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
        engines
    }

    fn check_count(&self, count: usize) -> Result<(), String> {
        if count < 2 {
            return Err(format!(
                "{} given, and a match needs two: name each with -engine cmd=PROGRAM",
                plural(count as u64, "engine")
            ));
        }
        if self.has("sprt") && count != 2 {
            return Err(format!(
                "-sprt is for two engines, and {count} are given: leave it out"
            ));
        }
        Ok(())
    }

    /// A limit that all share is a key of its own.
    fn set_players(&mut self, engines: &[FastchessEngine], limits: &[Limit]) -> Result<(), String> {
        let is_match = engines.len() == 2;
        let is_shared = limits.iter().all(|limit| *limit == limits[0]);
        let mut keys = vec![("game", "chess".to_owned())];
        for (number, (engine, limit)) in engines.iter().zip(limits).enumerate() {
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
        Ok(())
    }

    fn set_hash(&mut self, engines: &[FastchessEngine]) {
        if engines.iter().any(|engine| !engine.has_hash) {
            self.notes
                .push(format!("no option.Hash: engines without it get {HASH_MIB} MiB"));
            self.set("hash", HASH_MIB);
        }
    }

    fn set_length(&mut self) -> Result<(), String> {
        if let Some(pairs) = self.pairs()? {
            self.set("pairs", pairs.to_string());
            self.set("repeat", "true");
        }
        self.set_default("max_plies", "0");
        Ok(())
    }

    fn set_faults(&mut self) {
        if self.recovers {
            self.set("faults_in_a_row", "0");
        } else {
            self.set("on_fault", "crash=stop,disconnect=stop,stall=stop");
        }
    }

    fn set_gauntlet(&mut self, count: usize) {
        match (self.gauntlet(count), self.seeds) {
            (Some(first), _) => self.set("gauntlet", first.to_string()),
            (None, Some(first)) => self.warn(format_args!(
                "-seeds {first} is ignored without -tournament gauntlet and a third engine"
            )),
            (None, None) => {}
        }
    }

    /// How many of the first engines play all others, if the others do not meet.
    fn gauntlet(&self, count: usize) -> Option<u64> {
        (self.is_gauntlet && count != 2).then(|| self.seeds.unwrap_or(1))
    }

    fn pairings(&self, count: usize) -> usize {
        match self.gauntlet(count) {
            Some(first) => {
                let first = (first as usize).min(count);
                first * (first.saturating_sub(1)) / 2 + first * (count - first)
            }
            None => count * (count - 1) / 2,
        }
    }

    fn is_single(&self) -> bool {
        match self.is_of_cutechess {
            true => self.repeats.unwrap_or(1) == 1,
            false => self.games == Some(1),
        }
    }

    fn set_single_games(&mut self, engines: usize) -> Result<(), String> {
        let is_single = self.is_single();
        if is_single && engines > 2 && self.is_of_cutechess {
            return Err("more than two engines without -repeat: a tournament plays every opening with both colours here: add -repeat".to_owned());
        }
        if is_single && engines > 2 {
            return Err("-games 1 with more than two engines: a tournament plays every opening with both colours here; -games 2 is that".to_owned());
        }
        if is_single {
            self.set("single_games", "true");
        }
        if self.without_swap && !(is_single && self.pairs()? == Some(1)) {
            return Err("-noswap: each opening is played with both colours here, or the colours go by turns: leave it out".to_owned());
        }
        Ok(())
    }

    fn style(&self, engines: &[FastchessEngine], limits: &[Limit]) -> Result<FastchessStyle, String> {
        let is_single = self.is_single();
        let rounds = self.pairs()?.unwrap_or(0);
        let pairings = self.pairings(engines.len()) as u64;
        let option = |name: &str| [0, 1].map(|index| engines[index].option(name).map(str::to_owned));
        let book = self.keys.iter().find(|(key, _)| *key == "openings");
        let book = book.and_then(|(_, path)| path.rsplit(['/', '\\']).next());
        Ok(FastchessStyle {
            is_cutechess: self.is_cutechess,
            names: engines.iter().filter_map(|engine| engine.name.clone()).collect(),
            games: if is_single { 1 } else { 2 } * rounds * pairings,
            limits: [0, 1].map(|index| Script::limit(&limits[index])),
            threads: option("Threads"),
            hashes: option("Hash").map(|hash| hash.unwrap_or_else(|| HASH_MIB.to_owned())),
            book: book.map(str::to_owned),
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

    /// A limit as it stands in the brackets of their results.
    fn limit((kind, value): &Limit) -> String {
        match *kind {
            "nodes" => format!("{value} nodes"),
            "depth" => format!("{value} plies"),
            "movetime" => format!("{}/move", value.parse::<f64>().unwrap_or(0.0) / 1000.0),
            _ => value.strip_suffix("+0").unwrap_or(value).to_owned(),
        }
    }

    /// Rounds of cutechess-cli have one game unless the script says more, and each game has an opening of its own without -repeat.
    fn pairs_of_cutechess(&self) -> Result<Option<u64>, String> {
        let repeats = self.repeats.unwrap_or(1);
        if !(1..=2).contains(&repeats) {
            return Err(format!(
                "-repeat {repeats}: an opening is played once or twice here: say -repeat 2"
            ));
        }
        if self.rounds.or(self.games).is_none() && self.has("sprt") {
            return Ok(None);
        }
        let games = self.rounds.unwrap_or(1).saturating_mul(self.games.unwrap_or(1));
        if !games.is_multiple_of(repeats) {
            return Err(format!(
                "{} of two engines with -repeat: they come in pairs here, each opening with both colours: \
                 -rounds times -games must be even",
                plural(games, "game")
            ));
        }
        Ok(Some(games / repeats))
    }

    fn pairs(&self) -> Result<Option<u64>, String> {
        if self.is_of_cutechess {
            return self.pairs_of_cutechess();
        }
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
        let openings = self.keys.iter().find(|(key, _)| *key == "openings");
        if let Some((_, file)) = openings {
            let number = self.draw_number;
            if number > 0
                && Path::new(file)
                    .extension()
                    .is_some_and(|extension| extension == "pgn")
            {
                self.warn(format_args!(
                    "-draw movenumber={number} counts moves after the opening here, not those of the PGN"
                ));
            }
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
