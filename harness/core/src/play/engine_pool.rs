//! The players of one worker, any two of whom can play a pair.

use tanren_engine::game::Position;

use super::{GameTable, LiveSlot, PlayPairs, Unplayed};
use crate::config::Rules;
use crate::endgame::Tables;
use crate::openings::Opening;
use crate::player::Player;
use crate::record::{PairFault, PairRecord};
use crate::schedule::PairPlan;

type MakePlayer<'a, P> = Box<dyn Fn(u16) -> Box<dyn Player<P>> + 'a>;

/// Players that are made when a pair needs them and kept for the next one.
pub struct EnginePool<'a, P: Position> {
    make_player: MakePlayer<'a, P>,
    rules: Rules,
    tables: Option<Tables>,
    /// By number; `None` are those not made yet and those who play.
    players: Vec<Option<Box<dyn Player<P>>>>,
    live_slot: Option<LiveSlot>,
}

impl<'a, P: Position> EnginePool<'a, P> {
    pub fn new(players: usize, rules: Rules, make_player: MakePlayer<'a, P>) -> Self {
        EnginePool {
            make_player,
            rules,
            tables: None,
            players: (0..players).map(|_| None).collect(),
            live_slot: None,
        }
    }

    pub fn with_endgames(self, tables: Option<Tables>) -> Self {
        EnginePool { tables, ..self }
    }

    fn take(&mut self, player: u16) -> Box<dyn Player<P>> {
        let there = self.players[usize::from(player)].take();
        there.unwrap_or_else(|| (self.make_player)(player))
    }
}

impl<P: Position> PlayPairs<P> for EnginePool<'_, P> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        replayed: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        let [a, b] = plan.players;
        let mut table = GameTable::new([self.take(a), self.take(b)], self.rules)
            .with_endgames(self.tables.clone())
            .with_live_slot(self.live_slot.take());
        let record = table.play_pair(plan, opening, replayed);
        self.live_slot = table.live_slot;
        for (player, kept) in plan.players.into_iter().zip(table.players) {
            self.players[usize::from(player)] = Some(kept);
        }
        record
    }

    fn show_in(&mut self, live_slot: LiveSlot) {
        self.live_slot = Some(live_slot);
    }
}
