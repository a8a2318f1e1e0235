//! The players of one worker, any two of whom can be sat at its table.

use tanren_engine::game::Position;

use super::{LiveSlot, PlayPairs, Table, Unplayed};
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
    /// By number; `None` are those not made yet and those at the table.
    bench: Vec<Option<Box<dyn Player<P>>>>,
    table: Option<([u16; 2], Table<P>)>,
    live_slot: Option<LiveSlot>,
}

impl<'a, P: Position> EnginePool<'a, P> {
    /// A pool of `players` players, none of whom is there yet.
    pub fn new(players: usize, rules: Rules, make_player: MakePlayer<'a, P>) -> Self {
        EnginePool {
            make_player,
            rules,
            tables: None,
            bench: (0..players).map(|_| None).collect(),
            table: None,
            live_slot: None,
        }
    }

    pub fn with_endgames(self, tables: Option<Tables>) -> Self {
        EnginePool { tables, ..self }
    }

    fn take(&mut self, player: u16) -> Box<dyn Player<P>> {
        let there = self.bench[usize::from(player)].take();
        there.unwrap_or_else(|| (self.make_player)(player))
    }
}

impl<P: Position> PlayPairs<P> for EnginePool<'_, P> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        excused: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        let mut table = match self.table.take() {
            Some((seated, table)) if seated == plan.players => table,
            other => {
                if let Some((seated, table)) = other {
                    for (player, there) in seated.into_iter().zip(table.players) {
                        self.bench[usize::from(player)] = Some(there);
                    }
                }
                let [a, b] = plan.players;
                Table::new([self.take(a), self.take(b)], self.rules)
                    .with_endgames(self.tables.clone())
                    .with_live_slot(self.live_slot.clone())
            }
        };
        let record = table.play_pair(plan, opening, excused);
        self.table = Some((plan.players, table));
        record
    }

    fn show_in(&mut self, live_slot: LiveSlot) {
        self.live_slot = Some(live_slot);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tanren_engine::config::DeclarationRule;

    use super::*;
    use crate::player::{Action, Scripted};
    use crate::record::PlayerId;
    use crate::toy::{Take, Toy};

    #[test]
    fn each_player_is_made_once_and_sits_where_the_plan_says() {
        let made = RefCell::new(Vec::new());
        let rules = Rules {
            declaration: DeclarationRule::Off,
            ..Rules::default()
        };
        // Player 0 resigns, the others take one.
        let make = |player: u16| {
            made.borrow_mut().push(player);
            Scripted::boxed(move |_: &Toy, _, _| {
                Some(if player == 0 {
                    Action::Resign
                } else {
                    Action::Move(Take(1))
                })
            })
        };
        let mut engine_pool = EnginePool::new(4, rules, Box::new(make));
        let opening = Opening::new(1, Toy::parse("9 a").unwrap());
        let mut winners = |players| {
            let plan = PairPlan {
                pair: 0,
                players,
                opening: 0,
                seeds: [1, 2],
            };
            let record = engine_pool.play_pair(&plan, &opening, &mut Vec::new()).unwrap();
            record.games.map(|game| game.winner)
        };
        assert_eq!(winners([0, 1]), [Some(PlayerId::B); 2]);
        assert_eq!(winners([2, 0]), [Some(PlayerId::A); 2]);
        assert_eq!(winners([0, 2]), [Some(PlayerId::B); 2]);
        assert_eq!(*made.borrow(), [0, 1, 2], "player 3 is never needed");
    }
}
