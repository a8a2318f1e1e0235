//! What the tests share: positions, searches and the rows of `data/`.

use tanren_engine::config::Config;
use tanren_engine::game::{GameMove, MoveList, Path, Position};
use tanren_engine::search::{Counters, Report, Searchable, Searcher, Silent};
use tanren_engine::time::Limits;

pub(crate) const SHOGI_ATTACK: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
/// Many drops and promotions.
pub(crate) const SHOGI_STARTS: [&str; 4] = [
    "startpos",
    SHOGI_ATTACK,
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
];
pub(crate) const CHESS_TACTICS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The rows of a file in `data/`.
pub(crate) fn rows(name: &str) -> Vec<csv::StringRecord> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(Result::unwrap).collect()
}

pub(crate) fn legal_all<P: Position>(position: &P) -> MoveList<P::Move> {
    let mut list = MoveList::new();
    position.legal_all(&mut list);
    list
}

pub(crate) fn sorted<M: GameMove>(moves: &[M]) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits
}

/// The position that `moves` lead to from `start`, and the way to it.
pub(crate) fn reach<P: Position>(start: &str, moves: &str) -> (P, Path) {
    let mut position = P::parse(start).unwrap();
    let mut path = Path::new(&position);
    for text in moves.split_whitespace() {
        position.make(position.parse_move(text).unwrap());
        path.push(&position);
    }
    (position, path)
}

/// A search by `player` as the first of a new game.
pub(crate) fn search<P: Searchable>(
    player: &str,
    (position, path): &(P, Path),
    limits: &Limits,
) -> (Report<P::Move>, Counters) {
    let config = Config::parse(P::GAME, player).unwrap();
    let mut counters = Counters::default();
    let report = Searcher::new(&config, 4).search_counted(position, path, limits, &mut Silent, &mut counters);
    (report, counters)
}

pub(crate) fn best<M: GameMove>(report: &Report<M>) -> String {
    report.best.unwrap().to_string()
}
