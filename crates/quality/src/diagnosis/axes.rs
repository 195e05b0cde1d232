//! The meaning of the axes of a map.

use embedding::{Embedding, Points};

/// Least R² of an axis that follows a parameter: half of the variance.
const FOLLOWS: f64 = 0.5;

/// For every true parameter of the data the axis of the map that follows it best, with R², the squared
/// correlation of the two, or no axis where R² is below 0.5 for all (Tenenbaum, de Silva and Langford 2000,
/// doi:10.1126/science.290.5500.2319, Figure 1). `truth` has one row per row of the map and one column per
/// name. The axes are the columns of the map as given: a drawing may rotate it.
///
/// `None` where parameters have no names, or the map no extent.
pub fn axes(map: &Embedding, truth: Points<'_>, names: &[String]) -> Option<String> {
    if names.len() != truth.dim() || map.len() != truth.len() {
        return None;
    }
    let column = |j: usize| map.rows().map(move |row| row[j]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..map.dim()).map(column).collect();
    let along = |(parameter, name): (usize, &String)| {
        let values: Vec<f64> = truth.rows().map(|row| row[parameter]).collect();
        let fits = columns.iter().map(|column| r_squared(column, &values)).enumerate();
        let (axis, fit) = fits.filter(|(_, fit)| fit.is_finite()).max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(if fit < FOLLOWS {
            format!("{name} along no axis (R² {fit:.2} at most)")
        } else {
            format!("{name} along axis {} (R² {fit:.2})", axis + 1)
        })
    };
    let all: Option<Vec<String>> = names.iter().enumerate().map(along).collect();
    all.filter(|all| !all.is_empty())
        .map(|all| format!("True parameters on the method's own axes: {}.", all.join(", ")))
}

/// The squared correlation; NaN where one of the two is constant.
fn r_squared(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (x_mean, y_mean) = (mean(x), mean(y));
    let products = x.iter().zip(y).map(|(x, y)| [x - x_mean, y - y_mean]);
    let [xx, xy, yy] = products.fold([0.0; 3], |[xx, xy, yy], [x, y]| [xx + x * x, xy + x * y, yy + y * y]);
    (xy / xx.sqrt() / yy.sqrt()).powi(2)
}

#[cfg(test)]
mod tests {
    use embedding::PointSet;
    use faer::Mat;

    use super::*;

    #[test]
    fn a_parameter_is_found_on_its_axis_up_to_sign_and_scale() {
        let truth: Vec<f64> = (0..40).flat_map(|i| [(i % 8) as f64, (i / 8) as f64]).collect();
        let truth = PointSet::new(truth, 2).expect("finite");
        let names = ["turn".to_owned(), "nod".to_owned()];
        let swapped = |scale: f64| {
            Embedding::new(Mat::from_fn(
                40,
                2,
                |i, j| if j == 0 { 3.0 } else { -scale } * truth.view().row(i)[1 - j],
            ))
        };
        let said =
            Some("True parameters on the method's own axes: turn along axis 2 (R² 1.00), nod along axis 1 (R² 1.00).".to_owned());
        for scale in [1.0, 1e6, 1e-6] {
            assert_eq!(axes(&swapped(scale), truth.view(), &names), said, "{scale}");
        }
        // Of 0 … 7 and their squares r² is 0.92453 (numpy 2.4.6, corrcoef).
        let squares = Embedding::new(Mat::from_fn(40, 1, |i, _| truth.view().row(i)[0].powi(2)));
        let said = axes(&squares, truth.view(), &names).expect("a sentence");
        assert!(
            said.contains("turn along axis 1 (R² 0.92)")
                && said.contains("nod along no axis (R² 0.00 at most)"),
            "{said}"
        );
    }

    #[test]
    fn without_names_or_extent_nothing_is_said() {
        let truth = PointSet::new(vec![0.0, 1.0, 2.0], 1).expect("finite");
        let map = |value: fn(usize) -> f64| Embedding::new(Mat::from_fn(3, 1, |i, _| value(i)));
        assert_eq!(axes(&map(|i| i as f64), truth.view(), &[]), None);
        // One name too many; and a row too many.
        let two = ["x".to_owned(), "y".to_owned()];
        assert_eq!(axes(&map(|i| i as f64), truth.view(), &two), None);
        let long = Embedding::new(Mat::from_fn(4, 1, |i, _| i as f64));
        assert_eq!(axes(&long, truth.view(), &["x".to_owned()]), None);
        assert_eq!(axes(&map(|_| 4.0), truth.view(), &["x".to_owned()]), None);
    }
}
