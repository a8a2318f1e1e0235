//! Search techniques and their numbers.

use super::declare::{SettingKind, settings};
use crate::game::{EarlyTests, Metric};
use crate::named::named;
use crate::shogi::DeclarationRule;

named! {
    /// What a successful null-move search does.
    NullMove {
        Off = "off", "No null-move search.";
        Prune = "prune", "Return at once.";
        Reduce = "reduce", "Lower the depth of the node.";
    }

    /// Where a dropped pawn is tested for mate.
    DropPawnMate {
        IsLegal = "is_legal", "Just before it is made.";
        Generation = "generation", "In the generator.";
    }

    /// Where a king's evasion is tested for suicide.
    KingEvasions {
        Late = "late", "Just before it is made.";
        Early = "early", "In the generator.";
    }

    /// When a pinned piece is kept on its line.
    Pins {
        Late = "late", "Just before it is moved.";
        Early = "early", "In the generator.";
    }

    /// When moves are tested for legality.
    LegalMoves {
        Late = "late", "One by one, just before they are made.";
        Generation = "generation", "All, when they are generated.";
    }

    /// How much of a node's moves is generated together.
    Generation {
        Staged = "staged", "What its stages come to.";
        Whole = "whole", "All, before the first is tried.";
    }

    /// How what a cut teaches grows with depth.
    HistoryGrowth {
        Linear = "linear", "In proportion to it.";
        Square = "square", "With its square.";
    }

    /// In which order captures are tried.
    CaptureOrder {
        VictimAttacker = "victim_attacker", "Most valuable victim first, of equal ones the least valuable attacker.";
        Victim = "victim", "Most valuable victim first.";
    }

    /// How late move reductions grow with depth and move number.
    LmrFormula {
        Logarithms = "logarithms", "With the product of their logarithms.";
        Roots = "roots", "With the sum of their square roots.";
    }

    /// What the gap between the two best quiescence values of the root's moves says.
    GapReading {
        Large = "large", "A large one makes the position easy: one move stands out.";
        Small = "small", "A small one makes it stable: nothing is at stake.";
    }

    /// Which distance from the fight a quiet move may have.
    Soppo {
        Off = "off", "Any.";
        Static = "static", "A fixed one (SS-Cut).";
        Dynamic = "dynamic", "One at which beta cuts happen (DS-Cut).";
    }

    /// When moves are judged by their distance from the fight.
    SoppoStage {
        Search = "search", "When they come up, once a move was searched that is not mated.";
        Generation = "generation", "When they are generated, whatever else the node has.";
    }
}

settings! {
    /// Search techniques and their numbers, common to all games.
    SearchConfig {
        fail_soft "fail_soft": switch = true, "return the best value found instead of clamping it to the window";
        mate_distance "mate_distance": switch = true, "cut lines that cannot beat a mate already found";
        repetition_plies_max "repetition.plies_max": int = 32 in 4..512 step 4, "how far back the search looks for a repetition, in plies";
        repetition_contempt "repetition.contempt": int = 0 in 0..200 step 5, "how much a draw is worth less than 0 to the side that searches, in centipawns";
        declaration "declaration": choice(DeclarationRule) = Points27, "declaration rule that the search knows of";

        hash "hash": switch = true, "remember positions in the hash table";
        hash_quiescence "hash.quiescence": switch = true, "use the hash table in quiescence search too";

        aspiration "aspiration": switch = true, "search the root with a narrow window around the last score";
        aspiration_depth_min "aspiration.depth_min": int = 5 in 2..20 step 1, "first iteration with a narrow window";
        aspiration_delta "aspiration.delta": int = 102 chess 33 in 1..500 step 21, "half width of the first window, in centipawns";
        aspiration_growth "aspiration.growth": int = 60 in 10..400 step 25, "how much a failed window grows, in percent";

        one_reply "one_reply": switch = true, "play an only legal move at once when a clock runs";
        mate_stop "mate_stop": switch = true, "stop iterating once a mate within the depth searched is found";
        second_best_stop "second_best_stop": switch = false, "stop iterating once every root move but the best is mated (needs fail_soft)";

        second_best_stop_verify "second_best_stop.verify": int = 0 in 0..64 step 1, "ask of so many root moves whose loss is not certain, by a search with its window at mate, whether they lose (0: none)";

        easy_move "easy_move": switch = false, "answer sooner when a shallow search finds one root move much better and the score agrees";
        easy_move_reading "easy_move.reading": choice(GapReading) = Large, "which gap between the two best values of root moves saves time: large (one move is clearly best) or small (nothing is at stake)";
        easy_move_depth "easy_move.depth": int = 1 in 1..3 step 1, "depth of the search that values each root move for it, in plies (1: quiescence search after the move, as Bonanza does)";
        easy_move_gap "easy_move.gap": int = 400 in 0..5000 step 50, "least lead of the best root move over the second, in centipawns (easy_move.reading=small: greatest)";
        easy_move_fall "easy_move.fall": int = 100 in 0..2000 step 25, "how far the score may fall below that value, in centipawns";
        easy_move_depth_min "easy_move.depth_min": int = 6 in 1..64 step 1, "first iteration after which the answer may come sooner";
        easy_move_percent "easy_move.percent": int = 30 in 1..100 step 5, "share of the time for an easy position, in percent";
        stable_move "stable_move": switch = true, "less time while the best move stays, more when it changes or the score falls";
        stable_move_iterations "stable_move.iterations": int = 4 in 1..64 step 1, "iterations with the same best move that make it stable";
        stable_move_percent "stable_move.percent": int = 60 in 1..100 step 5, "share of the time for a stable best move, in percent";
        stable_move_changed_percent "stable_move.changed_percent": int = 130 in 100..400 step 10, "share of the time after a change of the best move, in percent";
        stable_move_fall "stable_move.fall": int = 40 in 1..2000 step 10, "a score falls if it loses so much in one iteration, in centipawns";
        stable_move_falling_percent "stable_move.falling_percent": int = 210 chess 150 in 100..400 step 10, "share of the time for a falling score, in percent";
        node_time "node_time": switch = true, "the more nodes of an iteration went into the best move, the less time";
        node_time_base "node_time.base": int = 260 chess 200 in 100..400 step 10, "share of the time when no node went into the best move, in percent";
        node_time_slope "node_time.slope": int = 215 chess 140 in 0..400 step 10, "how much is taken off that share when all nodes did, in percent";
        node_time_depth_min "node_time.depth_min": int = 6 in 1..64 step 1, "first iteration whose nodes count";
        partial_iteration "partial_iteration": switch = true chess false, "end an iteration between two root moves once its time is over and the score of the best move is exact";
        partial_iteration_percent "partial_iteration.percent": int = 160 in 100..1000 step 10, "when it ends, in percent of the time for the position";
        ponder_iterations "ponder_iterations": switch = true, "after a ponder hit, answer once as many iterations are done as the last search without pondering did";
        ponder_iterations_more "ponder_iterations.more": int = 1 in 0..32 step 1, "how many iterations more than that";

        mate_in_one "mate_in_one": switch = false, "look for a mate in one ply at every node that is not in check (shogi)";

        null_move "null_move": choice(NullMove) = Prune, "search a pass first: off, return on success, or reduce on success";
        null_move_depth_min "null_move.depth_min": int = 2 in 1..20 step 1, "least depth of a node that tries a pass";
        null_move_shallower "null_move.shallower": int = 8 chess 5 in 1..10 step 1, "how much shallower the search after a pass is";
        null_move_reduction "null_move.reduction": int = 3 in 1..10 step 1, "reduction of the node when the pass succeeds (null_move=reduce)";
        null_move_above_beta "null_move.above_beta": switch = true, "pass only if the static evaluation reaches beta";
        null_move_margin "null_move.margin": int = (-28) chess (-12) in -1000..1000 step 50, "pass only if the static evaluation is so far above beta, in centipawns (null_move.above_beta=on)";
        null_move_margin_step "null_move.margin_step": int = 0 in 0..100 step 5, "how much less than null_move.margin is asked for each ply of depth, in centipawns";
        null_move_cut_only "null_move.cut_only": switch = true, "pass only where a cut is expected";
        null_move_hash "null_move.hash": switch = false, "ask the hash entry again once a pass has reduced the node (null_move=reduce)";
        null_move_nested "null_move.nested": switch = true, "allow a pass inside the search after a pass (never twice in a row)";
        null_move_verification "null_move.verification": int = 0 in 0..64 step 1, "depth from which a successful pass is verified by a search without passes near the node (0: never)";
        null_move_depth_step "null_move.depth_step": int = 5 chess 2 in 0..20 step 1, "one ply shallower still for each so many plies of depth (0: never)";
        null_move_eval_step "null_move.eval_step": int = 0 in 0..1000 step 25, "one ply shallower still for each so many centipawns above beta, at most 3 (0: never)";

        correction "correction": switch = true, "correct static evaluations by what searches found in positions alike";
        correction_rate "correction.rate": int = 3 in 1..64 step 1, "how much of an error is learnt per ply of depth, in 1/256";
        correction_limit "correction.limit": int = 200 in 10..1000 step 95, "greatest correction by each likeness at full weight, in centipawns";
        correction_material "correction.material": int = 100 in 0..400 step 50, "weight of positions with like material (shogi: hands), in percent";
        correction_kings "correction.kings": int = 100 in 0..400 step 50, "weight of positions with like kings and castles, in percent";
        correction_pawns "correction.pawns": int = 100 in 0..400 step 50, "weight of positions with like pawns, in percent";
        correction_pieces "correction.pieces": int = 100 in 0..400 step 10, "weight of positions with like pieces of a side, without pawns, once for each side, in percent";
        correction_moves "correction.moves": int = 100 in 0..400 step 10, "weight of positions after the same last two moves, in percent";

        reverse_futility "reverse_futility": switch = true, "return when the evaluation is above beta by a margin";
        reverse_futility_depth_max "reverse_futility.depth_max": int = 8 in 1..20 step 1, "greatest depth";
        reverse_futility_margin "reverse_futility.margin": int = 231 chess 92 in 0..1000 step 75, "margin per ply, in centipawns";

        razoring "razoring": switch = false, "drop into quiescence search when the evaluation is far below alpha";
        razoring_depth_max "razoring.depth_max": int = 3 in 1..20 step 1, "greatest depth";
        razoring_base "razoring.base": int = 250 in 0..2000 step 130, "margin at depth 0, in centipawns";
        razoring_margin "razoring.margin": int = 200 in 0..2000 step 100, "further margin per ply, in centipawns";

        iir "iir": switch = true, "internal iterative reduction: one ply less without a hash move where a cut is possible";
        iir_depth_min "iir.depth_min": int = 3 in 2..20 step 1, "least depth";
        iid "iid": switch = false, "internal iterative deepening: find a hash move for a PV node by a shallower search";
        iid_depth_min "iid.depth_min": int = 5 in 2..20 step 1, "least depth";
        iid_shallower "iid.shallower": int = 4 in 1..20 step 1, "how much shallower";
        iid_depth "iid.depth": int = 0 in 0..20 step 1, "search to this depth whatever the node's, if that is less (0: iid.shallower)";

        probcut "probcut": switch = false, "return when a capture, searched less deep, is above beta by a margin";
        probcut_depth_min "probcut.depth_min": int = 5 in 2..20 step 1, "least depth";
        probcut_margin "probcut.margin": int = 200 in 0..2000 step 20, "margin above beta, in centipawns";
        probcut_improving "probcut.improving": int = 60 in 0..1000 step 10, "smaller margin when the evaluation is improving, in centipawns";
        probcut_shallower "probcut.shallower": int = 4 in 1..10 step 1, "how much shallower the search of a capture is";

        see_ordering "see_ordering": switch = true, "try captures that lose material after the quiet moves";
        capture_order "capture_order": choice(CaptureOrder) = VictimAttacker, "order of captures: by the value of the victim and then of the attacker, or of the victim alone";
        killers "killers": switch = true, "try the quiet moves that cut at the same ply early";
        counter_moves "counter_moves": switch = false, "try the quiet move that last cut after the opponent's move right after the killers";
        history "history": switch = true, "order quiet moves by how often they cut";
        history_growth "history.growth": choice(HistoryGrowth) = Linear, "how bonus and malus grow with depth: linear or with its square";
        history_bonus "history.bonus": int = 201 in 1..1000 step 100, "bonus per ply of depth (history.growth=square: per ply squared)";
        history_bonus_max "history.bonus_max": int = 1500 in 1..4000 step 100, "greatest bonus";
        history_malus "history.malus": int = 210 in 0..1000 step 100, "malus per ply of depth (history.growth=square: per ply squared) for the moves tried before the one that cut";
        history_malus_max "history.malus_max": int = 1500 in 0..4000 step 100, "greatest malus";
        history_limit "history.limit": int = 8192 in 4096..16384 step 2000, "greatest value of a history: the smaller, the faster old results fade";
        history_unanswered "history.unanswered": int = 100 in 0..400 step 50, "bonus of a quiet move to which no reply reached alpha, compared with that of a cut, in percent";
        history_research "history.research": int = 100 in 0..400 step 50, "what a quiet move gains when its reduced search reaches alpha, or loses when a second search does not, compared with bonus and malus, in percent";
        history_attacked "history.attacked": switch = true, "keep the history of quiet moves apart by whether the opponent attacks the squares that they leave and reach";
        history_check "history.check": int = 3000 chess 0 in 0..16384 step 1000, "what is added, when quiet moves are ordered, to the history of one whose piece gives check";
        history_aging "history.aging": int = 100 in 0..100 step 10, "how much of the history of quiet moves (continuation apart) still counts at the next move of the game, in percent";
        eval_history "eval_history": switch = true, "quiet moves gain or lose history by how the static evaluation changed with them (needs history)";
        eval_history_weight "eval_history.weight": int = 6 chess 8 in 1..64 step 4, "what a move gains for each centipawn that the evaluation rose, and loses for each that it fell";
        eval_history_offset "eval_history.offset": int = 20 in -100..100 step 10, "added to each rise, in centipawns";
        continuation "continuation": switch = true, "history of quiet moves after the moves one and two plies before";
        continuation_4 "continuation.4": switch = true, "and after the move four plies before (needs continuation)";

        capture_history "capture_history": switch = true, "history of captures in addition to the material they gain, in ordering, late move reductions and SEE pruning";
        capture_history_worth "capture_history.worth": int = 300 in 0..2000 step 150, "what the best history is worth in the order of captures, in centipawns";
        capture_history_reduction "capture_history.reduction": int = 200 in 0..1000 step 50, "weight of a losing capture's history in late move reductions, in percent of a quiet move's";
        capture_history_see "capture_history.see": int = 100 in 0..1000 step 20, "how much more captures with the best history may lose in SEE pruning, in centipawns";

        drop_pawn_mate "drop_pawn_mate": choice(DropPawnMate) = IsLegal, "shogi: where a dropped pawn is tested for mate, just before it is made or in generation; same nodes";
        king_evasions "king_evasions": choice(KingEvasions) = Late, "shogi: when a king's evasion is tested for suicide, just before it is made (late) or in the generator (early); same nodes";

        pins "pins": choice(Pins) = Late, "shogi: when a pinned piece is kept on its line, just before it moves (late) or in the generator (early); same nodes without delta_pruning";
        legal_moves "legal_moves": choice(LegalMoves) = Late, "shogi: legality is tested move by move just before it is made (late), or for all moves when generated; same nodes without delta_pruning and quiescence_evasions";
        generation "generation": choice(Generation) = Staged, "moves of a node are generated as its stages come to them (staged) or all before the first is tried (whole); same nodes";

        lmr "lmr": switch = true, "late move reductions";
        lmr_depth_min "lmr.depth_min": int = 3 in 2..20 step 1, "least depth";
        lmr_moves_min "lmr.moves_min": int = 2 in 1..64 step 1, "moves searched in full first, below the root";
        lmr_root_moves_min "lmr.root_moves_min": int = 2 chess 3 in 1..64 step 1, "moves of the root searched in full first";
        lmr_moves_percent "lmr.moves_percent": int = 0 in 0..100 step 5, "moves searched in full first at least, in percent of the legal moves";
        lmr_formula "lmr.formula": choice(LmrFormula) = Logarithms, "growth with depth and move number: product of logarithms or sum of roots";
        lmr_base "lmr.base": int = 971 chess 950 in 0..4096 step 140, "reduction of the first late move, in 1/1024 plies";
        lmr_slope "lmr.slope": int = 623 chess 431 in 0..2048 step 260, "reduction per ln(depth) ln(move number), in 1/1024 plies";
        lmr_pv "lmr.pv": int = 600 chess 299 in 0..4096 step 64, "less reduction in PV nodes, in 1/1024 plies";
        lmr_cut "lmr.cut": int = 626 chess 1039 in 0..4096 step 390, "more reduction where a cut is expected, in 1/1024 plies";
        lmr_worsening "lmr.worsening": int = 760 chess 1397 in 0..4096 step 530, "more reduction when the evaluation is not improving, in 1/1024 plies";
        lmr_killer "lmr.killer": int = 1659 in 0..4096 step 830, "less reduction for killers, in 1/1024 plies";
        lmr_check "lmr.check": int = 1024 in 0..4096 step 64, "less reduction for moves that check, in 1/1024 plies";
        lmr_hash_capture "lmr.hash_capture": int = 1024 in 0..4096 step 64, "more reduction for quiet moves when the hash move is a capture, in 1/1024 plies";
        lmr_research "lmr.research": switch = true, "search a reduced move that proved good one ply deeper or shallower again, by how good (needs fail_soft)";
        lmr_research_deeper "lmr.research.deeper": int = 60 in 0..1000 step 30, "deeper from so far above alpha, in centipawns";
        lmr_research_shallower "lmr.research.shallower": int = 10 in 0..1000 step 5, "shallower below so far above alpha, in centipawns";
        lmr_history "lmr.history": int = 5792 in 500..65536 step 2600, "history score worth one ply of reduction";

        lmp "lmp": switch = true, "late move pruning: drop quiet moves after the first so many";
        lmp_depth_max "lmp.depth_max": int = 8 in 1..20 step 1, "greatest depth";
        lmp_base "lmp.base": int = 25 chess 22 in 0..64 step 2, "moves kept at depth 0";
        lmp_slope "lmp.slope": int = 531 chess 410 in 0..1000 step 110, "further moves kept per depth squared, in percent";

        futility "futility": switch = true, "drop moves that cannot lift the evaluation to alpha";
        futility_depth_max "futility.depth_max": int = 7 in 1..20 step 1, "greatest reduced depth";
        futility_base "futility.base": int = 1 in 0..1000 step 10, "margin of quiet moves at depth 0, in centipawns";
        futility_margin "futility.margin": int = 100 chess 39 in 0..1000 step 26, "further margin of quiet moves per ply, in centipawns";
        futility_improving "futility.improving": int = 40 chess 0 in 0..1000 step 20, "further margin of quiet moves where the evaluation is improving, in centipawns";
        futility_rest "futility.rest": switch = true, "once a quiet move is dropped, drop all later ones that give no check";
        futility_material "futility.material": switch = false, "judge by the material alone instead of the evaluation";
        futility_capture "futility.capture": int = 250 chess 0 in 0..2000 step 50, "margin of captures at depth 0, and again for each ply, in centipawns (0: drop none)";

        history_pruning "history_pruning": switch = true, "drop quiet moves with a bad history";
        history_pruning_depth_max "history_pruning.depth_max": int = 4 in 1..20 step 1, "greatest depth";
        history_pruning_margin "history_pruning.margin": int = 1800 chess 2497 in 0..20000 step 250, "how bad per ply of depth";

        see_pruning "see_pruning": switch = true, "drop moves that lose material by static exchange";
        see_pruning_depth_max "see_pruning.depth_max": int = 8 in 1..20 step 1, "greatest depth";
        see_pruning_quiet "see_pruning.quiet": int = 75 chess 29 in 0..1000 step 11, "loss allowed to quiet moves per reduced depth squared, in centipawns";
        see_pruning_capture "see_pruning.capture": int = 185 chess 139 in 0..1000 step 120, "loss allowed to captures per ply of depth, in centipawns";

        soppo "soppo": choice(Soppo) = Off, "drop quiet moves that act far from the kings: off, static (SS-Cut) or dynamic (DS-Cut)";
        soppo_stage "soppo.stage": choice(SoppoStage) = Search, "drop moves when they come up, once some move holds (search), or when they are generated, whatever holds (generation)";
        soppo_distance "soppo.distance": int = 5 in 0..16 step 2, "greatest distance that is kept (soppo=static)";
        soppo_metric "soppo.metric": choice(Metric) = KingMoves, "measure of distances: king moves (chebyshev) or files plus ranks (manhattan)";
        soppo_attack "soppo.attack": switch = true, "judge moves that attack an enemy piece, from that piece to the enemy king";
        soppo_defence "soppo.defence": switch = true, "judge moves that answer an attack, from the attacked piece to the own king";
        soppo_other "soppo.other": switch = true, "judge all other quiet moves, from their destination to the nearer king";
        soppo_exempt "soppo.exempt": switch = true, "never judge moves of king, lance, bishop, rook, horse and dragon (in chess of king, bishop, rook and queen)";
        soppo_root "soppo.root": switch = true, "judge the moves of the root too, unless none would be left";
        soppo_phase_min "soppo.phase_min": int = 128 in 0..256 step 64, "judge from this share of the ending on, in 1/256 (0: always)";
        soppo_share "soppo.share": int = 20 in 1..1000 step 5, "least share of the beta cuts at the greatest distance kept, in permille (soppo=dynamic)";
        soppo_samples_min "soppo.samples_min": int = 16 in 1..100000 step 50, "beta cuts below which nothing is dropped (soppo=dynamic)";
        soppo_aging "soppo.aging": int = 75 in 0..100 step 10, "how many beta cuts still count at the next move of the game, in percent (soppo=dynamic)";
        soppo_pooled "soppo.pooled": switch = true, "one distance for all kinds of moves instead of one for each (soppo=dynamic)";

        check_extension "check_extension": switch = true, "search checks that lose no material one ply deeper";
        check_extension_depth_max "check_extension.depth_max": int = 3 in 1..128 step 1, "greatest depth of a node whose checks are extended";
        check_extension_losing "check_extension.losing": switch = false, "extend checks that lose material too";

        one_reply_extension "one_reply_extension": switch = false, "search the only legal move out of a check one ply deeper";
        one_reply_hash "one_reply_hash": switch = false, "keep in the hash table that a move out of check is the only one, and generate none there again";

        forced_reply "forced_reply": switch = false, "keep in the hash table that all moves of a node but one lose by force, and try that one alone there again (needs fail_soft)";
        forced_reply_extension "forced_reply.extension": switch = true, "and search it one ply deeper";

        singular "singular": switch = true, "search the hash move deeper when no other move comes near its score";
        singular_depth_min "singular.depth_min": int = 6 in 2..20 step 2, "least depth";
        singular_hash_shallower "singular.hash_shallower": int = 3 in 0..10 step 1, "how much shallower than the node the hash entry may be";
        singular_margin "singular.margin": int = 3 chess 4 in 0..100 step 1, "how far the other moves must stay below the hash score, in centipawns per ply of depth";
        singular_double "singular.double": switch = true, "extend by two plies, in zero-window nodes, when they stay further below";
        singular_double_margin "singular.double_margin": int = 52 chess 4 in 0..1000 step 5, "how much further, in centipawns";
        singular_triple_margin "singular.triple_margin": int = 40 in 0..1000 step 10, "how much further still for three plies, in centipawns (0: never)";
        singular_multicut "singular.multicut": switch = true, "return, in zero-window nodes, when another move reaches beta too";
        singular_negative "singular.negative": int = 1 in 0..4 step 1, "search the hash move so many plies shallower when it is not singular and a cut is expected of the node";

        delta_pruning "delta_pruning": switch = true, "quiescence: drop captures that cannot lift the evaluation to alpha";
        delta_pruning_margin "delta_pruning.margin": int = 900 chess 712 in 0..2000 step 320, "margin, in centipawns";
        quiescence_see "quiescence_see": switch = true, "quiescence: drop captures that lose material by static exchange";
        quiescence_see_margin "quiescence_see.margin": int = 50 chess 0 in 0..1000 step 50, "how much they may lose, in centipawns";
        quiescence_evasions "quiescence_evasions": switch = true, "quiescence: limit the quiet evasions tried once one holds";
        quiescence_evasions_max "quiescence_evasions.max": int = 2 in 1..64 step 1, "how many are tried";
        quiescence_mate_in_one "quiescence_mate_in_one": switch = true, "look for a mate in one ply in quiescence search (shogi)";

        time_moves_left "time.moves_left": int = 42 chess 25 in 5..200 step 1, "moves that the clock is spread over";
        time_hard_percent "time.hard_percent": int = 350 in 100..1000 step 10, "greatest time for one move, in percent of its share";
        time_byoyomi_percent "time.byoyomi_percent": int = 100 in 10..100 step 5, "share of the byoyomi that is used, in percent";
        whole_second "whole_second": switch = false, "the clock counts whole seconds: use each second that is begun";
        time_second_fraction "time.second_fraction": int = 80 in 1..99 step 1, "how much of the last second is used, in percent (whole_second)";
    }
}

impl SearchConfig {
    /// The tests of legality that the generators make.
    #[inline]
    pub fn early_tests(&self) -> EarlyTests {
        let all = self.legal_moves == LegalMoves::Generation;
        EarlyTests {
            drops: all || self.drop_pawn_mate == DropPawnMate::Generation,
            king_evasions: all || self.king_evasions == KingEvasions::Early,
            pins: all || self.pins == Pins::Early,
            kings: all,
        }
    }

    /// The same numbers, but alpha-beta with every optional technique switched off.
    pub(super) fn plain(mut self) -> Self {
        for setting in Self::SETTINGS {
            let is_technique = match setting.name {
                "fail_soft" | "whole_second" => false,
                "hash.quiescence" | "continuation.4" | "history.attacked" | "lmr.research"
                | "futility.rest" => true,
                name => !name.contains('.'),
            };
            if is_technique && matches!(setting.kind, SettingKind::Switch { .. }) {
                self.set_number(setting.name, 0);
            }
        }
        self.null_move = NullMove::Off;
        self
    }

    /// `base` of shogi with these settings.
    #[cfg(test)]
    pub(crate) fn with(settings: &str) -> Self {
        super::Config::parse(crate::game::Game::Shogi, settings)
            .unwrap()
            .search
    }
}
