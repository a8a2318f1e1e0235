//! Symmetric positive definite systems: a matrix in, its factor, solutions and inverse out. Row-major, no pivoting; the few
//! dozen unknowns of a rating list need no more.

/// The lower triangular `L` with `L Lᵀ = matrix` of `size` rows; `None` unless positive definite.
pub fn factor(mut matrix: Vec<f64>, size: usize) -> Option<Vec<f64>> {
    for column in 0..size {
        for row in column..size {
            let products: f64 = (0..column)
                .map(|k| matrix[row * size + k] * matrix[column * size + k])
                .sum();
            let rest = matrix[row * size + column] - products;
            if row == column {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                matrix[row * size + column] = rest.sqrt();
            } else {
                matrix[row * size + column] = rest / matrix[column * size + column];
            }
        }
    }
    Some(matrix)
}

/// The solution `x` of `L Lᵀ x = right`.
pub fn solve(lower: &[f64], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut x = right.to_vec();
    for row in 0..size {
        let known: f64 = (0..row).map(|k| lower[row * size + k] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row * size + row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| lower[k * size + row] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row * size + row];
    }
    x
}

/// The inverse of `L Lᵀ`.
pub fn invert(lower: &[f64], size: usize) -> Vec<f64> {
    let unit = |column: usize| {
        (0..size)
            .map(move |row| if row == column { 1.0 } else { 0.0 })
            .collect::<Vec<f64>>()
    };
    // Symmetric, so columns may be laid out as rows.
    (0..size).flat_map(|column| solve(lower, &unit(column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_system_is_solved_and_inverted() {
        let lower = factor(vec![4.0, 2.0, 2.0, 3.0], 2).unwrap();
        let x = solve(&lower, &[8.0, 7.0]);
        assert!((x[0] - 1.25).abs() < 1e-12 && (x[1] - 1.5).abs() < 1e-12);
        let inverse = invert(&lower, 2);
        for (ours, exact) in inverse.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((ours - exact).abs() < 1e-12);
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert_eq!(factor(vec![1.0, 2.0, 2.0, 1.0], 2), None);
    }
}
