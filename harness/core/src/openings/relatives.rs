//! Do neighbours of a suite come from the same first moves?

const SAMPLE: usize = 500;
/// Neighbours are relatives if so many more of their ranks are alike than of positions far apart.
const EXCESS: f64 = 1.0;
const POSITIONS_MIN: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relatives {
    /// Of a position and the next one of the suite.
    pub neighbours: f64,
    /// Of a position and one half of the suite away.
    pub far_apart: f64,
}

impl Relatives {
    pub fn of(positions: &[String]) -> Option<Relatives> {
        let all = positions.len();
        if all < POSITIONS_MIN {
            return None;
        }
        let step = all.div_ceil(SAMPLE);
        let places: Vec<usize> = (0..all - 1).step_by(step).collect();
        let mean = |distance: usize| {
            let alike = places
                .iter()
                .map(|&place| alike(&positions[place], &positions[(place + distance) % all]));
            alike.sum::<usize>() as f64 / places.len() as f64
        };
        Some(Relatives {
            neighbours: mean(1),
            far_apart: mean(all / 2),
        })
    }

    pub fn are_neighbours(&self) -> bool {
        self.neighbours > self.far_apart + EXCESS
    }
}

fn alike(one: &str, other: &str) -> usize {
    let ranks = |text: &str| -> Vec<String> {
        let diagram = text.split_whitespace().next().unwrap_or_default();
        diagram.split('/').map(str::to_owned).collect()
    };
    ranks(one)
        .iter()
        .zip(ranks(other))
        .filter(|(one, other)| **one == *other)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight ranks, of which `family` decides four and `own` the others.
    fn position(family: usize, own: usize) -> String {
        let rank =
            |of: usize, place: usize| format!("{}p{}", 1 + (of * 7 + place) % 5, 1 + of * (place + 1) % 3);
        let ranks: Vec<String> = (0..8)
            .map(|place| {
                if place < 4 {
                    format!("{}f{family}", rank(family, place))
                } else {
                    format!("{}o{own}", rank(own, place))
                }
            })
            .collect();
        format!("{} w - - 0 1", ranks.join("/"))
    }

    #[test]
    fn families_in_a_row_are_seen_and_the_same_positions_in_another_order_are_not() {
        let sorted: Vec<String> = (0..200).map(|number| position(number / 10, number)).collect();
        let found = Relatives::of(&sorted).unwrap();
        assert!(found.are_neighbours() && found.neighbours > 3.0, "{found:?}");
        let mixed: Vec<String> = (0..200)
            .map(|number| position(number * 37 % 200 / 10, number))
            .collect();
        let found = Relatives::of(&mixed).unwrap();
        assert!(!found.are_neighbours(), "{found:?}");
        assert_eq!(Relatives::of(&sorted[..19]), None);
    }
}
