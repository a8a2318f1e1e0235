//! The games that are being played, for who would like to see them.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::platform::lock;
use crate::record::GameRecord;

/// What another machine tells is not shown any longer.
const FRESH: Duration = Duration::from_secs(15);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    pub game: String,
    pub pair: u64,
    /// Which game of the pair, from 0.
    pub index: u8,
    pub players: [u16; 2],
    pub opening_line: u32,
    pub opening: String,
    pub moves: String,
    pub clocks_ms: [Option<u64>; 2],
}

type SharedGame = Mutex<Option<LiveGame>>;

/// Hears of every game of this machine as it begins and ends, from the thread that plays it. A pair that is played again is heard of again.
pub trait GameListener: Debug + Send + Sync {
    fn started(&self, game: &LiveGame);

    fn finished(&self, game: &LiveGame, record: &GameRecord);
}

#[derive(Debug, Default)]
pub struct LiveGames {
    listener: Option<Arc<dyn GameListener>>,
    asked: AtomicU64,
    slots: Mutex<Vec<Weak<SharedGame>>>,
    remote: Mutex<BTreeMap<String, (Instant, Vec<LiveGame>)>>,
}

impl LiveGames {
    pub fn heard_by(listener: Option<Arc<dyn GameListener>>) -> LiveGames {
        LiveGames {
            listener,
            ..LiveGames::default()
        }
    }

    pub fn slot(self: &Arc<Self>) -> LiveSlot {
        let slot = Arc::default();
        let mut slots = lock(&self.slots);
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(Arc::downgrade(&slot));
        LiveSlot {
            live_games: Arc::clone(self),
            slot,
            answered: 0,
            game: LiveGame::default(),
        }
    }

    pub fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    pub fn games(&self) -> Vec<LiveGame> {
        let slots = lock(&self.slots);
        let slots = slots.iter().filter_map(Weak::upgrade);
        let mut games: Vec<LiveGame> = slots.filter_map(|slot| lock(&slot).clone()).collect();
        let remote = lock(&self.remote);
        let fresh = remote.values().filter(|(told, _)| told.elapsed() < FRESH);
        games.extend(fresh.flat_map(|(_, games)| games.iter().cloned()));
        games
    }

    pub fn set_remote(&self, machine: &str, games: Vec<LiveGame>) {
        let mut remote = lock(&self.remote);
        remote.insert(machine.to_owned(), (Instant::now(), games));
    }
}

#[derive(Debug, Clone)]
pub struct LiveSlot {
    live_games: Arc<LiveGames>,
    slot: Arc<SharedGame>,
    answered: u64,
    /// What is known before it begins; the players in the order of the plan.
    pub(super) game: LiveGame,
}

impl LiveSlot {
    pub(super) fn is_asked(&self) -> bool {
        self.live_games.asked.load(Ordering::Relaxed) != self.answered
    }

    /// A game begins of which nobody has seen anything yet.
    pub(super) fn begin(&mut self, game: LiveGame) {
        self.game = game;
        if let Some(listener) = &self.live_games.listener {
            listener.started(&self.game);
        }
    }

    pub(super) fn end(&self, record: &GameRecord) {
        if let Some(listener) = &self.live_games.listener {
            listener.finished(&self.game, record);
        }
    }

    pub fn publish(&mut self, game: LiveGame) {
        self.answered = self.live_games.asked.load(Ordering::Relaxed);
        *lock(&self.slot) = Some(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(moves: &str) -> LiveGame {
        LiveGame {
            moves: moves.to_owned(),
            ..LiveGame::default()
        }
    }

    #[test]
    fn what_another_machine_tells_replaces_what_it_told_before_and_nothing_of_others() {
        let live_games = Arc::<LiveGames>::default();
        let mut live_slot = live_games.slot();
        live_slot.publish(of("7g7f"));
        live_games.set_remote("one", vec![of("2g2f"), of("2g2f 8c8d")]);
        live_games.set_remote("two", vec![of("9g9f")]);
        live_games.set_remote("one", vec![of("1g1f")]);
        let moves: Vec<String> = live_games.games().into_iter().map(|game| game.moves).collect();
        assert_eq!(moves, ["7g7f", "1g1f", "9g9f"]);
        drop(live_slot);
        live_games.set_remote("one", Vec::new());
        live_games.set_remote("two", Vec::new());
        assert!(live_games.games().is_empty());
    }
}
