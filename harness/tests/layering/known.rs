//! Circles of files that are still to be cut. One that is no more, or is another, has to go from its list.

/// In the engine.
pub(crate) const ENGINE: &[&[&str]] = &[
    &["config/mod.rs", "config/presets.rs"],
    &["ordering/capture_history.rs", "ordering/history.rs"],
    &[
        "search/correction.rs",
        "search/forced.rs",
        "search/line.rs",
        "search/mod.rs",
        "search/node.rs",
        "search/probcut.rs",
        "search/score.rs",
        "search/singular.rs",
        "search/soppo.rs",
        "search/tree.rs",
    ],
    &["search/learning.rs", "search/moves.rs"],
];

/// In the harness.
pub(crate) const HARNESS: &[&[&str]] = &[
    &["cli/ablate.rs", "cli/ablate/rows.rs"],
    &[
        "cli/mod.rs",
        "cli/queue/estimate.rs",
        "cli/queue/line.rs",
        "cli/queue/mod.rs",
        "cli/queue/night.rs",
        "cli/report.rs",
        "cli/run.rs",
    ],
    &["cli/tune/compare.rs", "cli/tune/mod.rs"],
    &["cli/tune/confirm.rs", "cli/tune/play.rs"],
    &["report/odds.rs", "report/odds_plot.rs"],
    &[
        "report/records/csa.rs",
        "report/records/kif.rs",
        "report/records/mod.rs",
        "report/records/pgn.rs",
    ],
    &["report/tuning.rs", "report/tuning_plot.rs"],
    &["stats/llr.rs", "stats/sprt.rs"],
    &[
        "tune/method/adaptive.rs",
        "tune/method/averaged.rs",
        "tune/method/classic.rs",
        "tune/method/mod.rs",
        "tune/tuner.rs",
    ],
];
