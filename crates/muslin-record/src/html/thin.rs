//! Fewer points for the same picture.

/// At most `most` of the points: of each stretch the lowest and the highest, so that no peak is lost, and both ends.
pub(super) fn thinned(points: &[[f64; 2]], most: usize) -> Vec<[f64; 2]> {
    if points.len() <= most {
        return points.to_vec();
    }
    // Two points of each stretch; one place each for the ends.
    let stretches = (most - 2) / 2;
    let mut kept = vec![points[0]];
    for stretch in 0..stretches {
        let from = stretch * points.len() / stretches;
        let to = (stretch + 1) * points.len() / stretches;
        let part = &points[from..to];
        let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let extremes = (part.iter().min_by(by_height), part.iter().max_by(by_height));
        if let (Some(low), Some(high)) = extremes {
            let (first, second) = if low[0] <= high[0] { (low, high) } else { (high, low) };
            kept.extend([*first, *second]);
        }
    }
    kept.push(points[points.len() - 1]);
    kept
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn a_single_peak_in_a_long_run_survives() {
        let mut points: Vec<_> = (0..100_000).map(|i| [f64::from(i), 0.0]).collect();
        points[54_321][1] = 1.0;
        points[77_777][1] = -2.0;
        let kept = thinned(&points, 1000);
        assert!(kept.len() <= 1000, "{}", kept.len());
        assert!(kept.contains(&[54_321.0, 1.0]) && kept.contains(&[77_777.0, -2.0]));
        assert!(kept.is_sorted_by(|a, b| a[0] <= b[0]));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn short_lines_stay_as_they_are() {
        let points = [[0.0, 1.0], [1.0, 2.0]];
        assert_eq!(thinned(&points, 1000), points);
    }
}
