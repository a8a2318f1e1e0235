//! Signatures: how many nodes a configuration needs for fixed positions, the same on every machine.
//!
//! `engine/signatures.csv` keeps those of all presets and techniques:
//! `cargo run --release -p tanren-engine --features three-piece -- signatures > engine/signatures.csv` writes it, a test compares.

use crate::config::{Config, PRESETS, Setting, SettingKind};
use crate::game::{Game, Path};
use crate::search::{Iteration, Observer, Searchable, Searcher, Silent};
use crate::time::Limits;

/// The depth of [`signature`] that a commit message's `Bench:` line quotes.
pub const DEPTH: u32 = 13;

const HASH_MIB: usize = 16;

/// Lines of `signatures.csv` come from shorter searches with less memory: to the first iteration that has needed so many nodes,
/// or to the greatest depth.
const BRIEF_HASH_MIB: usize = 1;
const BRIEF_NODES: u64 = 10_000;
const BRIEF_DEPTH_MAX: u32 = 24;

/// Opening, middle game, attack, endgame, entering kings.
const SHOGI: &str = include_str!("bench/shogi.sfen");

/// Opening, middle game, tactics, pawn ending, rook ending.
const CHESS: &str = include_str!("bench/chess.fen");

/// Total nodes over the fixed positions of the game, each searched to `depth` as the first of a new game.
pub fn signature<P: Searchable>(config: &Config, depth: u32) -> u64 {
    search_all::<P>(config, HASH_MIB, depth, |searcher, position, limits| {
        let path = Path::new(position);
        searcher.search(position, &path, limits, &mut Silent).nodes
    })
}

/// As [`signature`], but each position is searched to the first depth that takes ten thousand nodes, so that players without any
/// pruning are as soon done as others.
pub fn brief<P: Searchable>(config: &Config) -> u64 {
    search_all::<P>(
        config,
        BRIEF_HASH_MIB,
        BRIEF_DEPTH_MAX,
        |searcher, position, limits| {
            let mut enough = Enough::default();
            searcher.search(position, &Path::new(position), limits, &mut enough);
            enough.nodes
        },
    )
}

fn search_all<P: Searchable>(
    config: &Config,
    hash_mib: usize,
    depth: u32,
    search: impl Fn(&mut Searcher<P>, &P, &Limits) -> u64,
) -> u64 {
    let mut searcher = Searcher::new(config, hash_mib);
    let limits = Limits::depth(depth);
    let texts = match P::GAME {
        Game::Shogi => SHOGI,
        Game::Chess => CHESS,
    };
    let positions = texts.lines().filter_map(|text| P::parse(text).ok());
    positions
        .map(|position| {
            searcher.new_game();
            search(&mut searcher, &position, &limits)
        })
        .sum()
}

#[derive(Debug, Default)]
struct Enough {
    nodes: u64,
}

impl<M> Observer<M> for Enough {
    fn is_stop_requested(&mut self) -> bool {
        self.nodes >= BRIEF_NODES
    }
    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        if self.nodes < BRIEF_NODES {
            self.nodes = iteration.nodes;
        }
    }
}

/// The lines of `signatures.csv` for the game, but for players whose weights are not in this program.
pub fn signatures<P: Searchable>() -> Vec<String> {
    let configured = configurations(P::GAME).into_iter().filter_map(|text| {
        let nodes = brief::<P>(&Config::parse(P::GAME, &text).ok()?);
        let quote = if text.contains(',') { "\"" } else { "" };
        Some(format!("{},{quote}{text}{quote},{nodes}", P::GAME.name()))
    });
    configured.collect()
}

/// The presets, and `base` with each switch and each choice set to each value that is not its own; what belongs to a
/// technique that `base` does without (`singular.double`) together with the technique.
fn configurations(game: Game) -> Vec<String> {
    let presets = PRESETS.iter().map(|(name, _)| (*name).to_owned());
    let flipped = Config::settings(game).flat_map(|setting| {
        let technique = setting.name.split_once('.').map(|(technique, _)| technique);
        let owner = Config::settings(game).find(|other| Some(other.name) == technique);
        let with = owner
            .and_then(switched_on)
            .map(|on| format!("{on},"))
            .unwrap_or_default();
        let values: &[&str] = match setting.kind {
            SettingKind::Switch { .. } => &["on", "off"],
            SettingKind::Choice { choices, .. } => choices,
            SettingKind::Int { .. } => &[],
        };
        let others = values.iter().filter(|value| **value != setting.default_text());
        others
            .map(move |value| format!("{with}{}={value}", setting.name))
            .collect::<Vec<_>>()
    });
    presets.chain(flipped).collect()
}

/// What switches on a technique that is off.
fn switched_on(setting: &Setting) -> Option<String> {
    let on = match setting.kind {
        SettingKind::Switch { default: false } => "on",
        SettingKind::Choice { default: 0, choices } => choices.last()?,
        _ => return None,
    };
    // So short a search shows DS-Cut too few cuts to drop anything.
    let more = if setting.name == "soppo" {
        ",soppo.samples_min=1,soppo.phase_min=0"
    } else {
        ""
    };
    Some(format!("{}={on}{more}", setting.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_foundation_plays_as_the_first_release_did() {
        let foundation = |game| Config::preset(game, "foundation").unwrap();
        let shogi = signature::<crate::shogi::Board>(&foundation(Game::Shogi), 9);
        let chess = signature::<crate::chess::Board>(&foundation(Game::Chess), 9);
        assert_eq!((shogi, chess), (58_692, 44_567));
    }
}
