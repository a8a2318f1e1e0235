//! Maximum a posteriori fit of the weights by Adam (Kingma and Ba, 2015) over shuffled batches.

use crate::features::{Features, Sample, Used, adds};

/// Centipawns that a weight moves a step, at first and at last.
const STEP: [f32; 2] = [1.5, 0.02];
/// What is added to the size of gradients, so that weights of few positions move little.
const CALM: f32 = 1e-12;
const BATCH: usize = 16_384;
/// A batch is cut into so many parts whatever the machine, so that sums are always added in the same order.
const PARTS: usize = 2;
const MOMENTUM: f32 = 0.9;
const MOMENTUM_SQUARE: f32 = 0.999;

#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Steps {
    /// Times that every position is used
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) epochs: u32,
    /// Orders the positions
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Positions that count as one against the prior, since those of one game are alike
    #[arg(long, default_value_t = 1.0)]
    pub(crate) shrink: f32,
    /// Weight of search scores against game results, in percent; read from games.csa or games.pgn
    #[arg(long, default_value = "0", value_parser = share)]
    pub(crate) scores: f32,
}

fn share(percent: &str) -> Result<f32, String> {
    let percent = percent.parse().ok().filter(|percent: &u32| *percent <= 100);
    percent
        .map(|percent| percent as f32 / 100.0)
        .ok_or_else(|| "expected a whole number from 0 to 100".to_owned())
}

pub(crate) struct Fit<F> {
    steps: Steps,
    pub(crate) features: F,
    /// Where the prior is centred.
    prior: Vec<f32>,
    pub(crate) weights: Vec<f32>,
    /// Centipawns a logit, of the evaluation and of the scores of the searches.
    pub(crate) scale: f32,
    pub(crate) searched_scale: f32,
    momenta: Vec<[f32; 2]>,
    taken: i32,
    random: u64,
}

fn probability(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// What is to be expected of a position: its result mixed with what the search expected.
fn target(sample: &Sample, scores: f32, searched_scale: f32) -> f32 {
    match sample.searched {
        Some(searched) => (1.0 - scores) * sample.result + scores * probability(searched, searched_scale),
        None => sample.result,
    }
}

fn cross_entropy(expected: f32, result: f32) -> f64 {
    let expected = f64::from(expected).clamp(1e-9, 1.0 - 1e-9);
    let result = f64::from(result);
    -(result * expected.ln() + (1.0 - result) * (1.0 - expected).ln())
}

/// The scale by which `score` predicts `target` best, by golden-section search.
fn best_scale(
    positions: &[Sample],
    score: impl Fn(&Sample) -> Option<f32>,
    target: impl Fn(&Sample) -> f32,
) -> f32 {
    let stride = positions.len().div_ceil(200_000);
    let loss = |scale: f32| -> f64 {
        let samples = positions.iter().step_by(stride);
        samples
            .filter_map(|sample| Some(cross_entropy(probability(score(sample)?, scale), target(sample))))
            .sum()
    };
    let golden = (5.0_f32.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0_f32, 5000.0_f32);
    while high - low > 0.5 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a) < loss(b) {
            high = b;
        } else {
            low = a;
        }
    }
    f32::midpoint(low, high)
}

/// Runs `work` on the parts of `items` at once and hands on what it made, in the order of the parts.
fn in_parts<'a, T: Sync, R: Send>(items: &'a [T], work: impl Fn(&'a [T]) -> R + Sync) -> Vec<R> {
    let width = items.len().div_ceil(PARTS).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = items
            .chunks(width)
            .map(|part| scope.spawn(move || work(part)))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    })
}

impl<F: Features> Fit<F> {
    /// Fits the scale of the scores; the weights are still those of `prior`.
    pub(crate) fn new(positions: &[Sample], features: F, prior: Vec<f32>, steps: Steps) -> Self {
        let searched_scale = best_scale(positions, |sample| sample.searched, |sample| sample.result);
        let mixed = |sample: &Sample| target(sample, steps.scores, searched_scale);
        Fit {
            steps,
            weights: prior.clone(),
            prior,
            scale: best_scale(positions, |sample| Some(sample.score), mixed),
            searched_scale,
            momenta: vec![[0.0; 2]; features.count()],
            features,
            taken: 0,
            random: steps.seed,
        }
    }

    fn target(&self, sample: &Sample) -> f32 {
        target(sample, self.steps.scores, self.searched_scale)
    }

    fn expected(&self, used: &Used, sample: &Sample) -> f32 {
        probability(sample.score + adds(&self.weights, used), self.scale)
    }

    /// Mean loss in nats over `positions`.
    pub(crate) fn loss(&self, positions: &[Sample]) -> f64 {
        let sums = in_parts(positions, |part| {
            let mut used = Used::new();
            let mut sum = 0.0;
            for sample in part {
                self.features.list(sample, &mut used);
                sum += cross_entropy(self.expected(&used, sample), self.target(sample));
            }
            sum
        });
        sums.iter().sum::<f64>() / positions.len() as f64
    }

    pub(crate) fn epoch(&mut self, positions: &[Sample], epoch: u32) -> f64 {
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, (self.next_random() % (last as u64 + 1)) as usize);
        }
        let batches = order.len().div_ceil(BATCH);
        let whole = (batches as u32 * self.steps.epochs) as f32;
        let mut sum = 0.0;
        for (index, batch) in order.chunks(BATCH).enumerate() {
            let done = ((epoch - 1) * batches as u32 + index as u32) as f32 / whole;
            sum += self.step(positions, batch, STEP[0] + (STEP[1] - STEP[0]) * done);
        }
        sum / positions.len() as f64
    }

    fn step(&mut self, positions: &[Sample], batch: &[u32], step: f32) -> f64 {
        let parts = in_parts(batch, |part| {
            let mut gradient = vec![0.0_f32; self.features.count()];
            let mut used = Used::new();
            let mut loss = 0.0;
            for &index in part {
                let sample = &positions[index as usize];
                self.features.list(sample, &mut used);
                let expected = self.expected(&used, sample);
                let target = self.target(sample);
                loss += cross_entropy(expected, target);
                let error = (expected - target) / self.scale;
                for &(place, times) in &used {
                    gradient[place as usize] += times * error;
                }
            }
            (gradient, loss)
        });
        self.taken += 1;
        let corrections = [
            1.0 - MOMENTUM.powi(self.taken),
            1.0 - MOMENTUM_SQUARE.powi(self.taken),
        ];
        let pull = self.steps.shrink / positions.len() as f32;
        for (place, weight) in self.weights.iter_mut().enumerate() {
            let sum: f32 = parts.iter().map(|(gradient, _)| gradient[place]).sum();
            let strayed = *weight - self.prior[place];
            let gradient = sum / batch.len() as f32 + strayed * pull / self.features.prior(place).powi(2);
            let [mean, square] = &mut self.momenta[place];
            *mean += (1.0 - MOMENTUM) * (gradient - *mean);
            *square += (1.0 - MOMENTUM_SQUARE) * (gradient * gradient - *square);
            *weight -= step * (*mean / corrections[0]) / ((*square / corrections[1]).sqrt() + CALM);
        }
        parts.iter().map(|(_, loss)| loss).sum()
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.random;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}
