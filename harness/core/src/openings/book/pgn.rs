//! Games of chess in PGN, import format (Edwards, "Portable Game Notation Specification", 1994).
//!
//! Tags but `FEN` and `Variant`, comments, variations, annotations and results are passed over.

use tanren_engine::chess::Board;
use tanren_engine::game::Position;

use super::entry::{EntrySink, Replay};
use super::san;

/// What `Variant` may say of games that are played here, in small letters.
const VARIANTS: &str = "standard,normal,chess,from position,chess960,chess 960,fischerandom,fischerrandom";
const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "*"];

/// Hands on the position of each game after `plies` moves, or all of them.
pub(super) fn each(text: &str, plies: Option<u32>, found: &mut EntrySink<'_, Board>) {
    let mut text = PgnText {
        rest: text.trim_start_matches('\u{feff}'),
        line: 1,
        is_line_start: true,
    };
    let mut game = PgnGame::new(plies);
    while let Some((line, token)) = text.token() {
        match token {
            PgnToken::Tag(name, value) => {
                if game.is_moving {
                    game.end(found);
                    game = PgnGame::new(plies);
                }
                game.tag(line, name, &value);
            }
            PgnToken::Word(word) if RESULTS.contains(&word) => {
                if game.variations == 0 {
                    game.end(found);
                    game = PgnGame::new(plies);
                }
            }
            PgnToken::Word(word) => game.word(line, word),
            PgnToken::Open => game.open(line),
            PgnToken::Close if game.variations == 0 => {
                game.refuse_stray(line, ")", "no variation begins before this end of one");
            }
            PgnToken::Close => game.variations -= 1,
            PgnToken::Stray(text) => {
                game.refuse_stray(line, text, "nothing begins before this end of a comment or a tag");
            }
            PgnToken::Endless(text) => game.refuse(line, text, "what begins here does not end"),
        }
    }
    game.end(found);
}

struct PgnGame {
    /// Its line is 0 before it begins.
    replay: Replay<Board>,
    is_moving: bool,
    variations: u32,
    /// Where the outermost variation began, if moves behind it are wanted.
    variation_line: Option<u32>,
}

impl PgnGame {
    fn new(plies: Option<u32>) -> PgnGame {
        PgnGame {
            replay: Replay::new(0, plies),
            is_moving: false,
            variations: 0,
            variation_line: None,
        }
    }

    fn begin(&mut self, line: u32) {
        if self.replay.line == 0 {
            self.replay.line = line;
        }
    }

    fn tag(&mut self, line: u32, name: &str, value: &str) {
        self.begin(line);
        if name.eq_ignore_ascii_case("fen") {
            match Board::parse(value) {
                Ok(board) => self.replay.board = Some(board),
                Err(error) => self.refuse(line, value, error),
            }
        } else if name.eq_ignore_ascii_case("variant")
            && !VARIANTS.split(',').any(|known| value.eq_ignore_ascii_case(known))
        {
            self.refuse(line, value, "games of this variant are not played here");
        }
    }

    fn word(&mut self, line: u32, word: &str) {
        self.begin(line);
        self.is_moving = true;
        let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let mv = match number.strip_prefix('.') {
            Some(behind) => behind.trim_start_matches('.'),
            None if number.is_empty() => "",
            None => word,
        };
        // Annotations may stand alone.
        let is_annotation = mv == "e.p." || mv.chars().all(|c| matches!(c, '!' | '?'));
        if is_annotation || self.variations > 0 || self.replay.is_played_out() {
            return;
        }
        match san::parse(self.replay.board.get_or_insert_with(Board::start), mv) {
            Ok(mv) => self.replay.play(mv),
            Err(message) => self.refuse(line, word, message),
        }
    }

    fn open(&mut self, line: u32) {
        if self.variations == 0 {
            self.variation_line = (!self.replay.is_played_out()).then_some(line);
        }
        self.variations += 1;
    }

    /// An end without a beginning is wrong where moves behind it are wanted.
    fn refuse_stray(&mut self, line: u32, text: &str, message: &str) {
        if !self.replay.is_played_out() {
            self.refuse(line, text, message);
        }
    }

    fn refuse(&mut self, line: u32, text: &str, message: impl ToString) {
        self.begin(line);
        self.replay.refuse(line, text, message);
    }

    fn end(mut self, found: &mut EntrySink<'_, Board>) {
        if let (Some(line), 1..) = (self.variation_line, self.variations) {
            self.refuse(line, "(", "the variation that begins here does not end");
        }
        let is_begun = self.replay.line > 0;
        self.replay.end(|| is_begun.then(|| Ok(Board::start())), found);
    }
}

enum PgnToken<'a> {
    Tag(&'a str, String),
    Word(&'a str),
    Open,
    Close,
    Stray(&'a str),
    Endless(&'a str),
}

struct PgnText<'a> {
    rest: &'a str,
    line: u32,
    is_line_start: bool,
}

impl<'a> PgnText<'a> {
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count() as u32;
        self.is_line_start = passed.ends_with('\n') || (passed.is_empty() && self.is_line_start);
        self.rest = rest;
        passed
    }

    fn end_line(&mut self) {
        let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        self.advance(end);
    }

    fn token(&mut self) -> Option<(u32, PgnToken<'a>)> {
        loop {
            let line = self.line;
            match *self.rest.as_bytes().first()? {
                b'%' if self.is_line_start => self.end_line(),
                b';' => self.end_line(),
                b'{' => match self.rest.find('}') {
                    Some(end) => {
                        self.advance(end + 1);
                    }
                    None => return Some((line, self.endless())),
                },
                b'(' => return Some((line, self.single(PgnToken::Open))),
                b')' => return Some((line, self.single(PgnToken::Close))),
                b'[' => return Some((line, self.tag())),
                b'$' => {
                    let rest = self.rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
                    self.advance(self.rest.len() - rest.len());
                }
                b'}' | b']' => return Some((line, PgnToken::Stray(self.advance(1)))),
                byte if byte.is_ascii_whitespace() => {
                    self.advance(1);
                }
                _ => {
                    let is_end = |c: char| {
                        c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | '[' | ']' | ';' | '$')
                    };
                    // `a8(R)` and the like are read as `a8`, which is refused, and not as a variation.
                    let end = self.rest.find(is_end).unwrap_or(self.rest.len());
                    // A blank that is no byte.
                    let end = end.max(self.rest.chars().next().map_or(0, char::len_utf8));
                    return Some((line, PgnToken::Word(self.advance(end).trim())));
                }
            }
        }
    }

    fn single(&mut self, token: PgnToken<'a>) -> PgnToken<'a> {
        self.advance(1);
        token
    }

    fn endless(&mut self) -> PgnToken<'a> {
        let text = self.advance(self.rest.len());
        PgnToken::Endless(text.lines().next().unwrap_or(text))
    }

    /// A tag pair; one without a value is as good as none.
    fn tag(&mut self) -> PgnToken<'a> {
        let inner = &self.rest[1..];
        let name_end = inner
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(inner.len());
        let name = &inner[..name_end];
        let mut value = String::new();
        let (mut is_quoted, mut is_escaped) = (false, false);
        for (at, letter) in inner.char_indices().skip(name.len()) {
            match letter {
                '\n' => break,
                _ if is_escaped => {
                    is_escaped = false;
                    value.push(letter);
                }
                '\\' if is_quoted => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                ']' if !is_quoted => {
                    self.advance(at + 2);
                    return PgnToken::Tag(name, value);
                }
                _ if is_quoted => value.push(letter),
                _ => {}
            }
        }
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        PgnToken::Endless(self.advance(end))
    }
}
