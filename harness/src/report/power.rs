//! What the confirming match of a tuning can show, before it begins.

use super::number::percent;
use crate::config::sprt_text;
use crate::experiment::{POWER_GAINS, Power};

pub(super) fn describe(power: &Power) -> String {
    let gains = POWER_GAINS.iter().zip(power.of_gains);
    let gains: Vec<String> = gains
        .map(|(gain, probability)| format!("{} for +{gain} Elo", percent(Some(probability))))
        .collect();
    let line = format!(
        "the confirming match of at most {} pairs will show a gain with a probability of {} (at {:.0} % draws)",
        power.pairs,
        gains.join(", "),
        100.0 * power.draws
    );
    if power.is_enough() {
        return line;
    }
    let Some((test, pairs)) = &power.enough else {
        return line + "\nwarning: +10 Elo would probably stay unconfirmed";
    };
    let test = sprt_text(test);
    let openings = 4 * pairs;
    format!(
        "{line}\nwarning: +10 Elo would stay unconfirmed too often; 80 % need --confirm-sprt {test} --confirm-pairs {pairs} \
         (every fourth opening is kept for them: {openings} openings)"
    )
}
