//! Chess960: which positions are of it, and where its games start.

use tanren_engine::game::{Game, Position};

use crate::random::Random;

pub const POSITIONS: u32 = 960;
/// As one without it, the seed of an order; nothing else draws with it.
const ORDER: u64 = 0x960;

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Starts {
    /// Both sides alike: 960.
    Chess960,
    /// Each side on its own (double Fischer random chess): 960 times 960.
    #[strum(serialize = "dfrc")]
    Double,
}

impl Starts {
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn count(self) -> usize {
        match self {
            Starts::Chess960 => POSITIONS as usize,
            Starts::Double => (POSITIONS * POSITIONS) as usize,
        }
    }

    /// All of them by number, or the first `count` of an order that `seed` decides.
    pub fn lines(self, count: Option<usize>, seed: u64) -> Vec<String> {
        let mut numbers: Vec<u32> = (0..self.count() as u32).collect();
        if count.is_some() {
            Random::new(seed, &[ORDER]).shuffle(&mut numbers);
        }
        let count = count.unwrap_or(numbers.len());
        numbers
            .into_iter()
            .take(count)
            .map(|number| self.line(number))
            .collect()
    }

    /// The start of this number: Scharnagl's, or of white times 960 and of black.
    fn line(self, number: u32) -> String {
        let [white, black] = match self {
            Starts::Chess960 => [number, number],
            Starts::Double => [number / POSITIONS, number % POSITIONS],
        };
        let id = match self {
            Starts::Chess960 => format!("chess960 {number}"),
            Starts::Double => format!("dfrc {number} ({white} {black})"),
        };
        let [white, black] = [white, black].map(first_rank);
        let rights = |rank: &str| -> String {
            let rooks = rank.char_indices().filter(|(_, piece)| *piece == 'R');
            rooks
                .map(|(file, _)| char::from(b'A' + file as u8))
                .rev()
                .collect()
        };
        format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {}{} - hmvc 0; fmvn 1; id \"{id}\";",
            black.to_ascii_lowercase(),
            rights(&white),
            rights(&black).to_ascii_lowercase(),
        )
    }
}

/// The pieces of white on its first rank, from a to h, in the start position of this number.
fn first_rank(number: u32) -> String {
    let mut rank = [None; 8];
    let (number, light) = (number / 4, number as usize % 4);
    let (number, dark) = (number / 4, number as usize % 4);
    let (knights, queen) = (number as usize / 6, number as usize % 6);
    rank[2 * light + 1] = Some('B');
    rank[2 * dark] = Some('B');
    let free =
        |rank: &[Option<char>; 8]| -> Vec<usize> { (0..8).filter(|&file| rank[file].is_none()).collect() };
    rank[free(&rank)[queen]] = Some('Q');
    let left = free(&rank);
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| [first, second]));
    for knight in pairs.skip(knights).take(1).flatten() {
        rank[left[knight]] = Some('N');
    }
    for (file, piece) in free(&rank).into_iter().zip(['R', 'K', 'R']) {
        rank[file] = Some(piece);
    }
    rank.into_iter().flatten().collect()
}

/// Is castling in games from `position` that of Chess960? Its castling rights name files then.
pub fn is_chess960<P: Position>(position: &P) -> bool {
    P::GAME == Game::Chess && is_text_of_chess960(&position.to_string())
}

pub fn is_text_of_chess960(fen: &str) -> bool {
    let rights = fen.split(' ').nth(2).unwrap_or("-");
    rights.contains(|c: char| !matches!(c, 'K' | 'Q' | 'k' | 'q' | '-'))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tanren_engine::chess::Board;

    use super::*;

    #[test]
    fn positions_are_numbered_as_the_field_numbers_them() {
        for (number, rank) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(first_rank(number), rank, "{number}");
        }
        assert_eq!(
            Starts::Chess960.line(518),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - hmvc 0; fmvn 1; id \"chess960 518\";"
        );
        let double = Starts::Double.line(960 * 518 + 1);
        assert!(double.starts_with("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf -"));
    }

    #[test]
    fn starts_are_distinct_positions_of_chess960_in_an_order_of_the_seed() {
        let some = Starts::Double.lines(Some(1000), 7);
        assert_eq!(some, Starts::Double.lines(Some(1000), 7));
        assert_ne!(some, Starts::Double.lines(Some(1000), 8));
        for (lines, count) in [(some, 1000), (Starts::Chess960.lines(None, 1), 960)] {
            assert_eq!(lines.iter().collect::<HashSet<_>>().len(), count);
            let suite = crate::openings::parse::<Board>(&lines.join("\n"), "the starts").unwrap();
            assert_eq!(suite.openings.len(), count);
            for opening in &suite.openings {
                assert!(is_chess960(&opening.position()), "{}", opening.position());
            }
        }
        assert!(!is_chess960(&Board::start()));
    }
}
