//! `sprt.csv`: the course of a match.
//!
//! In: a standing. Out: one row a step. Must not: choose which steps there are.

use super::number::{ELO_DECIMALS, FINE_DECIMALS, field};
use crate::standing::Standing;

const HEADER: [&str; 10] = [
    "pairs", "ptnml_0", "ptnml_1", "ptnml_2", "ptnml_3", "ptnml_4", "llr", "elo", "elo_low", "elo_high",
];

/// The file's bytes.
pub(super) fn csv(standing: &Standing) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for step in standing.steps() {
        let elo = step.elo();
        writer.serialize((
            step.pentanomial.iter().sum::<u64>(),
            step.pentanomial,
            field(step.llr, FINE_DECIMALS),
            field(elo.value, ELO_DECIMALS),
            field(elo.low, ELO_DECIMALS),
            field(elo.high, ELO_DECIMALS),
        ))?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::tests::pair;
    use crate::stop::StopRule;

    #[test]
    fn a_step_has_no_estimate_before_there_are_enough_pairs() {
        let mut standing = Standing::new(StopRule {
            sprt: crate::config::parse_sprt("elo0=0,elo1=5").ok(),
            pairs_max: 100,
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
