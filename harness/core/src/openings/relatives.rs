//! Do neighbours of a suite come from the same first moves?

/// So many places of the suite are looked at.
const SAMPLE: usize = 500;
/// Neighbours are relatives if so many more of their ranks are alike than of positions far apart.
const EXCESS: f64 = 1.0;
const POSITIONS_MIN: usize = 20;

/// A suite whose neighbours are more alike than chance would have it: mean numbers of ranks that are the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relatives {
    pub neighbours: f64,
    pub far_apart: f64,
}

impl Relatives {
    pub fn of(positions: &[String]) -> Option<Relatives> {
        let all = positions.len();
        if all < POSITIONS_MIN {
            return None;
        }
        let places = || (0..all - 1).step_by(all.div_ceil(SAMPLE));
        let mean = |distance: usize| {
            let alike = places().map(|place| alike(&positions[place], &positions[(place + distance) % all]));
            alike.sum::<usize>() as f64 / places().count() as f64
        };
        let (neighbours, far_apart) = (mean(1), mean(all / 2));
        (neighbours > far_apart + EXCESS).then_some(Relatives {
            neighbours,
            far_apart,
        })
    }
}

fn alike(one: &str, other: &str) -> usize {
    let ranks = |text| str::split_whitespace(text).next().unwrap_or_default().split('/');
    ranks(one)
        .zip(ranks(other))
        .filter(|(one, other)| one == other)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_in_a_row_are_seen_and_the_same_positions_in_another_order_are_not() {
        // Of eight ranks the family decides four.
        let position = |family: usize, own: usize| {
            let ranks: Vec<String> = (0..4)
                .flat_map(|rank| [format!("f{family}{rank}"), format!("o{own}")])
                .collect();
            format!("{} w - - 0 1", ranks.join("/"))
        };
        let sorted: Vec<String> = (0..200).map(|number| position(number / 10, number)).collect();
        let found = Relatives::of(&sorted).unwrap();
        assert!(found.neighbours > 3.0 && found.far_apart < 1.0, "{found:?}");
        let mixed: Vec<String> = (0..200)
            .map(|number| position(number * 37 % 200 / 10, number))
            .collect();
        assert_eq!(Relatives::of(&mixed), None);
        assert_eq!(Relatives::of(&sorted[..19]), None);
    }
}
