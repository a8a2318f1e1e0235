//! `sprt.csv`: the course of a match.
//!
//! In: a standing. Out: its columns, a row a step. Must not: choose which steps there are.

use super::cell::Cell;
use super::number::{ELO_DECIMALS, FINE_DECIMALS};
use super::sheet::Sheet;
use crate::standing::{Standing, Step};
use crate::stats::Estimate;

/// A step with what it says of the strength so far.
pub(super) struct StepRow {
    step: Step,
    elo: Estimate,
}

/// The columns.
pub(super) fn sheet() -> Sheet<'static, StepRow> {
    Sheet::new()
        .column("pairs", "pairs counted so far", |row: &StepRow| {
            row.step.pentanomial.iter().sum::<u64>().into()
        })
        .pentanomial(|row| row.step.pentanomial)
        .column("llr", "log likelihood ratio, if there is a test", |row| {
            Cell::fixed(row.step.llr, FINE_DECIMALS)
        })
        .column("elo", "Elo of A as if the length had been fixed", |row| {
            Cell::fixed(row.elo.value, ELO_DECIMALS)
        })
        .column("elo_low", "lower end of the 95 % interval of elo", |row| {
            Cell::fixed(row.elo.low, ELO_DECIMALS)
        })
        .column("elo_high", "upper end of the 95 % interval of elo", |row| {
            Cell::fixed(row.elo.high, ELO_DECIMALS)
        })
}

/// The file's bytes.
pub(super) fn csv(standing: &Standing) -> csv::Result<Vec<u8>> {
    sheet().csv(standing.steps().map(|step| StepRow {
        step,
        elo: step.elo(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::{FaultLimits, StopRule};
    use tanren_core::fixtures::pair;

    #[test]
    fn a_step_has_no_estimate_before_there_are_enough_pairs() {
        let mut standing = Standing::new(StopRule {
            sprt: crate::config::parse_sprt("elo0=0,elo1=5").ok(),
            pairs_max: 100,
            faults: FaultLimits::default(),
        });
        for number in 0..20 {
            standing.count(&pair(number, [2, (number % 3) as usize], 0));
        }
        let text = String::from_utf8(csv(&standing).unwrap()).unwrap();
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 21);
        assert_eq!(
            rows[0],
            "pairs,ptnml_0,ptnml_1,ptnml_2,ptnml_3,ptnml_4,llr,elo,elo_low,elo_high"
        );
        assert!(
            rows[2].starts_with("2,0,0,1,1,0,") && rows[2].ends_with(",,,"),
            "{}",
            rows[2]
        );
        assert!(rows[20].split(',').all(|cell| !cell.is_empty()), "{}", rows[20]);
    }
}
