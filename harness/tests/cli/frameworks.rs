//! What frameworks read from what their runner prints, taken from the program under the name that they start it by: the lines that they look
//! at must have the numbers of `games.csv`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::common::tanren;
use crate::engines::example;
use crate::folder::{Folder, InFolder, words};

/// Of the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    wins: usize,
    losses: usize,
    draws: usize,
    /// Pairs by half points.
    pairs: [usize; 5],
}

impl Counts {
    fn games(&self) -> usize {
        self.wins + self.losses + self.draws
    }

    fn add(&mut self, first: usize, second: usize) {
        for halves in [first, second] {
            *[&mut self.losses, &mut self.draws, &mut self.wins][halves] += 1;
        }
        self.pairs[first + second] += 1;
    }
}

/// A run and what must come of it.
struct Case {
    name: &'static str,
    engines: &'static str,
    options: &'static str,
    /// Sent SIGINT after so many finished games.
    interrupted_after: Option<usize>,
    code: i32,
    crashes: usize,
}

const STRONG: &str = "-engine cmd=[STRENGTH] args='1 1000 300' option.P0=100 name=new -engine cmd=[STRENGTH] args='1 1000 300' name=old";
const EQUAL: &str = "-engine cmd=[STRENGTH] args='1 1000 300' option.P0=1 name=new -engine cmd=[STRENGTH] args='1 1000 300' name=old";
const CRASHES: &str = "-engine cmd=./crash name=new -engine cmd=[STRENGTH] args='1 1000 300' name=old";

const CASES: [Case; 4] = [
    Case {
        name: "finished",
        engines: EQUAL,
        options: "-rounds 12 -concurrency 2",
        interrupted_after: None,
        code: 0,
        crashes: 0,
    },
    Case {
        name: "SPRT",
        engines: STRONG,
        options: "-rounds 300 -concurrency 1 -sprt elo0=0 elo1=50 alpha=0.05 beta=0.05",
        interrupted_after: None,
        code: 0,
        crashes: 0,
    },
    Case {
        name: "SIGINT",
        engines: EQUAL,
        options: "-rounds 100000 -concurrency 1",
        interrupted_after: Some(20),
        code: 130,
        crashes: 0,
    },
    Case {
        name: "crash",
        engines: CRASHES,
        options: "-rounds 3 -concurrency 1",
        interrupted_after: None,
        code: 0,
        crashes: 6,
    },
];

/// What each of them passes besides.
const FISHTEST: &str = "-testEnv -recover -repeat -games 2 -ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 -report penta=true \
    -site http://localhost/tests/view/1 -event 'Batch 3: new vs old' -srand 7 -variant standard";
const OPENBENCH: &str = "-recover -variant standard -testEnv -games 2 -srand 7";
const WEATHER_FACTORY: &str =
    "-config discard=true outname=tuner.json -output format=cutechess -recover -repeat 2 -games 2";
const TUNING_TOOLS: &str = "-games 2 -repeat -recover -debug";
/// The strength engine has told its result then.
const ENDS: &str = "-resign movecount=1 score=600 -draw movenumber=0 movecount=1 score=1 -each nodes=1";
const CRASHING: &str = "#!/bin/sh\nwhile read -r line; do case $line in uci) echo uciok ;; isready) echo readyok ;; go*) exit 1 ;; quit) exit ;; esac; done\n";

struct Printed {
    out: String,
    err: String,
    /// What the run itself recorded.
    counts: Counts,
}

impl Case {
    /// Is that what was counted? Games that were played when a test was decided or a signal came are told and count for nothing.
    fn is_right(&self, read: &Counts, counted: &Counts) -> bool {
        let fields =
            |counts: &Counts| [&[counts.wins, counts.losses, counts.draws][..], &counts.pairs].concat();
        let is_cut = self.interrupted_after.is_some() || self.options.contains("-sprt");
        let mut both = fields(read).into_iter().zip(fields(counted));
        read == counted || is_cut && both.all(|(read, counted)| (counted..=counted + 2).contains(&read))
    }

    /// Plays it in a new folder by a link of this name.
    fn play(&self, program: &str, framework: &str) -> Printed {
        let folder = &Folder::new();
        folder.write("crash", CRASHING);
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder.join("crash"), executable).unwrap();
        let mut openings =
            fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/chess.epd")).unwrap();
        openings.truncate(openings.lines().take(40).map(|line| line.len() + 1).sum());
        folder.write("book.epd", openings);
        let strength = example("strength_engine").display().to_string();
        let line = format!(
            "{framework} {} {} {ENDS} -openings file=book.epd format=epd order=random -pgnout file=games.pgn --out run",
            self.engines, self.options
        );
        std::os::unix::fs::symlink(tanren().get_program(), folder.join(program)).unwrap();
        let mut child = Command::new(folder.join(program))
            .args(words(&line.replace("[STRENGTH]", &strength)))
            // Games of no time at all run ahead of the count on a busy machine.
            .env("STRENGTH_PAUSE_MS", "2")
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        let mut out = String::new();
        let mut finished = 0;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            finished += usize::from(line.starts_with("Finished game"));
            if Some(finished) == self.interrupted_after && line.starts_with("Finished game") {
                let sent = Command::new("kill")
                    .args(["-s", "INT", &child.id().to_string()])
                    .status();
                assert!(sent.unwrap().success());
            }
            out += &line;
            out.push('\n');
        }
        let code = child.wait().unwrap().code();
        let err = errors.join().unwrap();
        assert_eq!(code, Some(self.code), "{} of {line}: {out}{err}", self.name);
        let winner = folder.column("run/games.csv", "winner");
        let halves: Vec<usize> = winner
            .iter()
            .map(|winner| ["b", "draw", "a"].iter().position(|name| name == winner).unwrap())
            .collect();
        let mut counts = Counts::default();
        halves.chunks(2).for_each(|pair| counts.add(pair[0], pair[1]));
        Printed { out, err, counts }
    }
}

/// The words after `name`, split at what stands between numbers.
fn numbers(line: &str, name: &str) -> Option<Vec<f64>> {
    let (_, rest) = line.split_once(name)?;
    let texts = rest.split(|sign: char| !sign.is_ascii_digit() && sign != '.' && sign != '-');
    Some(texts.filter_map(|text| text.parse().ok()).collect())
}

/// OpenBench's worker: standard output up to the first empty line. The number of a game is the third word, its result the seventh, its
/// reason what follows the first colon; odd games and the even ones after them are pairs.
fn openbench(printed: &Printed) -> (Counts, usize, usize) {
    assert!(printed.out.is_ascii());
    let (mut games, mut counts) = (std::collections::BTreeMap::new(), Counts::default());
    let (mut crashes, mut others) = (0, 0);
    for line in printed.out.lines().take_while(|line| !line.trim().is_empty()) {
        if !line.contains("Finished game") {
            continue;
        }
        let reason = line.split(':').nth(1).unwrap();
        crashes += usize::from(reason.contains("disconnect") || reason.contains("stalls"));
        others += usize::from(reason.contains("on time") || reason.contains("illegal"));
        let words: Vec<&str> = line.split_whitespace().collect();
        let game: usize = words[2].parse().unwrap();
        let white = ["0-1", "1/2-1/2", "1-0"]
            .iter()
            .position(|text| *text == words[6])
            .unwrap();
        games.insert(game, if game % 2 == 1 { white } else { 2 - white });
        let first = game - (game + 1) % 2;
        if let (Some(&one), Some(&two)) = (games.get(&first), games.get(&(first + 1))) {
            counts.add(one, two);
        }
    }
    (counts, crashes, others)
}

/// fishtest's worker: both streams. Counts of games and pairs come from the lines `Games:` and `Ptnml(0-2):`, and each time they must agree
/// and have grown by no more than a batch; a crash is any line with "disconnect" or "stall", a loss on time one with "on time" or "timeout".
/// "Finished match" before all games are counted is an error of a run that was not stopped.
fn fishtest(printed: &Printed, batch: usize) -> (Counts, usize, usize) {
    let (mut counts, mut crashes, mut late) = (Counts::default(), 0, 0);
    let (mut games, mut is_finished) = (None, false);
    for line in printed.out.lines().chain(printed.err.lines()) {
        assert!(
            !line.contains("Warning; Engine") || line.contains("is not responsive"),
            "{line}"
        );
        crashes += usize::from(line.contains("disconnect") || line.contains("stall"));
        late += usize::from(line.contains("on time") || line.contains("timeout"));
        is_finished |= line.contains("Finished match");
        if line.contains("Games: ") && line.contains("Points: ") {
            let found = numbers(line, "Games: ").unwrap();
            assert!(found[4] * 2.0 == found[1] * 2.0 + found[3], "{line}");
            games = Some([
                found[0] as usize,
                found[1] as usize,
                found[2] as usize,
                found[3] as usize,
            ]);
        }
        if let (Some(pairs), Some([all, wins, losses, draws])) = (numbers(line, "Ptnml(0-2): ["), games) {
            assert!(!is_finished, "results after 'Finished match'");
            let mut found = Counts {
                wins,
                losses,
                draws,
                ..Counts::default()
            };
            for (count, pairs) in found.pairs.iter_mut().zip(&pairs) {
                *count = *pairs as usize;
            }
            assert_eq!(all, found.games(), "{line}");
            assert_eq!(all, 2 * found.pairs.iter().sum::<usize>(), "{line}");
            assert!(all <= counts.games() + batch, "{line} after {counts:?}");
            (counts, games) = (found, None);
        }
    }
    assert!(is_finished);
    (counts, crashes, late)
}

/// weather-factory: standard output up to the first empty line; the last `Score of …: W - L - D [` and `Elo difference: X +`.
fn weather_factory(printed: &Printed) -> ([usize; 3], f64) {
    let (mut score, mut elo) = ([0; 3], f64::NAN);
    for line in printed.out.lines().take_while(|line| !line.trim().is_empty()) {
        let value = |end: char| &line[line.find(':').unwrap() + 1..line.find(end).unwrap()];
        if line.starts_with("Score of") {
            let counts: Vec<usize> = value('[')
                .split(" - ")
                .map(|text| text.trim().parse().unwrap())
                .collect();
            score = counts.try_into().unwrap();
        }
        if line.starts_with("Elo difference") {
            elo = value('+').trim().parse().unwrap();
        }
    }
    (score, elo)
}

/// chess-tuning-tools: all of both streams. Every `Finished game N` has its `Score of …: W - L - D`; the differences of scores, sorted by the
/// numbers of their games, are pairs.
fn tuning_tools(printed: &Printed) -> Counts {
    let text = format!("{}{}", printed.out, printed.err);
    let scores = text.lines().filter_map(|line| line.split_once("Score of"));
    let scores: Vec<[usize; 3]> = scores
        .map(|(_, rest)| {
            let found = numbers(rest, ":").unwrap();
            assert!(rest.contains(" - "), "{rest}");
            [found[0] as usize, found[1] as usize, found[2] as usize]
        })
        .collect();
    let finished: Vec<usize> = text
        .lines()
        .filter_map(|line| Some(numbers(line, "Finished game ")?[0] as usize))
        .collect();
    assert_eq!(scores.len(), finished.len(), "{text}");
    let mut before = [0; 3];
    let mut halves: Vec<(usize, usize)> = Vec::new();
    for (game, score) in finished.into_iter().zip(scores) {
        let grown = [1, 2, 0].map(|index| score[index] - before[index]);
        assert_eq!(grown.iter().sum::<usize>(), 1, "{text}");
        halves.push((game, grown.iter().position(|count| *count == 1).unwrap()));
        before = score;
    }
    halves.sort_unstable();
    let mut counts = Counts::default();
    halves
        .chunks_exact(2)
        .for_each(|pair| counts.add(pair[0].1, pair[1].1));
    counts
}

#[test]
fn openbench_reads_the_results_of_its_games() {
    for case in &CASES {
        let printed = case.play("fastchess-ob", OPENBENCH);
        let (counts, crashes, others) = openbench(&printed);
        let is_right = case.is_right(&counts, &printed.counts);
        assert!(is_right, "{}: {counts:?} {}", case.name, printed.out);
        assert_eq!((crashes, others), (case.crashes, 0), "{}", printed.out);
    }
}

#[test]
fn fishtest_reads_the_results_after_every_pair() {
    for case in &CASES {
        let printed = case.play("fastchess", FISHTEST);
        let read = fishtest(&printed, 4);
        let text = format!("{}: {}{}", case.name, printed.out, printed.err);
        assert_eq!(read.0, printed.counts, "{text}");
        // A warning may come with each, and the sums at the end.
        assert!(
            read.1 >= case.crashes && (read.1 > 0) == (case.crashes > 0) && read.2 == 0,
            "{read:?} {text}"
        );
    }
}

#[test]
fn weather_factory_reads_the_score_and_the_difference() {
    for case in &CASES {
        let printed = case.play("fastchess", WEATHER_FACTORY);
        let (score, elo) = weather_factory(&printed);
        let [wins, losses, draws] = score;
        let read = Counts {
            wins,
            losses,
            draws,
            ..printed.counts
        };
        let is_right = case.is_right(&read, &printed.counts);
        assert!(is_right, "{}: {score:?} {}", case.name, printed.out);
        // Of the games that were told by then, where more follow.
        if read != printed.counts || case.interrupted_after.is_some() {
            assert!(elo.is_finite(), "{}", printed.out);
            continue;
        }
        let points = (wins as f64 + draws as f64 / 2.0) / read.games() as f64;
        let right = -400.0 * (1.0 / points - 1.0).log10();
        assert!(
            elo == right || (elo - right).abs() < 0.1,
            "{elo} for {right}: {}",
            printed.out
        );
    }
}

#[test]
fn chess_tuning_tools_read_the_score_after_every_game() {
    for case in &CASES {
        let printed = case.play("cutechess-cli", TUNING_TOOLS);
        let read = tuning_tools(&printed);
        let is_right = case.is_right(&read, &printed.counts);
        assert!(
            is_right,
            "{}: {read:?} for {:?} {}",
            case.name, printed.counts, printed.out
        );
    }
}
