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
const SHOGI: &[&str] = &[
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "4k4/9/4+P4/3G1G3/9/9/9/4r4/3K5 b BSNPr 1",
];

/// Opening, middle game, tactics, pawn ending, rook ending.
const CHESS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/7p/3P1P1P/4K1P1/8/8 w - - 0 1",
];

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
    let positions = texts.iter().filter_map(|text| P::parse(text).ok());
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
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
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
    Some(format!("{}={on}", setting.name))
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
