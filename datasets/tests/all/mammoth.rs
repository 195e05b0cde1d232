//! The mammoth is the outer surface of the solids that its documentation lists, uniform by area.
//! The solids are written again here; areas are sums over triangles, and points inside a tube are found by
//! bisection.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use datasets::generate;
use embedding::Error;

type Place = [f64; 3];

/// A center line at t from 0 to 1.
type Line = Box<dyn Fn(f64) -> Place>;

enum Shape {
    Ellipsoid(Place, Place),
    Tube(Line, [f64; 2]),
}

struct Solid {
    part: &'static str,
    shape: Shape,
    /// A sphere around the solid, by center and radius.
    sphere: (Place, f64),
}

fn difference(a: Place, b: Place) -> Place {
    std::array::from_fn(|c| a[c] - b[c])
}

fn dot(a: Place, b: Place) -> f64 {
    (0..3).map(|c| a[c] * b[c]).sum()
}

fn cross(a: Place, b: Place) -> Place {
    std::array::from_fn(|c| a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3])
}

fn norm(a: Place) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: Place) -> Place {
    a.map(|x| x / norm(a))
}

fn ellipsoid(part: &'static str, center: Place, axes: Place) -> Solid {
    Solid {
        part,
        shape: Shape::Ellipsoid(center, axes),
        sphere: (center, axes.into_iter().fold(0.0, f64::max)),
    }
}

fn tube(part: &'static str, line: Line, radii: [f64; 2]) -> Solid {
    let middle = line(0.5);
    let far = (0..=100).map(|i| norm(difference(line(f64::from(i) / 100.0), middle))).fold(0.0, f64::max);
    Solid { part, shape: Shape::Tube(line, radii), sphere: (middle, far + radii[0].max(radii[1])) }
}

fn straight(from: Place, to: Place) -> Line {
    Box::new(move |t| std::array::from_fn(|c| from[c] + t * (to[c] - from[c])))
}

fn arc(from: Place, direction: Place, toward: Place, radius: f64, degrees: f64) -> Line {
    let center: Place = std::array::from_fn(|c| from[c] + radius * toward[c]);
    Box::new(move |t| {
        let angle = t * degrees.to_radians();
        std::array::from_fn(|c| center[c] + radius * (angle.sin() * direction[c] - angle.cos() * toward[c]))
    })
}

fn solids() -> Vec<Solid> {
    let (down, forward) = ([0.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
    let mut all = vec![
        ellipsoid("body", [0.0, 0.0, 2.1], [1.5, 0.9, 0.95]),
        ellipsoid("body", [0.7, 0.0, 2.6], [0.75, 0.6, 0.75]),
        ellipsoid("head", [1.85, 0.0, 2.9], [0.6, 0.55, 0.75]),
        tube("trunk", arc([2.25, 0.0, 2.7], down, forward, 1.2, 100.0), [0.26, 0.12]),
        tube("tail", arc([-1.35, 0.0, 2.3], [-1.0, 0.0, 0.0], down, 0.9, 90.0), [0.13, 0.07]),
        ellipsoid("tail", [-2.25, 0.0, 1.3], [0.13, 0.13, 0.26]),
    ];
    let names = [
        ["left tusk", "left front leg", "left hind leg"],
        ["right tusk", "right front leg", "right hind leg"],
    ];
    for ([tusk, front, hind], side) in names.into_iter().zip([1.0, -1.0]) {
        let in_plane = |along: f64, up: f64| -> Place {
            let (sine, cosine) = (PI / 6.0).sin_cos();
            [along * cosine, side * along * sine, up]
        };
        let (sine, cosine) = 25_f64.to_radians().sin_cos();
        let curve = arc([2.0, side * 0.35, 2.5], in_plane(sine, -cosine), in_plane(cosine, sine), 1.0, 150.0);
        all.push(tube(tusk, curve, [0.14, 0.05]));
        for (leg, hip, foot) in [(front, 0.75, 0.85), (hind, -0.85, -0.95)] {
            let line = straight([hip, side * 0.36, 1.9], [foot, side * 0.5, 0.1]);
            all.push(tube(leg, line, [0.3, 0.24]));
            let line = straight([foot, side * 0.5, 0.25], [foot, side * 0.5, 0.0]);
            all.push(tube(leg, line, [0.27, 0.33]));
        }
    }
    all
}

impl Solid {
    /// How far a point is above the surface, below 0 inside; near the surface approximately its
    /// distance.
    fn height(&self, point: Place) -> f64 {
        let (center, reach) = self.sphere;
        let away = norm(difference(point, center)) - reach;
        if away > 1e-3 {
            return away;
        }
        match &self.shape {
            Shape::Ellipsoid(center, axes) => {
                let scaled: Place = std::array::from_fn(|c| (point[c] - center[c]) / axes[c]);
                (norm(scaled) - 1.0) * axes.iter().copied().fold(f64::MAX, f64::min)
            }
            Shape::Tube(line, [first, last]) => {
                let tangent = |t: f64| unit(difference(line(t + 1e-5), line(t - 1e-5)));
                let ahead = |t: f64| dot(difference(point, line(t)), tangent(t));
                let radius = |t: f64| first + t * (last - first);
                let aside = |t: f64| norm(difference(point, line(t))) - radius(t);
                let [before, behind] = [-ahead(0.0), ahead(1.0)];
                if before > 0.0 || behind > 0.0 {
                    // Beyond an end: above its disc, or elsewhere.
                    let of = |beyond: f64, t: f64| if beyond > 0.0 { beyond.max(aside(t)) } else { f64::MAX };
                    return of(before, 0.0).min(of(behind, 1.0));
                }
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..50 {
                    let middle = 0.5 * (low + high);
                    if ahead(middle) > 0.0 { low = middle } else { high = middle }
                }
                aside(low).max(before).max(behind)
            }
        }
    }

    /// Triangles that cover the surface.
    fn triangles(&self) -> Vec<[Place; 3]> {
        match &self.shape {
            Shape::Ellipsoid(center, axes) => {
                let at = |u: f64, v: f64| {
                    let (polar, around) = (PI * u, TAU * v);
                    let on = [polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos()];
                    std::array::from_fn(|c| center[c] + axes[c] * on[c])
                };
                grid(&at, 240, 240)
            }
            Shape::Tube(line, [first, last]) => {
                let frame = |t: f64| {
                    let tangent = unit(difference(line(t + 1e-5), line(t - 1e-5)));
                    // No center line is parallel to this vector.
                    let across = unit(cross(tangent, [0.3, 1.0, 0.2]));
                    [across, cross(tangent, across)]
                };
                let ring = |t: f64, r: f64, v: f64| -> Place {
                    let [across, up] = frame(t);
                    let (sine, cosine) = (TAU * v).sin_cos();
                    std::array::from_fn(|c| line(t)[c] + r * (cosine * across[c] + sine * up[c]))
                };
                let mut all = grid(&|u, v| ring(u, first + u * (last - first), v), 240, 120);
                all.extend(grid(&|u, v| ring(0.0, u * first, v), 60, 120));
                all.extend(grid(&|u, v| ring(1.0, u * last, v), 60, 120));
                all
            }
        }
    }
}

fn grid(at: &dyn Fn(f64, f64) -> Place, rows: u32, columns: u32) -> Vec<[Place; 3]> {
    let corner = |i: u32, j: u32| at(f64::from(i) / f64::from(rows), f64::from(j) / f64::from(columns));
    (0..rows)
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
            [[a, b, c], [b, d, c]]
        })
        .collect()
}

#[test]
fn points_lie_on_their_part_and_inside_no_other() -> Result<(), Error> {
    let set = generate("mammoth", 4000, 1)?;
    let (solids, labels) = (solids(), &set.labels[0]);
    for (row, &value) in set.points.view().rows().zip(&labels.values) {
        let (point, part) = ([row[0], row[1], row[2]], &labels.classes[value as usize]);
        let heights = || solids.iter().map(|solid| (solid.part, solid.height(point)));
        let own = heights().filter(|(name, _)| name == part).map(|(_, height)| height.abs());
        assert!(own.fold(f64::MAX, f64::min) < 1e-7, "{part} {point:?}");
        assert!(heights().all(|(_, height)| height > -1e-7), "{part} {point:?} is inside");
        assert!(point[2] >= 0.0, "{part} {point:?} is below the ground");
    }
    Ok(())
}

/// Cells of the surface hold numbers of points in proportion to their area: with m cells, χ² has
/// mean m − 1 and variance 2 (m − 1).
#[test]
fn the_surface_is_uniform_by_area() -> Result<(), Error> {
    const SIDE: f64 = 0.5;
    let cell = |part: &str, point: Place| (part.to_owned(), point.map(|x| (x / SIDE).floor() as i64));
    let solids = solids();
    let mut areas: BTreeMap<_, f64> = BTreeMap::new();
    for (s, solid) in solids.iter().enumerate() {
        for [a, b, c] in solid.triangles() {
            let center: Place = std::array::from_fn(|i| (a[i] + b[i] + c[i]) / 3.0);
            let covered = solids.iter().enumerate().any(|(o, other)| o != s && other.height(center) < 0.0);
            if !covered {
                *areas.entry(cell(solid.part, center)).or_default() +=
                    0.5 * norm(cross(difference(b, a), difference(c, a)));
            }
        }
    }
    let total: f64 = areas.values().sum();
    let of_part = |part: &str| -> f64 {
        areas.iter().filter(|((name, _), _)| name == part).map(|(_, area)| area / total).sum()
    };
    let n = 200_000;
    let set = generate("mammoth", n, 2)?;
    let labels = &set.labels[0];
    for (class, count) in labels.classes.iter().zip(labels.counts()) {
        let expected = n as f64 * of_part(class);
        // Five standard deviations.
        assert!((count as f64 - expected).abs() < 5.0 * expected.sqrt(), "{class}: {count}, not {expected}");
    }
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for (row, &value) in set.points.view().rows().zip(&labels.values) {
        let cell = cell(&labels.classes[value as usize], [row[0], row[1], row[2]]);
        *counts.entry(cell).or_default() += 1;
    }
    // Cells of few points are one cell together.
    let (mut squares, mut cells, mut few) = (0.0, 0.0, [0.0; 2]);
    let mut add = |count: f64, expected: f64| {
        squares += (count - expected).powi(2) / expected;
        cells += 1.0;
    };
    for (cell, area) in &areas {
        let (count, expected) = (counts.remove(cell).unwrap_or(0) as f64, n as f64 * area / total);
        if expected < 10.0 {
            few = [few[0] + count, few[1] + expected];
        } else {
            add(count, expected);
        }
    }
    // Where triangles cut a corner of a cell, a point or two have no area.
    few[0] += counts.values().sum::<usize>() as f64;
    add(few[0], few[1]);
    let freedom: f64 = cells - 1.0;
    assert!(freedom > 100.0, "{freedom}");
    assert!((squares - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "χ² = {squares} of {freedom}");
    Ok(())
}

#[test]
fn ten_neighbors_connect_two_thousand_points() -> Result<(), Error> {
    for (n, seed) in [(2000, 0), (2000, 1), (2000, 2), (2000, 3), (4000, 0)] {
        let set = generate("mammoth", n, seed)?;
        let rows: Vec<Place> = set.points.view().rows().map(|row| [row[0], row[1], row[2]]).collect();
        let mut of: Vec<usize> = (0..n).collect();
        fn root(of: &[usize], mut i: usize) -> usize {
            while of[i] != i {
                i = of[i];
            }
            i
        }
        for i in 0..n {
            let mut near: Vec<(f64, usize)> =
                (0..n).filter(|&j| j != i).map(|j| (norm(difference(rows[i], rows[j])), j)).collect();
            near.select_nth_unstable_by(9, |a, b| a.0.total_cmp(&b.0));
            for &(_, j) in &near[..10] {
                let (a, b) = (root(&of, i), root(&of, j));
                of[a.max(b)] = a.min(b);
            }
        }
        assert!((0..n).all(|i| root(&of, i) == 0), "{n} points of seed {seed}");
        let least = set.labels[0].counts().into_iter().min();
        assert!(least > Some(n / 50), "{n} points of seed {seed}: {:?}", set.labels[0].counts());
    }
    Ok(())
}
