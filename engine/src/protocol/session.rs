//! A session with a GUI. Every `go` runs on a thread of its own that takes the searcher along and brings it back; the reading thread
//! stays free for `stop`, `ponderhit` and `isready`.

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::command::{Go, ProtocolCommand};
use super::info;
use super::limits;
use super::options::{self, EMPTY, GuiOption, HASH_MIB, OVERHEAD_MS};
use super::thinking::{self, Reporter, SearchTask, StopSignal, ThinkingState};
use super::wdl::pieces_of;
use super::{LINE_BYTES_MAX, Protocol, read_line};
use crate::chess::Tables;
use crate::config::{Config, DeclarationRule};
use crate::game::{Game, Path};
use crate::search::{Focus, Searchable, Searcher, known_score};
use crate::{bench, dfpn, perft};

/// More would take longer to clear than most mates to find.
const MATE_TABLE_MIB_MAX: usize = 1024;
/// Enough for a mate of 2,000 plies.
const MATE_STACK_BYTES: usize = 16 << 20;

/// A session about one game, in its protocol: `ProtocolSession::new(output).run(input)`.
pub struct ProtocolSession<P: Searchable, W: Write + Send + 'static> {
    output: Arc<Mutex<W>>,
    /// The settings of the player.
    pub config: Config,
    overhead_ms: u64,
    hash_mib: usize,
    threads: usize,
    multi_pv: usize,
    is_chess960: bool,
    shows_wdl: bool,
    tables: Option<Arc<Tables>>,
    /// Is every setting announced as an option? `setoption` takes them without it, too.
    pub shows_tunables: bool,
    position: P,
    path: Path,
    /// Could the last position not be read? Then there is none to search.
    is_position_unknown: bool,
    engine: EngineThread<P>,
    /// Has a setting changed that the searcher does not know yet?
    is_stale: bool,
    /// Does the thread run `perft`? The end of the input lets it finish.
    is_counting: bool,
    signal: Arc<StopSignal>,
}

enum EngineThread<P: Searchable> {
    /// Not made yet, so that options can come first.
    Absent,
    Idle(Box<Searcher<P>>),
    Thinking(JoinHandle<Box<Searcher<P>>>),
}

impl<P: Searchable, W: Write + Send + 'static> ProtocolSession<P, W> {
    /// A session that answers on `output`, with the settings of `base` and no tunables announced.
    pub fn new(output: W) -> Self {
        let position = P::start();
        ProtocolSession {
            output: Arc::new(Mutex::new(output)),
            config: Config::base(P::GAME),
            overhead_ms: OVERHEAD_MS,
            hash_mib: HASH_MIB as usize,
            threads: 1,
            multi_pv: 1,
            is_chess960: false,
            shows_wdl: false,
            tables: None,
            shows_tunables: false,
            path: Path::new(&position),
            position,
            is_position_unknown: false,
            engine: EngineThread::Absent,
            is_stale: false,
            is_counting: false,
            signal: Arc::default(),
        }
    }

    /// Obeys until `quit` or the end of the input, which both end a search at once; `perft` finishes at the end of the input.
    pub fn run(mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        let mut is_over = false;
        while !is_over && read_line(&mut input, &mut line)? {
            if line.len() == LINE_BYTES_MAX {
                self.say("info string a line that is too long was ignored");
                self.is_position_unknown |= line.trim_ascii_start().starts_with(b"position");
            } else {
                is_over = !self.obey(
                    ProtocolCommand::parse(&String::from_utf8_lossy(&line)),
                    Instant::now(),
                );
            }
        }
        if is_over || !self.is_counting {
            self.stop();
        }
        self.join();
        Ok(())
    }

    const PROTOCOL: Protocol = Protocol::of(P::GAME);

    fn say(&self, line: &str) {
        thinking::say(&self.output, line);
    }

    /// Does what was read at `heard`; false for `quit`.
    fn obey(&mut self, command: ProtocolCommand, heard: Instant) -> bool {
        match command {
            ProtocolCommand::Introduce => self.introduce(),
            ProtocolCommand::SetOption { name, value } => self.set_option(&name, &value),
            ProtocolCommand::IsReady => {
                if !matches!(self.engine, EngineThread::Thinking(_)) {
                    self.prepare();
                }
                self.say("readyok");
            }
            ProtocolCommand::NewGame => {
                let mut searcher = self.searcher();
                searcher.new_game();
                self.engine = EngineThread::Idle(searcher);
            }
            ProtocolCommand::Position { start, moves } => self.set_position(&start, &moves),
            ProtocolCommand::Go(go) if go.mate && Self::PROTOCOL == Protocol::Usi => {
                self.mate(&go, heard);
            }
            ProtocolCommand::Go(Go {
                perft: Some(depth), ..
            })
            | ProtocolCommand::Perft(depth) => self.perft(depth),
            ProtocolCommand::Go(go) => self.go(&go, heard),
            ProtocolCommand::Stop | ProtocolCommand::GameOver => self.stop(),
            ProtocolCommand::PonderHit => self.signal.ponder_hit(),
            ProtocolCommand::Bench => self.bench(),
            ProtocolCommand::Quit => return false,
            ProtocolCommand::Nothing => {}
            ProtocolCommand::Unknown(line) => self.say(&format!("info string unknown command: {line}")),
        }
        true
    }

    fn introduce(&self) {
        self.say(&format!("id name Tanren {}", env!("CARGO_PKG_VERSION")));
        self.say("id author the Tanren developers");
        for line in options::gui_lines(Self::PROTOCOL) {
            self.say(&line);
        }
        for setting in Config::settings(P::GAME).filter(|_| self.shows_tunables) {
            self.say(&options::setting_line(Self::PROTOCOL, setting));
        }
        self.say(Self::PROTOCOL.introduced());
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.stop();
        self.join();
        let result = match options::parse(Self::PROTOCOL, name, value) {
            Some(parsed) => parsed.and_then(|(option, number)| self.set_gui_option(option, number, value)),
            None => self.set_setting(name, value),
        };
        if let Err(error) = result {
            self.say(&format!("info string {error}"));
        }
    }

    fn set_gui_option(&mut self, option: GuiOption, number: u64, text: &str) -> Result<(), String> {
        match option {
            GuiOption::Hash => return self.set_hash(number as usize),
            GuiOption::Overhead => self.overhead_ms = number,
            GuiOption::MultiPv => self.multi_pv = number as usize,
            GuiOption::Chess960 => self.is_chess960 = number != 0,
            GuiOption::ShowWdl => self.shows_wdl = number != 0,
            GuiOption::Syzygy => return self.set_tables(text),
            GuiOption::EnteringKing => {
                let rule = DeclarationRule::ALL[number as usize];
                return self.set_setting("declaration", rule.name());
            }
            GuiOption::Threads => self.threads = number as usize,
            GuiOption::Ponder => {}
        }
        Ok(())
    }

    /// Closes the tables that are open and opens those in the folders `path`.
    fn set_tables(&mut self, path: &str) -> Result<(), String> {
        if let EngineThread::Idle(searcher) = &mut self.engine {
            searcher.use_tables(None);
        }
        self.tables = None;
        if !["", EMPTY].contains(&path) {
            let tables = Tables::open(path).map_err(|error| format!("SyzygyPath: {error}"))?;
            self.tables = Some(Arc::new(tables));
        }
        Ok(())
    }

    /// The searcher takes it over at the next `isready` or `go`.
    fn set_setting(&mut self, name: &str, value: &str) -> Result<(), String> {
        let known = options::setting(Self::PROTOCOL, P::GAME, name);
        let name = known.map_or(name, |setting| setting.name);
        let before = self.config.get(P::GAME, name);
        let set = self.config.set(P::GAME, name, value);
        set.map_err(|error| error.to_string())?;
        self.is_stale |= self.config.get(P::GAME, name) != before;
        Ok(())
    }

    /// Keeps the size if the system refuses the new one: to ask for too much later would end the program.
    fn set_hash(&mut self, hash_mib: usize) -> Result<(), String> {
        if hash_mib == self.hash_mib {
            return Ok(());
        }
        // Two tables at a time might be more than there is room for.
        let was_made = !matches!(self.engine, EngineThread::Absent);
        self.engine = EngineThread::Absent;
        let fits = Vec::<u8>::new().try_reserve_exact(hash_mib << 20).is_ok();
        if fits {
            self.hash_mib = hash_mib;
        }
        if was_made {
            self.prepare();
        }
        if fits {
            return Ok(());
        }
        let (name, kept) = (options::hash_name(Self::PROTOCOL), self.hash_mib);
        Err(format!(
            "{name} stays {kept}: the system does not give {hash_mib} MiB of memory"
        ))
    }

    fn set_position(&mut self, start: &str, moves: &[String]) {
        self.stop();
        self.join();
        let is_chess960 = self.is_chess960;
        let parsed = P::parse(start).and_then(|mut position| {
            if is_chess960 {
                position = position.castling_onto_rooks();
            }
            let mut path = Path::new(&position);
            for text in moves {
                let mv = position.parse_move(text)?;
                position.make(mv);
                path.push(&position);
            }
            Ok((position, path))
        });
        self.is_position_unknown = parsed.is_err();
        match parsed {
            Ok((position, path)) => (self.position, self.path) = (position, path),
            Err(error) => self.say(&format!("info string position ignored: {error}")),
        }
    }

    fn go(&mut self, go: &Go, asked: Instant) {
        for unread in &go.unread {
            self.say(&format!("info string go: {unread}"));
        }
        let mut searcher = self.searcher();
        self.signal.begin(ThinkingState {
            started: (!go.ponder).then_some(asked),
            waits: limits::waits(Self::PROTOCOL, go),
            has_limit: limits::has_limit(Self::PROTOCOL, go),
        });
        if self.is_position_unknown {
            self.say("info string go: the last position was ignored, so there is none to search");
            let (signal, output) = (Arc::clone(&self.signal), Arc::clone(&self.output));
            self.engine = EngineThread::Thinking(thread::spawn(move || {
                signal.wait_until_allowed();
                thinking::say(&output, &format!("bestmove {}", Self::PROTOCOL.no_move()));
                searcher
            }));
            return;
        }
        let mut focus = self.focus(&go.searchmoves);
        let chosen = self
            .tables
            .as_ref()
            .filter(|_| focus.moves.is_empty())
            .and_then(|tables| tables.best_moves(&self.position));
        // Where the tables choose the moves, the search is free to find the mate.
        searcher.use_tables(self.tables.as_ref().filter(|_| chosen.is_none()));
        let known = chosen.map(|(known, moves)| {
            focus.moves = moves;
            known
        });
        let task = SearchTask {
            limits: limits::limits(Self::PROTOCOL, go, self.position.side_to_move(), self.overhead_ms),
            focus,
            position: self.position.clone(),
            path: self.path.clone(),
            declaration: self.config.search.declaration,
        };
        let reporter = Reporter {
            signal: Arc::clone(&self.signal),
            output: Arc::clone(&self.output),
            protocol: Self::PROTOCOL,
            asked,
            multi_pv: self.multi_pv,
            tables: self.tables.clone().map(|tables| (tables.hits(), tables)),
            known: known.map(|known| known_score(known, self.position.side_to_move())),
            pieces: self.shows_wdl.then(|| pieces_of(&self.position.to_string())),
        };
        self.engine = EngineThread::Thinking(thread::spawn(move || {
            reporter.answer(&mut searcher, &task);
            searcher
        }));
    }

    /// Looks for a mate by checks alone, with a table of the size of the hash table.
    fn mate(&mut self, go: &Go, asked: Instant) {
        for unread in &go.unread {
            self.say(&format!("info string go: {unread}"));
        }
        if self.is_position_unknown || !go.unread.is_empty() {
            self.say("checkmate timeout");
            return;
        }
        let searcher = self.searcher();
        self.signal.begin(ThinkingState {
            started: Some(asked),
            waits: false,
            has_limit: true,
        });
        let (signal, output) = (Arc::clone(&self.signal), Arc::clone(&self.output));
        let (position, path) = (self.position.clone(), self.path.clone());
        let (table_mib, time) = (
            self.hash_mib.min(MATE_TABLE_MIB_MAX),
            go.mate_limit.map(Duration::from_millis),
        );
        let search = move || {
            let is_over = || signal.is_stopped() || time.is_some_and(|time| asked.elapsed() >= time);
            let solution = dfpn::solve(&position, &path, table_mib, &is_over);
            for line in info::mate(&solution, asked.elapsed().as_millis() as u64) {
                thinking::say(&output, &line);
            }
            searcher
        };
        match thread::Builder::new().stack_size(MATE_STACK_BYTES).spawn(search) {
            Ok(thread) => self.engine = EngineThread::Thinking(thread),
            Err(error) => {
                self.say(&format!("info string go mate: {error}"));
                self.say("checkmate timeout");
            }
        }
    }

    /// The root moves asked for; illegal ones are reported.
    fn focus(&self, searchmoves: &[String]) -> Focus<P::Move> {
        let legal = |text: &String| match self.position.parse_move(text) {
            Ok(mv) => Some(mv),
            Err(error) => {
                self.say(&format!("info string searchmoves: {error}"));
                None
            }
        };
        Focus {
            moves: searchmoves.iter().filter_map(legal).collect(),
            lines: self.multi_pv,
        }
    }

    fn stop(&mut self) {
        self.signal.stop();
    }

    fn join(&mut self) {
        self.engine = match std::mem::replace(&mut self.engine, EngineThread::Absent) {
            EngineThread::Thinking(thread) => match thread.join() {
                Ok(searcher) => EngineThread::Idle(searcher),
                Err(_) => {
                    self.say("info string the search failed; starting afresh");
                    EngineThread::Absent
                }
            },
            kept => kept,
        };
        self.is_counting = false;
    }

    /// The searcher, after any search has ended, with what it remembers of this game.
    fn searcher(&mut self) -> Box<Searcher<P>> {
        self.stop();
        self.join();
        let is_stale = std::mem::take(&mut self.is_stale);
        let mut searcher = match std::mem::replace(&mut self.engine, EngineThread::Absent) {
            EngineThread::Idle(mut searcher) => {
                if is_stale {
                    searcher.set_config(&self.config);
                }
                searcher
            }
            _ => Box::new(Searcher::new(&self.config, self.hash_mib)),
        };
        searcher.set_threads(&self.config, self.threads);
        searcher
    }

    /// Makes the searcher or updates its settings, before a clock runs.
    fn prepare(&mut self) {
        let searcher = self.searcher();
        self.engine = EngineThread::Idle(searcher);
    }

    fn bench(&mut self) {
        self.stop();
        self.join();
        let started = Instant::now();
        let nodes = bench::signature::<P>(&self.config, bench::DEPTH);
        let nps = u128::from(nodes) * 1000 / started.elapsed().as_millis().max(1);
        let game = match P::GAME {
            Game::Shogi => "",
            Game::Chess => "chess ",
        };
        self.say(&format!("info string bench {game}{nodes} nodes {nps} nps"));
    }

    fn perft(&mut self, depth: u32) {
        if self.is_position_unknown {
            self.say("info string perft: the last position was ignored, so there is none to count from");
            return;
        }
        if depth > perft::DEPTH_MAX {
            let most = perft::DEPTH_MAX;
            self.say(&format!(
                "info string perft: depth {depth} is too deep to be counted ({most} at most)"
            ));
            return;
        }
        let searcher = self.searcher();
        self.signal.begin(ThinkingState {
            started: None,
            waits: false,
            has_limit: true,
        });
        let (signal, output) = (Arc::clone(&self.signal), Arc::clone(&self.output));
        let mut position = self.position.clone();
        self.is_counting = true;
        self.engine = EngineThread::Thinking(thread::spawn(move || {
            let started = Instant::now();
            let line = match perft::perft_until(&mut position, depth, &|| signal.is_stopped()) {
                Some(leaves) => {
                    let per_second = u128::from(leaves) * 1000 / started.elapsed().as_millis().max(1);
                    format!("info string perft {depth} {leaves} nodes {per_second} nps")
                }
                None => format!("info string perft {depth} was stopped"),
            };
            thinking::say(&output, &line);
            searcher
        }));
    }
}
