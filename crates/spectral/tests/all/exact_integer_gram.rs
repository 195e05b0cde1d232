//! Products of whole numbers.

use embedding::{Error, PointSet, Silent};
use spectral::{Levels, Principal, Tolerance};

/// Whole numbers from 0 to `most`, most of them odd, so that wrong sums are not rounded to right ones.
fn level(i: usize, c: usize, most: i64) -> i64 {
    match (i, c) {
        (0, _) => 0,
        (1, _) => most,
        (_, 0) => 1,
        (_, 1) => 255,
        _ => ((i * 7919 + c * 104_729) % 128 * 2 + 1) as i64,
    }
}

#[test]
fn sums_of_levels_are_not_rounded() -> Result<(), Error> {
    for (n, most) in [3, 1025, 2049, 20_000].into_iter().flat_map(|n| [(n, 256), (n, 255)]) {
        let width = 3;
        let level = |i, c| level(i, c, most);
        let sum = |c: usize| (0..n).map(|i| level(i, c)).sum::<i64>();
        let scatter = |a: usize, b: usize| {
            let products = (0..n).map(|i| level(i, a) * level(i, b)).sum::<i64>();
            (n as i64 * products - sum(a) * sum(b)) as f64 / n as f64
        };
        let scales = if most == 255 { [(255.0, 0), (255.0, -77)] } else { [(1.0, 0), (1.0, -1_000_000)] };
        for (unit, shift) in scales {
            let value = |at: usize| (level(at / width, at % width) + shift) as f64 / unit;
            let points = PointSet::new((0..n * width).map(value).collect(), width)?;
            assert!(Levels::of(points.view().values()).is_some());
            let found = Principal::new(points.view(), width, Tolerance::default(), &Silent)?;
            let total = (0..width).map(|c| scatter(c, c)).sum::<f64>() / (unit * unit);
            assert!((found.total / total - 1.0).abs() < 1e-15, "{n}, {unit}, {shift}: {}", found.total);
            for a in 0..width {
                let mean = (sum(a) as f64 / n as f64 + shift as f64) / unit;
                assert!((found.mean[a] - mean).abs() <= 1e-15 * mean.abs(), "{n}, {unit}, {shift}: mean {a}");
                for b in 0..width {
                    let entry: f64 = (0..width)
                        .map(|j| found.directions[(a, j)] * found.sums[j] * found.directions[(b, j)])
                        .sum();
                    let expected = scatter(a, b) / (unit * unit);
                    assert!((entry - expected).abs() < 1e-13 * total, "{n}, {unit}, {shift}: {a} {b}");
                }
            }
        }
    }
    Ok(())
}

/// The third column is at the lowest level in all rows, the first in the first 300, the second in others.
#[test]
fn columns_at_the_lowest_level_are_left_out_of_products_alone() -> Result<(), Error> {
    let (n, width) = (700, 4);
    let level = |i: usize, c: usize| match (i, c) {
        (0..300, 0) | (300..620, 1) | (_, 2) => 0,
        _ => ((i * 37 + c * 101) % 256) as i64,
    };
    for shift in [0, 40] {
        let value = |at: usize| (level(at / width, at % width) + shift) as f64;
        let points = PointSet::new((0..n * width).map(value).collect(), width)?;
        assert!(Levels::of(points.view().values()).is_some());
        let found = Principal::new(points.view(), width, Tolerance::default(), &Silent)?;
        let mean = spectral::principal::column_means(points.view());
        let scatter = spectral::principal::scatter(points.view(), &mean);
        for a in 0..width {
            assert!((found.mean[a] - mean[a]).abs() < 1e-12, "{shift}: mean {a}");
            for b in 0..width {
                let entry: f64 = (0..width)
                    .map(|j| found.directions[(a, j)] * found.sums[j] * found.directions[(b, j)])
                    .sum();
                assert!((entry - scatter[(a, b)]).abs() < 1e-12 * found.total, "{shift}: {a} {b}");
            }
        }
    }
    Ok(())
}

/// Rows with few values above the lowest level, rows with many, and columns at the highest level in
/// all rows.
#[test]
fn products_of_few_values_above_the_lowest_level_are_not_rounded() -> Result<(), Error> {
    for (n, width) in [(2, 5), (63, 64), (300, 37), (700, 70), (5000, 80)] {
        let level = |i: usize, c: usize| {
            let random = (i * 7919 + c * 104_729 + i * c * 31) % 1009;
            match (c, (i / 256) % 3) {
                (1 | 20, _) => 256,
                (2, _) => (i % 2) as i64,
                (_, 0) => (random % 257) as i64,
                _ if random < 60 => (random * 4 + 1) as i64,
                _ => 0,
            }
        };
        let value = |at: usize| level(at / width, at % width) as f64;
        let points = PointSet::new((0..n * width).map(value).collect(), width)?;
        assert!(Levels::of(points.view().values()).is_some());
        let count = width.min(n);
        let found = Principal::new(points.view(), count, Tolerance::default(), &Silent)?;
        let sum = |c: usize| (0..n).map(|i| level(i, c)).sum::<i64>();
        for a in 0..width {
            assert_eq!(found.mean[a], sum(a) as f64 / n as f64, "{n} x {width}: mean {a}");
            for b in 0..width {
                let products = (0..n).map(|i| level(i, a) * level(i, b)).sum::<i64>();
                let expected = (n as i64 * products - sum(a) * sum(b)) as f64 / n as f64;
                let entry: f64 = (0..count)
                    .map(|j| found.directions[(a, j)] * found.sums[j] * found.directions[(b, j)])
                    .sum();
                assert!((entry - expected).abs() < 1e-13 * found.total, "{n} x {width}: {a} {b}");
            }
        }
    }
    Ok(())
}

#[test]
fn values_times_a_power_of_two_have_the_same_levels() {
    let values: Vec<f64> = (0..1000).map(|i| f64::from(i * 37 % 250)).collect();
    let written = |factor: f64| {
        let values: Vec<f64> = values.iter().map(|v| v / factor).collect();
        let (levels, mut written) = (Levels::of(&values).expect("levels"), vec![0.0; values.len()]);
        levels.write(&values, &mut written);
        (written, levels.square() * (factor * factor))
    };
    for factor in [2.0, 2f64.powi(-300), 2f64.powi(300)] {
        assert_eq!(written(factor), written(1.0), "{factor:e}");
    }
    assert_eq!(written(255.0).0, written(1.0).0);
}

#[test]
fn levels_are_found_where_all_values_are_levels_of_a_narrow_range() {
    let accepted: [(&[f64], f64, f32); 6] = [
        (&[0.0, 255.0, 3.0], 1.0, -128.0),
        (&[-300.0, -44.0, -299.0], 1.0, -128.0),
        (&[-0.0, 7.0], 1.0 / 1024.0, -128.0),
        (&[0.0, 1.0 / 255.0, 254.0 / 255.0], 1.0 / 65_025.0, -128.0),
        (&[1e14, 1e14 + 256.0], 1.0, -128.0),
        (&[0.0, 16.0, 5.5], 1.0 / 256.0, -128.0),
    ];
    for (values, square, lowest) in accepted {
        let levels = Levels::of(values).expect("levels");
        let mut written = vec![0.0; values.len()];
        levels.write(values, &mut written);
        assert_eq!(levels.square(), square, "{values:?}");
        assert_eq!(written[0], lowest, "{values:?}");
        assert!(written.iter().all(|l| l.abs() <= 128.0 && l.fract() == 0.0), "{written:?}");
        let difference = f64::from(written[0] - written[values.len() - 1]) * square.sqrt();
        assert!((difference - (values[0] - values[values.len() - 1])).abs() < 1e-12, "{values:?}");
    }
    let refused: [&[f64]; 8] = [
        &[0.0, 257.0],
        &[0.1, 0.7],
        &[0.0, 1.0, 1.0 / 255.0 + 1e-17],
        &[0.0, 257.0 / 255.0],
        &[1e16, 1e16 + 64.0],
        &[f64::MAX, -f64::MAX],
        &[5e-324, 0.0],
        &[3.0, 3.0],
    ];
    for values in refused {
        assert_eq!(Levels::of(values), None, "{values:?}");
    }
    // One value at the end of many.
    let mut many: Vec<f64> = (0..1 << 17).map(|i| f64::from(i % 3)).collect();
    assert!(Levels::of(&many).is_some());
    many[(1 << 17) - 1] = 200.0;
    assert_eq!(Levels::of(&many).map(Levels::square), Some(1.0));
    many[(1 << 17) - 1] = 0.1;
    assert_eq!(Levels::of(&many), None);
}

/// Equal values have none, nor values so large or small that their unit or its inverse is no normal number.
#[test]
fn values_without_a_range_or_near_the_ends_of_numbers_have_no_levels() {
    for value in [0.0, 1.0, -3.0] {
        assert!(Levels::of(&[value; 40]).is_none(), "{value}");
    }
    let values = |exponent: i32| -> Vec<f64> {
        let half = 2f64.powi(exponent / 2);
        (0..80).map(|i| f64::from(i % 3) * half * 2f64.powi(exponent - exponent / 2)).collect()
    };
    for exponent in [-1000, 0, 1000] {
        assert!(Levels::of(&values(exponent)).is_some(), "2^{exponent}");
    }
    for exponent in [-1074, -1060, 1022] {
        assert!(Levels::of(&values(exponent)).is_none(), "2^{exponent}");
    }
}
