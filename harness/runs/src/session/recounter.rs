//! The searches of a player of recorded games, made again and counted.
//!
//! Games count nothing while they are played, so that they cost nothing for it; under node or depth limits the same searches can be made
//! again. What differs from the record is not counted.

use tanren_engine::config::Config;
use tanren_engine::game::{GameMove, Path};
use tanren_engine::search::{Counters, Searchable, Searcher, Silent};
use tanren_engine::time::Limits;

use crate::config::{Conditions, MoveLimit};
use crate::record::{GameRecord, PairRecord, PlayerId};
use crate::schedule::limit_of_game;

pub(crate) struct Recounter<'a, P: Searchable> {
    conditions: &'a Conditions,
    limit: MoveLimit,
    engine: Searcher<P>,
}

impl<'a, P: Searchable> Recounter<'a, P> {
    pub(crate) fn new(conditions: &'a Conditions, limit: MoveLimit, config: &Config) -> Recounter<'a, P> {
        let mut config = config.clone();
        config.search.declaration = conditions.rules.declaration;
        Recounter {
            conditions,
            limit,
            engine: Searcher::new(&config, conditions.hash_mib),
        }
    }

    /// What the searches of player `id` in one game counted; nothing if one differs from the record.
    pub(crate) fn count(&mut self, record: &PairRecord, game: &GameRecord, id: PlayerId) -> Option<Counters> {
        let limits = self.limits(game.seed)?;
        let mut position = P::parse(&record.opening).ok()?;
        let mut counters = Counters::default();
        self.engine.new_game();
        let mut path = Path::new(&position);
        for (ply, (&bits, turn)) in game.moves.iter().zip(&game.turns).enumerate() {
            let is_first = ply % 2 == 0;
            if is_first == (game.first == id) {
                let report =
                    self.engine
                        .search_counted(&position, &path, &limits, &mut Silent, &mut counters);
                if report.nodes != turn.nodes || report.best.map(GameMove::bits) != Some(bits) {
                    return None;
                }
            }
            position.make(P::Move::from_bits(bits));
            path.push(&position);
        }
        Some(counters)
    }

    fn limits(&self, seed: u32) -> Option<Limits> {
        let percent = self.conditions.node_jitter_percent;
        let mut limits = Limits::default();
        match limit_of_game(self.limit, percent, seed) {
            MoveLimit::Nodes(nodes) => limits.nodes_max = Some(nodes),
            MoveLimit::Depth(depth) => limits.depth_max = Some(depth),
            MoveLimit::MoveTimeMs(_) | MoveLimit::Clock(_) => return None,
        }
        Some(limits)
    }
}
