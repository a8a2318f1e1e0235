//! From a seat to a player at a table.

use std::path::Path;

use tanren_engine::search::Searchable;

use crate::config::{Conditions, MatchSpec, OpeningOrder, OpeningSource, PlayerKind, Seat};
use crate::interrupt::Interrupt;
use crate::play::GameTable;
use crate::player::{Builtin, BuiltinRules, Launch, Player, Process, ProcessRules};
use crate::record::PlayerId;
use crate::session::external_engines::ExternalEngines;

pub(crate) fn player<P: Searchable>(
    conditions: &Conditions,
    seat: &Seat,
    id: PlayerId,
    programs: &ExternalEngines,
    interrupt: &Interrupt,
) -> Box<dyn Player<P>> {
    match &seat.player.kind {
        PlayerKind::Builtin(config) => {
            let rules = BuiltinRules {
                limit: programs.paced(seat.limit),
                overhead_ms: conditions.rules.clock.overhead_ms,
                node_jitter_percent: conditions.node_jitter_percent,
                declaration: conditions.rules.declaration,
            };
            Box::new(Builtin::new(
                config,
                conditions.hash_mib,
                rules,
                interrupt.clone(),
            ))
        }
        PlayerKind::Process(process) => {
            let rules = ProcessRules {
                label: seat.player.label.clone(),
                limit: programs.paced(seat.limit),
                node_jitter_percent: conditions.node_jitter_percent,
                time_margin_ms: conditions.rules.clock.margin_ms,
                faults: programs.faults.clone(),
            };
            let process = programs.resolve(process);
            let process = process.unwrap_or_else(|error| unreachable!("every program was examined: {error}"));
            let process = process.within(conditions.engine_memory_mib);
            let launch = Launch {
                log: programs.log_folder.clone().map(|folder| (folder, id.letter())),
                files: programs.files.clone(),
                rules: Some(conditions.rules),
                ..Launch::new(process, conditions.timeouts, conditions.hash_mib, interrupt)
            };
            Box::new(Process::new(launch, rules))
        }
    }
}

/// The table of these two as keys of a match, for workers elsewhere: no openings, no test, nothing that names a run.
pub(crate) fn table_text<'a>(
    conditions: &Conditions,
    seats: impl IntoIterator<Item = &'a Seat>,
) -> Option<String> {
    let mut seats = seats.into_iter().cloned();
    let (a, b) = (seats.next()?, seats.next()?);
    let conditions = Conditions {
        name: None,
        pairs: None,
        sprt: None,
        openings: OpeningSource::BuiltIn,
        book_plies: None,
        order: OpeningOrder::default(),
        seed: 0,
        repeat: true,
        ..conditions.clone()
    };
    let spec = MatchSpec {
        conditions,
        seats: [a, b],
    };
    Some(spec.table(Path::new("")).to_string())
}

pub(crate) fn table<P: Searchable>(
    spec: &MatchSpec,
    programs: &ExternalEngines,
    interrupt: &Interrupt,
) -> GameTable<P> {
    let seated = |id: PlayerId| player(&spec.conditions, &spec.seats[id.index()], id, programs, interrupt);
    GameTable::new([PlayerId::A, PlayerId::B].map(seated), spec.conditions.rules)
        .with_endgames(programs.tables.clone())
}
