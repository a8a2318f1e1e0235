//! Which of many questions gets the next pairs, a total being given.
//!
//! Every question is looked at after numbers of pairs that double. Of those that are open, the one is played on whose next look is most
//! likely to answer it for a pair of its price, so hopeless ones are left early and certain ones cost no more than they need. Answers are
//! those of all looks together ([`super::looks`]) for the whole family (Holm), so they hold whatever was played on and why. In the spirit
//! of J.-Y. Audibert, S. Bubeck and R. Munos, *Best arm identification* (2010), whose rule asks for one answer and not for all.

use super::looks::Looks;
use super::normal;

/// How far one question has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// Pairs that were played.
    pub pairs: u64,
    /// The probability of one look that equal players are as far apart; none while there are too few pairs.
    pub p: Option<f64>,
    /// Nothing more is to be asked.
    pub is_closed: bool,
}

impl Question {
    fn z(&self) -> f64 {
        self.p.map_or(0.0, |p| -normal::quantile(0.5 * p.min(1.0)))
    }
}

/// A family of questions that share their pairs.
#[derive(Clone, Debug)]
pub struct Elimination {
    looks: Vec<u64>,
    /// Critical standardised scores while so many questions less one are open.
    critical: Vec<f64>,
}

impl Elimination {
    /// `questions` that are looked at after these numbers of pairs, ascending; wrong answers to any of them with probability `alpha`.
    pub fn new(looks: Vec<u64>, questions: usize, alpha: f64) -> Elimination {
        let family = Looks::new(&looks);
        let critical =
            |open: usize| normal::two_sided_z(family.confidence_of_each(1.0 - alpha / open as f64));
        Elimination {
            critical: (1..=questions.max(1)).map(critical).collect(),
            looks,
        }
    }

    /// Which are answered, by Holm's order.
    pub fn answered(&self, questions: &[Question]) -> Vec<bool> {
        let mut order: Vec<usize> = (0..questions.len()).collect();
        order.sort_by(|&one, &other| questions[other].z().total_cmp(&questions[one].z()));
        let mut answered = vec![false; questions.len()];
        for (rank, index) in order.into_iter().enumerate() {
            if questions[index].z() < self.critical(questions.len() - rank) {
                break;
            }
            answered[index] = true;
        }
        answered
    }

    /// The question to play on with and to how many pairs, with `left` pairs to be spent. What is between two looks is finished first.
    pub fn next(&self, questions: &[Question], left: u64) -> Option<(usize, u64)> {
        let target = |question: &Question| self.looks.iter().copied().find(|&look| look > question.pairs);
        let affordable = |pairs: u64, target: u64| target - pairs <= left;
        let mut begun = questions.iter().enumerate().filter_map(|(index, question)| {
            let is_between = !self.looks.contains(&question.pairs) && !question.is_closed;
            let target = target(question).filter(|_| is_between)?;
            affordable(question.pairs, target).then_some((index, target))
        });
        if let Some(next) = begun.next() {
            return Some(next);
        }
        let answered = self.answered(questions);
        let open = answered.iter().filter(|is_answered| !**is_answered).count();
        let critical = self.critical(open.max(1));
        let worth = |question: &Question, target: u64| {
            let z = question.z() * (target as f64 / question.pairs as f64).sqrt();
            // Of a drift that nothing is known of but these pairs.
            let share = question.pairs as f64 / target as f64;
            let spread = ((1.0 - share) / share).sqrt();
            let answers = normal::cdf((z - critical) / spread) + normal::cdf((-z - critical) / spread);
            answers / (target - question.pairs) as f64
        };
        let candidates = questions.iter().enumerate().filter_map(|(index, question)| {
            let target = target(question)?;
            let is_open = !answered[index] && !question.is_closed && affordable(question.pairs, target);
            is_open.then(|| (worth(question, target), index, target))
        });
        let best = candidates.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(_, index, target)| (index, target))
    }

    fn critical(&self, open: usize) -> f64 {
        self.critical[open.clamp(1, self.critical.len()) - 1]
    }
}

/// The numbers of pairs after which a question is looked at: `first` and its doublings up to `most`.
pub fn looks_from(first: u64, most: u64) -> Vec<u64> {
    let doubled = |&look: &u64| look.checked_mul(2).filter(|&next| next <= most);
    std::iter::successors(Some(first.max(1)), doubled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(pairs: u64, z: f64) -> Question {
        Question {
            pairs,
            p: (pairs > 0).then(|| 2.0 * normal::cdf(-z)),
            is_closed: false,
        }
    }

    #[test]
    fn every_question_gets_its_first_pairs_before_any_gets_more() {
        let rule = Elimination::new(looks_from(100, 6400), 3, 0.05);
        let asked = [question(100, 2.0), question(0, 0.0), question(0, 0.0)];
        assert_eq!(rule.next(&asked, 1000), Some((1, 100)));
        let begun = [question(130, 2.0), question(100, 2.9), question(100, 0.1)];
        assert_eq!(rule.next(&begun, 1000), Some((0, 200)), "half a look is finished");
    }

    #[test]
    fn pairs_go_where_an_answer_is_near_and_none_where_it_is_given() {
        let rule = Elimination::new(looks_from(100, 6400), 3, 0.05);
        let asked = [question(100, 9.0), question(100, 2.4), question(100, 0.2)];
        assert_eq!(rule.answered(&asked), [true, false, false]);
        assert_eq!(rule.next(&asked, 1000), Some((1, 200)));
        let mut closed = asked;
        closed[1].is_closed = true;
        assert_eq!(rule.next(&closed, 1000), Some((2, 200)));
    }

    #[test]
    fn what_cannot_be_paid_is_not_begun() {
        let rule = Elimination::new(looks_from(100, 6400), 2, 0.05);
        let asked = [question(400, 2.4), question(100, 0.2)];
        assert_eq!(rule.next(&asked, 150), Some((1, 200)));
        assert_eq!(rule.next(&asked, 99), None);
        let last = [question(6400, 1.0), question(6400, 2.0)];
        assert_eq!(rule.next(&last, 1_000_000), None, "the looks have an end");
    }

    #[test]
    fn an_answer_takes_more_the_more_is_asked_and_holms_order_is_kept() {
        let critical =
            |questions| Elimination::new(looks_from(100, 6400), questions, 0.05).critical(questions);
        assert!(critical(1) > 1.96 && critical(10) > critical(1) && critical(45) > critical(10));
        let rule = Elimination::new(looks_from(100, 6400), 3, 0.05);
        let near = rule.critical(2) + 0.01;
        let answered = |scores: [f64; 3]| rule.answered(&scores.map(|z| question(100, z)));
        assert_eq!(answered([near, 0.0, 8.0]), [true, false, true]);
        assert_eq!(answered([near, 0.0, 0.0]), [false; 3]);
    }
}
