//! Square matrices and their Cholesky decomposition, as likelihoods of a few parameters need them. Vectors are slices.
//!
//! A crate of linear algebra for this took a sixteenth of the whole build.

use std::ops::{Index, IndexMut};

/// A square matrix, indexed by row and column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zeros(size: usize) -> Matrix {
        let entries = vec![0.0; size * size];
        Matrix { size, entries }
    }

    /// Adds `weight` times the outer square of a vector of which only these entries are not 0.
    pub(crate) fn add_square(
        &mut self,
        entries: impl IntoIterator<Item = (usize, f64), IntoIter: Clone>,
        weight: f64,
    ) {
        let entries = entries.into_iter();
        for (i, x) in entries.clone() {
            for (j, y) in entries.clone() {
                self[(i, j)] += weight * x * y;
            }
        }
    }

    pub(crate) fn add_diagonal(&mut self, values: impl IntoIterator<Item = f64>) {
        for (index, value) in values.into_iter().enumerate() {
            self[(index, index)] += value;
        }
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        for entry in &mut self.entries {
            *entry *= factor;
        }
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.entries.chunks_exact(self.size);
        rows.map(|row| dot(row, vector)).collect()
    }

    /// `vector' self vector`.
    pub(crate) fn quadratic(&self, vector: &[f64]) -> f64 {
        dot(vector, &self.times(vector))
    }

    /// `self middle self` of symmetric matrices, which is symmetric again.
    pub(crate) fn around(&self, middle: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.size);
        for (column, row) in self.entries.chunks_exact(self.size).enumerate() {
            for (index, entry) in self.times(&middle.times(row)).into_iter().enumerate() {
                product[(index, column)] = entry;
            }
        }
        product
    }

    /// None unless this symmetric matrix is positive definite.
    pub(crate) fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = Matrix::zeros(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let before = |index: usize| &lower.entries[index * self.size..][..column];
                let rest = self[(row, column)] - dot(before(row), before(column));
                lower[(row, column)] = if column < row {
                    rest / lower[(column, column)]
                } else {
                    Some(rest.sqrt()).filter(|root| *root > 0.0)?
                };
            }
        }
        Some(Cholesky(lower))
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }
}

/// The lower triangle L of a matrix L L'.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    /// The vector that the decomposed matrix makes `right` of.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Cholesky(lower) = self;
        let mut solution = right.to_vec();
        for row in 0..lower.size {
            let known = dot(&lower.entries[row * lower.size..][..row], &solution[..row]);
            solution[row] = (solution[row] - known) / lower[(row, row)];
        }
        for row in (0..lower.size).rev() {
            let known = (row + 1..lower.size).map(|below| lower[(below, row)] * solution[below]);
            solution[row] = (solution[row] - known.sum::<f64>()) / lower[(row, row)];
        }
        solution
    }

    pub(crate) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let unit = |row: usize| {
            (0..size)
                .map(|column| f64::from(u8::from(column == row)))
                .collect()
        };
        let rows = (0..size).map(unit).flat_map(|unit: Vec<f64>| self.solve(&unit));
        let entries = rows.collect();
        Matrix { size, entries }
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::testing::assert_near;

    #[test]
    fn a_solution_and_an_inverse_undo_a_positive_definite_matrix() {
        let mut random = Random::new(1, &[]);
        for size in 1..9 {
            let mut matrix = Matrix::zeros(size);
            matrix.add_diagonal(vec![0.1; size]);
            for _ in 0..size {
                let vector: Vec<f64> = (0..size).map(|_| random.uniform() - 0.5).collect();
                matrix.add_square(vector.into_iter().enumerate(), 0.7);
            }
            let vector: Vec<f64> = (0..size).map(|_| random.uniform() - 0.5).collect();
            let cholesky = matrix.cholesky().unwrap();
            let again = cholesky.solve(&matrix.times(&vector));
            let inverse = cholesky.inverse();
            for (index, &entry) in vector.iter().enumerate() {
                assert_near(again[index], entry, 1e-9);
                assert_near(inverse.times(&matrix.times(&vector))[index], entry, 1e-9);
            }
            let same = inverse.around(&matrix);
            assert!(
                same.entries
                    .iter()
                    .zip(&inverse.entries)
                    .all(|(a, b)| (a - b).abs() < 1e-8)
            );
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_decomposition() {
        for entries in [
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 2.0, 2.0, 1.0],
            [f64::NAN, 0.0, 0.0, 1.0],
        ] {
            let entries = entries.to_vec();
            assert_eq!(Matrix { size: 2, entries }.cholesky(), None);
        }
    }
}
