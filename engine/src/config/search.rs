//! Search techniques and their numbers.
//!
//! In: nothing. Out: [`SearchConfig`]. Must not: hold a number that a technique's file could not explain.

use super::declare::{Choice, choice, settings};
use crate::game::DeclarationRule;

choice! {
    /// What a successful null-move search does.
    NullMove {
        /// No null-move search.
        Off = "off",
        /// Return at once.
        Prune = "prune",
        /// Lower the depth of the node.
        Reduce = "reduce",
    }
}

impl Choice for DeclarationRule {
    const NAMES: &'static [&'static str] = &["off", "27", "24"];
    fn index(self) -> i32 {
        match self {
            DeclarationRule::Off => 0,
            DeclarationRule::Points27 => 1,
            DeclarationRule::Points24 => 2,
        }
    }
    fn from_index(index: i32) -> Self {
        [
            DeclarationRule::Off,
            DeclarationRule::Points27,
            DeclarationRule::Points24,
        ][index.clamp(0, 2) as usize]
    }
}

settings! {
    /// Search techniques and their numbers, common to all games.
    SearchConfig {
        fail_soft "fail_soft": switch = true, "return the best value found instead of clamping it to the window";
        mate_distance "mate_distance": switch = true, "cut lines that cannot beat a mate already found";
        repetition_plies_max "repetition.plies_max": int = 32 in 4..512 step 4, "how far back the search looks for a repetition, in plies";
        repetition_contempt "repetition.contempt": int = 0 in 0..200 step 5, "how much a draw is worth less than 0 to the side that searches, in centipawns";
        declaration "declaration": choice(DeclarationRule) = Points27, "declaration rule that the search knows of: off, 27 or 24 points";

        hash "hash": switch = true, "remember positions in the hash table";
        hash_quiescence "hash.quiescence": switch = true, "use the hash table in quiescence search too";

        aspiration "aspiration": switch = true, "search the root with a narrow window around the last score";
        aspiration_depth_min "aspiration.depth_min": int = 5 in 2..20 step 1, "first iteration with a narrow window";
        aspiration_delta "aspiration.delta": int = 25 in 1..500 step 5, "half width of the first window, in centipawns";
        aspiration_growth "aspiration.growth": int = 60 in 10..400 step 10, "how much a failed window grows, in percent";

        one_reply "one_reply": switch = true, "play an only legal move at once when a clock runs";
        mate_stop "mate_stop": switch = true, "stop iterating once a mate within the depth searched is found";

        null_move "null_move": choice(NullMove) = Reduce, "search a pass first: off, return on success, or reduce on success";
        null_move_depth_min "null_move.depth_min": int = 4 in 1..20 step 1, "least depth of a node that tries a pass";
        null_move_shallower "null_move.shallower": int = 4 in 1..10 step 1, "how much shallower the search after a pass is";
        null_move_reduction "null_move.reduction": int = 3 in 1..10 step 1, "reduction of the node when the pass succeeds (null_move=reduce)";
        null_move_above_beta "null_move.above_beta": switch = false, "pass only if the static evaluation reaches beta";
        null_move_nested "null_move.nested": switch = false, "allow a pass inside the search after a pass (never twice in a row)";
        null_move_depth_step "null_move.depth_step": int = 0 in 0..20 step 1, "one ply shallower still for each so many plies of depth (0: never)";
        null_move_eval_step "null_move.eval_step": int = 0 in 0..1000 step 25, "one ply shallower still for each so many centipawns above beta, at most 3 (0: never)";

        reverse_futility "reverse_futility": switch = true, "return when the evaluation is above beta by a margin";
        reverse_futility_depth_max "reverse_futility.depth_max": int = 8 in 1..20 step 1, "greatest depth";
        reverse_futility_margin "reverse_futility.margin": int = 70 in 0..1000 step 10, "margin per ply, in centipawns";

        razoring "razoring": switch = true, "drop into quiescence search when the evaluation is far below alpha";
        razoring_depth_max "razoring.depth_max": int = 3 in 1..20 step 1, "greatest depth";
        razoring_base "razoring.base": int = 250 in 0..2000 step 25, "margin at depth 0, in centipawns";
        razoring_margin "razoring.margin": int = 200 in 0..2000 step 25, "further margin per ply, in centipawns";

        iir "iir": switch = true, "internal iterative reduction: one ply less without a hash move";
        iir_depth_min "iir.depth_min": int = 3 in 2..20 step 1, "least depth";
        iid "iid": switch = false, "internal iterative deepening: find a hash move for a PV node by a shallower search";
        iid_depth_min "iid.depth_min": int = 5 in 2..20 step 1, "least depth";
        iid_shallower "iid.shallower": int = 4 in 1..20 step 1, "how much shallower";

        see_ordering "see_ordering": switch = true, "try captures that lose material after the quiet moves";
        killers "killers": switch = true, "try the quiet moves that cut at the same ply early";
        history "history": switch = true, "order quiet moves by how often they cut";
        history_bonus "history.bonus": int = 150 in 1..1000 step 10, "bonus per ply of depth";
        history_bonus_max "history.bonus_max": int = 1500 in 1..4000 step 100, "greatest bonus";
        continuation "continuation": switch = true, "history of quiet moves after the moves one and two plies before";

        lmr "lmr": switch = true, "late move reductions";
        lmr_depth_min "lmr.depth_min": int = 3 in 2..20 step 1, "least depth";
        lmr_moves_min "lmr.moves_min": int = 2 in 1..64 step 1, "moves searched in full first";
        lmr_base "lmr.base": int = 700 in 0..4096 step 64, "reduction of the first late move, in 1/1024 plies";
        lmr_slope "lmr.slope": int = 600 in 0..2048 step 32, "reduction per ln(depth) ln(move number), in 1/1024 plies";
        lmr_pv "lmr.pv": int = 1024 in 0..4096 step 64, "less reduction in PV nodes, in 1/1024 plies";
        lmr_cut "lmr.cut": int = 1024 in 0..4096 step 64, "more reduction where a cut is expected, in 1/1024 plies";
        lmr_worsening "lmr.worsening": int = 512 in 0..4096 step 64, "more reduction when the evaluation is not improving, in 1/1024 plies";
        lmr_killer "lmr.killer": int = 1024 in 0..4096 step 64, "less reduction for killers, in 1/1024 plies";
        lmr_check "lmr.check": int = 1024 in 0..4096 step 64, "less reduction for moves that check, in 1/1024 plies";
        lmr_history "lmr.history": int = 5000 in 500..65536 step 500, "history score worth one ply of reduction";

        lmp "lmp": switch = true, "late move pruning: drop quiet moves after the first so many";
        lmp_depth_max "lmp.depth_max": int = 8 in 1..20 step 1, "greatest depth";
        lmp_base "lmp.base": int = 4 in 0..64 step 1, "moves kept at depth 0";
        lmp_slope "lmp.slope": int = 100 in 0..1000 step 10, "further moves kept per depth squared, in percent";

        futility "futility": switch = true, "drop quiet moves that cannot lift the evaluation to alpha";
        futility_depth_max "futility.depth_max": int = 7 in 1..20 step 1, "greatest reduced depth";
        futility_base "futility.base": int = 120 in 0..1000 step 10, "margin at depth 0, in centipawns";
        futility_margin "futility.margin": int = 110 in 0..1000 step 10, "further margin per ply, in centipawns";

        history_pruning "history_pruning": switch = true, "drop quiet moves with a bad history";
        history_pruning_depth_max "history_pruning.depth_max": int = 4 in 1..20 step 1, "greatest depth";
        history_pruning_margin "history_pruning.margin": int = 3000 in 0..20000 step 250, "how bad per ply of depth";

        see_pruning "see_pruning": switch = true, "drop moves that lose material by static exchange";
        see_pruning_depth_max "see_pruning.depth_max": int = 8 in 1..20 step 1, "greatest depth";
        see_pruning_quiet "see_pruning.quiet": int = 30 in 0..1000 step 5, "loss allowed to quiet moves per reduced depth squared, in centipawns";
        see_pruning_capture "see_pruning.capture": int = 150 in 0..1000 step 10, "loss allowed to captures per ply of depth, in centipawns";

        check_extension "check_extension": switch = true, "search checks that lose no material one ply deeper";
        check_extension_depth_max "check_extension.depth_max": int = 3 in 1..128 step 1, "greatest depth of a node whose checks are extended";

        delta_pruning "delta_pruning": switch = true, "quiescence: drop captures that cannot lift the evaluation to alpha";
        delta_pruning_margin "delta_pruning.margin": int = 150 in 0..2000 step 25, "margin, in centipawns";
        quiescence_see "quiescence_see": switch = true, "quiescence: drop captures that lose material by static exchange";
        quiescence_evasions "quiescence_evasions": switch = true, "quiescence: limit the quiet evasions tried once one holds";
        quiescence_evasions_max "quiescence_evasions.max": int = 2 in 1..64 step 1, "how many are tried";

        time_moves_left "time.moves_left": int = 35 in 5..200 step 1, "moves that the clock is spread over";
        time_hard_percent "time.hard_percent": int = 350 in 100..1000 step 10, "greatest time for one move, in percent of its share";
    }
}

impl SearchConfig {
    /// Alpha-beta with every optional technique switched off.
    pub(super) fn plain() -> Self {
        SearchConfig {
            mate_distance: false,
            hash: false,
            hash_quiescence: false,
            aspiration: false,
            one_reply: false,
            mate_stop: false,
            null_move: NullMove::Off,
            reverse_futility: false,
            razoring: false,
            iir: false,
            iid: false,
            see_ordering: false,
            killers: false,
            history: false,
            continuation: false,
            lmr: false,
            lmp: false,
            futility: false,
            history_pruning: false,
            see_pruning: false,
            check_extension: false,
            delta_pruning: false,
            quiescence_see: false,
            quiescence_evasions: false,
            ..SearchConfig::default()
        }
    }
}
