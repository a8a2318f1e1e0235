//! A USI engine (UCI for faults that begin with `chess-`) that plays legal moves until it does, on request, the one thing that an engine
//! must not do.
//!
//! `fault_engine FAULT [AT]`: the fault happens at the AT-th `go` (1 if absent) of this process, or where its name says.
//! A second argument that is no number is ignored, so that tests can mark their processes. `wrapped:FAULT` is a process that starts
//! the engine with FAULT and waits for it, as scripts do. With `FAULT_ONCE=FILE` in its
//! environment the fault at a `go` happens only where there is no such file, and makes it.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

use tanren_engine::game::{MoveList, Position, Side};
use tanren_engine::{chess, shogi};

/// Longer than any test waits.
const FOREVER: Duration = Duration::from_secs(600);
/// A line far longer than any buffer.
const HUGE_BYTES: usize = 3 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|word| word == "stay") {
        sleep(FOREVER);
    }
    if arguments.first().is_some_and(|word| word == "daemon") {
        // The second half of becoming a daemon: its own starter is gone when it begins.
        return start_itself("stay", false);
    }
    let fault = arguments.first().map_or("none", String::as_str);
    if let Some(inner) = fault.strip_prefix("wrapped:") {
        wrap(inner, &arguments[1..]);
    }
    let at = arguments.get(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    if fault == "log" {
        log(&arguments[1]);
    }
    at_start(fault);
    match fault.starts_with("chess-") {
        true => serve::<chess::Board>(fault, at),
        false => serve::<shogi::Board>(fault, at),
    }
}

fn serve<P: Position>(fault: &str, at: u32) {
    let mut board = P::start();
    let mut goes = 0;
    // Who is asked first with a move on the board moves second.
    let (mut has_moves, mut is_second) = (false, None);
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let command = line.split_whitespace().next().unwrap_or_default();
        match command {
            "usi" if fault == "uci-in-silence" => {}
            "usi" => introduce(fault),
            "uci" if fault.starts_with("uci-") || fault.starts_with("chess-") => introduce_by_uci(fault),
            "isready" => ready(fault),
            "usinewgame" if fault == "crash-at-newgame" => exit(4),
            "usinewgame" => is_second = None,
            "position" => (board, has_moves) = (position_of(&line), line.contains(" moves ")),
            "go" => {
                goes += 1;
                if *is_second.get_or_insert(has_moves) && fault == "crash-as-second" {
                    exit(3);
                }
                let is_answered = goes >= at && misbehave(fault, &board, goes);
                let is_ignored = ["ignore-stop", "late-at-stop"].contains(&fault) && line.contains("ponder");
                if !is_answered && !is_ignored {
                    answer(&board);
                }
            }
            "stop" | "ponderhit" if fault == "late-at-stop" => {
                if command == "stop" {
                    sleep(Duration::from_millis(300));
                }
                answer(&board);
            }
            "quit" if fault == "hang-at-quit" => sleep(FOREVER),
            "quit" => return,
            _ => {}
        }
    }
    if fault == "hang-at-quit" {
        sleep(FOREVER);
    }
}

/// Adds a line to a file that an argument names, as logs have it.
fn log(path: &str) {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| writeln!(file, "started"))
        .unwrap_or_else(|_| exit(5));
}

/// Starts this program again as `what`, with all words that follow the fault.
fn start_itself(what: &str, has_own_session: bool) {
    let mut child = Command::new(std::env::current_exe().unwrap_or_default());
    child.arg(what).args(std::env::args().skip(2));
    #[cfg(unix)]
    if has_own_session {
        use std::os::unix::process::CommandExt;
        // SAFETY: between fork and exec nothing is called but one system call, which takes no lock and no memory.
        unsafe {
            child.pre_exec(|| Ok(rustix::process::setsid().map(drop)?));
        }
    }
    #[cfg(not(unix))]
    let _ = has_own_session;
    let _ = child.spawn();
}

/// Starts the engine and ends as it does.
fn wrap(fault: &str, words: &[String]) -> ! {
    let mut engine = Command::new(std::env::current_exe().unwrap_or_default());
    let status = engine.arg(fault).args(words).status();
    exit(status.ok().and_then(|status| status.code()).unwrap_or(1))
}

/// Holds more and more, until it is refused.
fn eat_memory() -> ! {
    let mut held = Vec::new();
    loop {
        held.push(vec![1_u8; 1 << 20]);
        if held.len() > 1 << 14 {
            exit(9);
        }
    }
}

/// Writes bytes; whoever does not listen ends the engine.
fn say_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn say(line: &str) {
    say_bytes(format!("{line}\n").as_bytes());
}

fn at_start(fault: &str) {
    match fault {
        "crash-at-once" => exit(3),
        "noise-on-stderr" => {
            std::thread::spawn(|| while io::stderr().write_all(&[b'e'; 4096]).is_ok() {});
        }
        "child-that-stays" | "child-that-holds-the-pipe" => start_itself("stay", false),
        "child-in-its-own-session" => start_itself("stay", true),
        "daemon-that-stays" | "daemon-that-holds-the-pipe" => start_itself("daemon", true),
        "last-words" => {
            let _ = io::stderr().write_all(b"assertion failed: half a board\n");
        }
        _ => {}
    }
}

fn introduce(fault: &str) {
    match fault {
        "hang-at-usi" => sleep(FOREVER),
        "crash-at-usi" => exit(3),
        "flood-at-usi" => loop {
            say("option name X type check default false");
        },
        "wrong-options" => {
            say("option name Threads type wheel default round");
            say("option name Depth type spin default deep min low max high");
            say("option");
        }
        _ => {}
    }
    if fault == "loud-words" {
        say("option name \u{1b}]0;owned\u{7}Size type spin default 1 min 1 max 4");
        say("id name \u{1b}[2J<script>\"'\u{202e}\u{9b}31m=cmd|' /C calc'!A0");
    } else {
        say("id name Fault");
    }
    say("option name Size type spin default 1 min 1 max 4");
    if fault == "knows-rules" {
        say(
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 var CSARule27 var TryRule",
        );
        say("option name MaxMovesToDraw type spin default 0 min 0 max 100000");
    }
    say("usiok");
    if fault == "deaf-after-usi" {
        sleep(FOREVER);
    }
}

fn introduce_by_uci(fault: &str) {
    say("id name Fault");
    if fault != "chess-ordinary" {
        say("option name UCI_Chess960 type check default false");
    }
    say("uciok");
}

fn ready(fault: &str) {
    match fault {
        "hang-at-isready" => sleep(FOREVER),
        "slow-at-isready" => sleep(Duration::from_millis(200)),
        "move-without-question" => say("bestmove 7g7f"),
        _ => {}
    }
    say("readyok");
}

/// Is this the engine that is at fault, of all that have this file in common?
fn is_chosen() -> bool {
    std::env::var_os("FAULT_ONCE").is_none_or(|file| std::fs::File::create_new(file).is_ok())
}

/// What is wrong at a `go`; false if an answer is to follow.
fn misbehave<P: Position>(fault: &str, board: &P, goes: u32) -> bool {
    match fault {
        _ if !is_chosen() => return false,
        "hang-at-go" | "ignore-stop-at-go" | "chess-hang" => sleep(FOREVER),
        "half-a-line" => {
            say_bytes(b"bestmo");
            sleep(FOREVER);
        }
        "crash-in-thought" => {
            say("info depth 1");
            exit(3);
        }
        "die-by-signal" => std::process::abort(),
        // A guard is what starts an engine on Linux.
        #[cfg(target_os = "linux")]
        "kill-guard" => {
            let parent = rustix::process::getppid();
            let _ = parent.map(|guard| rustix::process::kill_process(guard, rustix::process::Signal::KILL));
            sleep(FOREVER);
        }
        "child-that-holds-the-pipe" | "daemon-that-holds-the-pipe" | "last-words" => exit(3),
        "eat-memory" => eat_memory(),
        "ask-for-too-much" => drop(std::hint::black_box(vec![0_u8; 1 << 40])),
        "illegal-variation" => return say_after("info depth 2 score cp 0 time 0 pv 7g7f 7g7f", board),
        "comment" | "chess-comment" => return say_after("info string pgncomment eval={7}", board),
        "mate-taken-back" if goes == 2 => return say_after("info depth 2 score mate 5", board),
        "crash-after-bestmove" => {
            answer(board);
            exit(3);
        }
        "flood-without-newline" => loop {
            say_bytes(&[b'x'; 4096]);
        },
        "flood-of-info" => loop {
            say("info depth 1 score cp 3 nodes 5 pv 7g7f");
        },
        "huge-line" => {
            say_bytes(&vec![b'x'; HUGE_BYTES]);
            say("");
        }
        "no-text" => say_bytes(b"info string \xff\xfe\nid \xc3\x28\n\0\0\n"),
        "nonsense-info" => {
            for line in [
                "info depth -1 nodes x",
                "info",
                "info score",
                "info multipv 0 depth 99999999999",
                "novelty",
            ] {
                say(line);
            }
        }
        "late-by-1-ms" => sleep(Duration::from_millis(51)),
        "late-by-1-s" => sleep(Duration::from_millis(1050)),
        "close-output" => close_output(),
        "read-no-more" => sleep(FOREVER),
        _ => return say_wrong_move(fault, board),
    }
    false
}

/// Gives the usual answer after another line than the usual one.
fn say_after<P: Position>(info: &str, board: &P) -> bool {
    let text = answer_text(board);
    let (_, answer) = text.split_once('\n').unwrap_or_default();
    say_bytes(format!("{info}\n{answer}").as_bytes());
    true
}

/// Gives an answer that is wrong, if that is the fault.
fn say_wrong_move<P: Position>(fault: &str, board: &P) -> bool {
    match fault {
        "illegal-move" => say("bestmove 5e5d"),
        "move-of-the-other-side" => say(&format!("bestmove {}", move_of_the_other_side(board))),
        "two-pawns" | "drop-pawn-mate" => say("bestmove P*5b"),
        "other-notation" => say("bestmove 7776FU"),
        "garbage" => say("bestmove \u{1f600}!?"),
        "loud-words" => say("bestmove \u{1b}[31m<script>\u{7}\u{202e}=cmd ponder \u{1b}c"),
        "no-move" => say("bestmove"),
        "no-text-in-bestmove" => say_bytes(b"bestmove \xff\xff\n"),
        // In one piece: one that comes after the next question cannot be told from its answer.
        "second-bestmove" => say_bytes(answer_text(board).repeat(2).as_bytes()),
        "second-bestmove-later" => {
            answer(board);
            sleep(Duration::from_millis(100));
            answer(board);
        }
        "chess-capitals" => return promote_in_capitals(board),
        "chess-castles-otherwise" => return castle_otherwise(board),
        "chess-white-pov" | "chess-mover" => return say_material(fault == "chess-white-pov", board),
        "false-declaration" => say("bestmove win"),
        "resignation" => say("bestmove resign"),
        _ => return false,
    }
    true
}

/// Closes standard output and runs on.
fn close_output() -> ! {
    #[cfg(unix)]
    {
        use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
        // SAFETY: nothing writes to standard output after this.
        drop(unsafe { OwnedFd::from_raw_fd(io::stdout().as_raw_fd()) });
    }
    sleep(FOREVER);
    exit(0)
}

fn legal_moves<P: Position>(board: &P) -> Vec<P::Move> {
    let mut list = MoveList::new();
    board.legal(&mut list);
    list.iter().copied().collect()
}

/// Promotes, where it can, to a piece in capitals.
fn promote_in_capitals<P: Position>(board: &P) -> bool {
    let texts = legal_moves(board).into_iter().map(|mv| mv.to_string());
    let promotion = texts.into_iter().find(|text| text.len() == 5);
    promotion.is_some_and(|text| {
        let (squares, piece) = text.split_at(4);
        say(&format!("bestmove {squares}{}", piece.to_uppercase()));
        true
    })
}

/// Castles in the notation of the other kind of chess, where it can.
fn castle_otherwise<P: Position>(board: &P) -> bool {
    let is_other = |text: &&str| board.parse_move(text).is_err() && board.castling_meant(text).is_some();
    ["e1h1", "g1g1"].into_iter().find(is_other).is_some_and(|text| {
        say(&format!("bestmove {text}"));
        true
    })
}

/// Scores by what is on the board, from White's or the mover's point of view.
fn say_material<P: Position>(is_white_pov: bool, board: &P) -> bool {
    let fen = board.to_string();
    let pieces = fen.split(' ').next().unwrap_or_default().chars();
    let white: i32 = pieces
        .map(|piece| {
            let value = match piece.to_ascii_lowercase() {
                'p' => 100,
                'n' | 'b' => 300,
                'r' => 500,
                'q' => 900,
                _ => 0,
            };
            if piece.is_ascii_uppercase() { value } else { -value }
        })
        .sum();
    let is_turned = !is_white_pov && board.side_to_move() == Side::Second;
    let score = if is_turned { -white } else { white };
    say_after(&format!("info depth 2 score cp {score} nodes 7"), board)
}

fn position_of<P: Position>(line: &str) -> P {
    let text = line.trim_start_matches("position ");
    let text = text.trim_start_matches("sfen ").trim_start_matches("fen ");
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let Ok(mut board) = P::parse(start) else { exit(5) };
    for text in moves.split_whitespace() {
        let Ok(mv) = board.parse_move(text) else { exit(6) };
        board.make(mv);
    }
    board
}

/// Says the first legal move, with an info line, and the first legal answer to it.
fn answer<P: Position>(board: &P) {
    say_bytes(answer_text(board).as_bytes());
}

fn answer_text<P: Position>(board: &P) -> String {
    let Some(&mv) = legal_moves(board).first() else {
        return "bestmove resign\n".to_owned();
    };
    let mut next = board.clone();
    next.make(mv);
    let answers = legal_moves(&next);
    let ponder = answers.first().map(|expected| format!(" ponder {expected}"));
    format!(
        "info depth 1 seldepth 1 score cp 0 nodes 7 pv none\nbestmove {mv}{}\n",
        ponder.unwrap_or_default()
    )
}

/// A move that would be legal if the opponent were to move.
fn move_of_the_other_side<P: Position>(board: &P) -> String {
    let mut other = board.clone();
    other.make_null();
    legal_moves(&other)
        .first()
        .map_or_else(|| "7g7f".to_owned(), ToString::to_string)
}
