//! Pairs of a run, played again.

use tanren_engine::search::Searchable;

use super::findings::{LedgerVerification, Problem, Replayed, Unchecked};

use crate::interrupt::Interrupt;
use crate::play::Table;
use crate::record::PairRecord;
use crate::session::error::ExperimentError;
use crate::session::external_engines::open_tables;
use crate::session::game::with_game;
use crate::session::stored::{Run, StoredSeats};
use crate::tools::replay::first_difference;

/// Plays `wanted` of `pairs` again, spread evenly over all of them.
pub(crate) fn replay(
    run: &Run,
    pairs: &[u64],
    wanted: u64,
    process: &Interrupt,
    found: &mut LedgerVerification,
) -> Result<(), ExperimentError> {
    let seats = match run.seats() {
        Ok(seats) => seats,
        Err(error) => {
            found.notes.push(Unchecked::Unrepeatable(error.to_string()));
            return Ok(());
        }
    };
    let mut replayed = Replayed::default();
    let wanted = wanted.min(pairs.len() as u64);
    for number in 0..wanted {
        let place = (u128::from(number) * pairs.len() as u128 / u128::from(wanted)) as usize;
        let Some(record) = run.ledger.pair(pairs[place])? else {
            continue;
        };
        let [a, b] = record.players;
        if !(seats.is_repeatable(a) && seats.is_repeatable(b)) {
            let [a, b] = [a, b].map(|player| seats.describe(player));
            let why =
                format!("{a} against {b}: where time decides or another program plays, it is another game");
            if !found.notes.contains(&Unchecked::Unrepeatable(why.clone())) {
                found.notes.push(Unchecked::Unrepeatable(why));
            }
            continue;
        }
        with_game!(
            seats.game(),
            replay_pair(&seats, &record, process, found, &mut replayed)
        )?;
    }
    found.replayed = Some(replayed);
    Ok(())
}

fn replay_pair<P: Searchable>(
    seats: &StoredSeats,
    record: &PairRecord,
    process: &Interrupt,
    found: &mut LedgerVerification,
    replayed: &mut Replayed,
) -> Result<(), ExperimentError> {
    let interrupt = process.for_run();
    let [a, b] = record.players;
    let players = (seats.player::<P>(a, &interrupt), seats.player::<P>(b, &interrupt));
    // A player or an opening that is not there was found before.
    let ((Some(a), Some(b)), Ok(start)) = (players, P::parse(&record.opening)) else {
        return Ok(());
    };
    let mut table = Table::new([a, b], seats.conditions.rules).with_endgames(open_tables(&seats.conditions)?);
    for (index, game) in record.games.iter().enumerate() {
        let again = table.play_game(&start, game.first, game.seed);
        let again = again.ok_or_else(|| ExperimentError::stopped(process))?;
        if let Some(difference) = first_difference::<P>(game, &again) {
            replayed.different += 1;
            found.problems.push(Problem::Different {
                game: 2 * record.pair + index as u64 + 1,
                pair: record.pair + 1,
                ply: difference.ply,
            });
        }
    }
    replayed.pairs += 1;
    Ok(())
}
