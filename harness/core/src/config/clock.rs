//! Game clocks: how much time a player has for all its moves.

use std::fmt;

const TIME_MS_MAX: u64 = 7 * 86_400_000;

/// The time of one player for a game.
///
/// The increment is added when a turn begins, the first one included, so it can be used on that very turn. Byoyomi is
/// there anew for each move once the rest is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClockLimit {
    /// On the clock before the first turn.
    pub base_ms: u64,
    /// After each so many moves of the player `base_ms` is added again; 0 for never.
    pub period_moves: u32,
    /// Added to the clock when a turn begins.
    pub increment_ms: u64,
    /// Free for each move when the clock is used up.
    pub byoyomi_ms: u64,
}

impl ClockLimit {
    /// The text `[MOVES/]BASE[+INC]`: seconds with up to three decimals; `BASE` may be `M:SS` or `H:MM:SS`.
    pub(super) fn parse_tc(text: &str) -> Result<ClockLimit, &'static str> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (period_moves, base) = match base.split_once('/') {
            None => (0, base),
            Some((moves, base)) => (parse_moves(moves)?, base),
        };
        let limit = ClockLimit {
            base_ms: parse_base(base)?,
            period_moves,
            increment_ms: parse_seconds(increment)?,
            byoyomi_ms: 0,
        };
        if limit.base_ms.max(limit.increment_ms) > TIME_MS_MAX {
            return Err("more than a week");
        }
        if period_moves > 0 && limit.base_ms == 0 {
            return Err("a period needs time that is added after its moves");
        }
        Ok(limit)
    }

    /// The text of [`parse_tc`](ClockLimit::parse_tc) for all but byoyomi; `None` for byoyomi alone.
    pub(super) fn tc(&self) -> Option<String> {
        let is_absent = self.base_ms == 0 && self.increment_ms == 0;
        let period = match self.period_moves {
            0 => String::new(),
            moves => format!("{moves}/"),
        };
        (!is_absent).then(|| format!("{period}{}+{}", Seconds(self.base_ms), Seconds(self.increment_ms)))
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == ClockLimit::default()
    }
}

impl fmt::Display for ClockLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.tc(), self.byoyomi_ms) {
            (Some(tc), 0) => write!(f, "tc {tc}"),
            (Some(tc), byoyomi_ms) => write!(f, "tc {tc} byoyomi {byoyomi_ms} ms"),
            (None, byoyomi_ms) => write!(f, "byoyomi {byoyomi_ms} ms"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClockRules {
    /// A move may overstep the clock by so much before the game is lost.
    pub margin_ms: u64,
    /// What a built-in player leaves unused of what the clock allows.
    pub overhead_ms: u64,
    /// Are the whole seconds of a move all that it takes off, as in shogi tournaments? When the time is up stays the same.
    pub whole_seconds: bool,
}

impl Default for ClockRules {
    fn default() -> Self {
        ClockRules {
            margin_ms: 100,
            overhead_ms: 30,
            whole_seconds: false,
        }
    }
}

fn parse_moves(text: &str) -> Result<u32, &'static str> {
    let moves = parse_whole(text)?;
    let moves = u32::try_from(moves)
        .ok()
        .filter(|moves| (1..=1000).contains(moves));
    moves.ok_or("a period has from 1 to 1000 moves")
}

fn parse_base(text: &str) -> Result<u64, &'static str> {
    let Some((minutes, seconds)) = text.rsplit_once(':') else {
        return parse_seconds(text);
    };
    let (hours, minutes) = minutes.split_once(':').unwrap_or(("0", minutes));
    let [hours, minutes] = [parse_whole(hours)?, parse_whole(minutes)?];
    let seconds_ms = parse_seconds(seconds)?;
    if seconds_ms >= 60_000 {
        return Err("seconds after a colon must be below 60");
    }
    Ok((hours * 60 + minutes) * 60_000 + seconds_ms)
}

/// Decimal seconds as milliseconds, without a floating-point number in between.
fn parse_seconds(text: &str) -> Result<u64, &'static str> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.len() > 3 {
        return Err("times have three decimals at most");
    }
    let fraction_ms = parse_whole(fraction)? * 10_u64.pow(3 - fraction.len() as u32);
    Ok(parse_whole(whole)? * 1000 + fraction_ms)
}

fn parse_whole(text: &str) -> Result<u64, &'static str> {
    let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok()).flatten();
    number.ok_or("expected BASE+INC in seconds, such as 10+0.1, 5:00+3 or 40/60+0.5")
}

/// Milliseconds as seconds, without needless decimals.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction_ms) = (self.0 / 1000, self.0 % 1000);
        if fraction_ms == 0 {
            return write!(f, "{whole}");
        }
        let text = format!("{whole}.{fraction_ms:03}");
        f.write_str(text.trim_end_matches('0'))
    }
}
