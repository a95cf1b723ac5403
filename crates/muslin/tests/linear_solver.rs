//! Conjugate gradients against a dense solve, with and without filters.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::cmp::Ordering;

use common::Dice;
use glam::{DMat3, DVec3};
use muslin::drivers::Freedom;
use muslin::linalg::{BlockMatrix, CgError, ConjugateGradients, Pattern, dot};

/// A symmetric positive definite matrix on `n` particles, as blocks and dense.
fn random_matrix(n: usize, seed: u64) -> (BlockMatrix, Vec<Vec<f64>>) {
    let mut dice = Dice::new(seed);
    let pairs: Vec<[u32; 2]> = (0..3 * n)
        .map(|_| [dice.number(0.0, n as f64) as u32, dice.number(0.0, n as f64) as u32])
        .filter(|[a, b]| a != b)
        .collect();
    let pattern = Pattern::new(n, pairs.iter().map(|pair| &pair[..]));
    let mut matrix = BlockMatrix::zero(pattern);
    let mut dense = vec![vec![0.0; 3 * n]; 3 * n];
    let mut add = |matrix: &mut BlockMatrix, i: u32, j: u32, block: DMat3| {
        match i.cmp(&j) {
            Ordering::Less => matrix.add(matrix.pattern().slot(i, j), block),
            Ordering::Equal => matrix.add_diagonal(i as usize, block),
            // The mirror image is not stored.
            Ordering::Greater => {}
        }
        for (row, column) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
            dense[3 * i as usize + row][3 * j as usize + column] += block.col(column)[row];
        }
    };
    for [a, b] in pairs {
        let d = dice.vector(3.0);
        let block = DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            add(&mut matrix, i, j, block * sign);
        }
    }
    for i in 0..n as u32 {
        add(&mut matrix, i, i, DMat3::IDENTITY * 0.1);
    }
    (matrix, dense)
}

/// Gaussian elimination with pivoting.
fn solve_dense(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    b
}

fn flat(values: &[DVec3]) -> Vec<f64> {
    values.iter().flat_map(DVec3::to_array).collect()
}

#[test]
fn products_agree_with_the_dense_matrix() {
    let n = 20;
    let (matrix, dense) = random_matrix(n, 3);
    let vector = Dice::new(4).vectors(n, 1.0);
    let mut product = vec![DVec3::ZERO; n];
    matrix.multiply(&vector, &mut product);
    for (sparse, row) in flat(&product).iter().zip(&dense) {
        let expected: f64 = row.iter().zip(flat(&vector)).map(|(a, v)| a * v).sum();
        // Sums of a few dozen terms of size 10, in another order.
        assert!((sparse - expected).abs() < 1e-12 * 100.0, "{sparse} against {expected}");
    }
}

#[test]
fn conjugate_gradients_agree_with_elimination() {
    for seed in 0..5 {
        let n = 20;
        let (matrix, dense) = random_matrix(n, seed);
        let right = Dice::new(50 + seed).vectors(n, 1.0);
        let mut solution = vec![DVec3::ZERO; n];
        let outcome = ConjugateGradients::default().solve(&matrix, &right, 1e-12, 1000, &mut solution).unwrap();
        assert!(outcome.converged);
        for (cg, direct) in flat(&solution).iter().zip(solve_dense(dense, flat(&right))) {
            assert!((cg - direct).abs() < 1e-9, "{cg} against {direct}");
        }
    }
}

#[test]
fn filtered_conjugate_gradients_solve_the_projected_system() {
    let n = 15;
    let (mut matrix, dense) = random_matrix(n, 9);
    let mut dice = Dice::new(10);
    let freedom: Vec<Freedom> = (0..n)
        .map(|i| match i % 4 {
            0 => Freedom::Fixed,
            1 => Freedom::Plane(dice.vector(1.0).normalize()),
            2 => Freedom::Line(dice.vector(1.0).normalize()),
            _ => Freedom::Free,
        })
        .collect();
    let right = dice.vectors(n, 1.0);
    let mut solution = vec![DVec3::ZERO; n];
    let filtered: Vec<DVec3> = right.iter().zip(&freedom).map(|(v, freedom)| freedom.filter(*v)).collect();
    matrix.constrain(|i| (freedom[i] != Freedom::Free).then(|| freedom[i].matrix()));
    ConjugateGradients::default().solve(&matrix, &filtered, 1e-13, 2000, &mut solution).unwrap();

    // The same by elimination: C A C + (I - C), which leaves the forbidden part of the solution at zero.
    let mut projection = vec![vec![0.0; 3 * n]; 3 * n];
    for (i, freedom) in freedom.iter().enumerate() {
        for (row, column) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
            projection[3 * i + row][3 * i + column] = freedom.matrix().col(column)[row];
        }
    }
    let multiply = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
        a.iter().map(|row| (0..3 * n).map(|j| row.iter().zip(b).map(|(x, r)| x * r[j]).sum()).collect()).collect()
    };
    let mut projected = multiply(&multiply(&projection, &dense), &projection);
    for (i, row) in projected.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry += f64::from(i == j) - projection[i][j];
        }
    }
    for (cg, direct) in flat(&solution).iter().zip(solve_dense(projected, flat(&filtered))) {
        assert!((cg - direct).abs() < 1e-9, "{cg} against {direct}");
    }
}

#[test]
fn an_indefinite_matrix_is_named_and_not_solved() {
    let mut matrix = BlockMatrix::zero(Pattern::new(1, std::iter::empty()));
    matrix.add_diagonal(0, DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0)));
    let outcome = ConjugateGradients::default().solve(&matrix, &[DVec3::Y], 1e-6, 10, &mut [DVec3::ZERO; 1]);
    assert!(matches!(outcome, Err(CgError::Indefinite { .. })), "{outcome:?}");
}

#[test]
fn sums_have_the_same_bits_for_any_number_of_threads() {
    let [a, b] = [1, 2].map(|seed| Dice::new(seed).vectors(20_000, 1.0));
    let sum = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| dot(&a, &b).to_bits())
    };
    let one = sum(1);
    assert!(one == sum(2) && one == sum(5));
}
