//! The weighted graph and the curve against umap-learn, and their theorems.

use embedding::{Error, Neighbors, PointSet, Silent};
use neighbor_graph::NeighborSearch;
use umap::{Curve, FuzzyGraph};

/// min_dist, spread, and `find_ab_params(spread, min_dist)` of umap-learn 0.5.12, accurate to
/// about 1e-6.
const CURVES: [(f64, f64, f64, f64); 9] = [
    (0.0, 1.0, 1.93280839734315, 0.7904949732233831),
    (0.01, 1.0, 1.8956058664339035, 0.8006378442860499),
    (0.1, 1.0, 1.5769434602697652, 0.8950608778515733),
    (0.25, 1.0, 1.1214363422305684, 1.057499876683671),
    (0.5, 1.0, 0.5830300203414425, 1.3341669924314914),
    (0.99, 1.0, 0.11930529992407873, 1.9163904168802517),
    (1.0, 1.0, 0.11497568327441922, 1.929237144081752),
    (0.1, 2.0, 0.5446605399418663, 0.8420554268341789),
    (0.1, 0.5, 5.069309329123478, 1.0030054228261729),
];

#[test]
fn the_curve_is_that_of_umap_learn() -> Result<(), Error> {
    for (min_dist, spread, a, b) in CURVES {
        let curve = Curve::fit(min_dist, spread)?;
        let gap = (curve.a / a - 1.0).abs().max((curve.b / b - 1.0).abs());
        assert!(gap < 1e-5, "min_dist {min_dist}, spread {spread}: {curve:?}");
    }
    Ok(())
}

#[test]
fn the_curve_has_the_unit_of_its_parameters() -> Result<(), Error> {
    let (unit, wide) = (Curve::fit(0.3, 1.0)?, Curve::fit(3e5, 1e6)?);
    for x in [0.1, 0.5, 2.0] {
        let (one, other) = (unit.similarity(x * x), wide.similarity(x * x * 1e12));
        assert!((one - other).abs() < 1e-9, "{one}, {other}");
    }
    for (min_dist, spread) in [(-0.1, 1.0), (1.1, 1.0), (0.1, 0.0), (0.1, f64::NAN), (f64::NAN, 1.0)] {
        assert!(matches!(Curve::fit(min_dist, spread), Err(Error::Parameter { .. })), "{min_dist}, {spread}");
    }
    Ok(())
}

/// Point i is at (sin 1.3 i (1 + i/20), 2 cos 0.7 i, i/10).
fn points() -> Result<PointSet, Error> {
    let rows = (0..40).flat_map(|i| {
        let t = f64::from(i);
        [(1.3 * t).sin() * (1.0 + 0.05 * t), (0.7 * t).cos() * 2.0, 0.1 * t]
    });
    PointSet::new(rows.collect(), 3)
}

fn neighbors(k: usize) -> Result<Neighbors, Error> {
    NeighborSearch::nearest(k).find(points()?.view())
}

/// Values of umap-learn 0.5.12 for the lists of 9 neighbors, the point itself included, of
/// [`points`]: `smooth_knn_dist(d, 9.0, local_connectivity=c)`, and `fuzzy_simplicial_set`
/// with these lists and `set_op_mix_ratio=mix`.
struct Reference {
    connectivity: f64,
    mix: f64,
    /// Point, σ and ρ.
    scales: [(usize, f64, f64); 5],
    /// Twice the sum of the weights, and edges of points 0 and 20.
    total: f64,
    rows: [(usize, &'static [(u32, f64)]); 2],
}

const REFERENCES: [Reference; 2] = [
    Reference {
        connectivity: 1.0,
        mix: 1.0,
        scales: [
            (0, 0.3950233459472656, 1.1201815605163574),
            (1, 0.46764373779296875, 0.9777576327323914),
            (7, 0.7723846435546875, 0.5192919373512268),
            (20, 0.6551971435546875, 0.4461958706378937),
            (39, 0.7011604309082031, 1.128221869468689),
        ],
        total: 182.6854248046875,
        rows: [
            (
                0,
                &[
                    (1, 0.9999999403953552),
                    (2, 0.3847111761569977),
                    (7, 0.16885900497436523),
                    (8, 0.5971108675003052),
                    (9, 0.6407458186149597),
                    (10, 0.7890698313713074),
                    (17, 0.34757000207901),
                    (18, 7.718392589595169e-05),
                    (19, 0.07728677988052368),
                ],
            ),
            (
                20,
                &[
                    (7, 0.1470499038696289),
                    (11, 0.7794118523597717),
                    (15, 0.34480154514312744),
                    (16, 1.0),
                    (21, 0.5246871113777161),
                    (25, 1.0),
                    (26, 0.5410243272781372),
                    (29, 0.32557782530784607),
                    (30, 0.22721843421459198),
                    (31, 0.10456868261098862),
                    (34, 0.436978280544281),
                    (35, 0.2653387486934662),
                    (36, 0.16888464987277985),
                    (39, 0.16889891028404236),
                ],
            ),
        ],
    },
    Reference {
        connectivity: 1.5,
        mix: 0.5,
        scales: [
            (0, 0.3096504211425781, 1.2003000974655151),
            (1, 0.38327789306640625, 1.0489696264266968),
            (7, 0.48241424560546875, 0.8452150225639343),
            (20, 0.5236015319824219, 0.5739098787307739),
            (39, 0.5349693298339844, 1.3013551235198975),
        ],
        total: 126.79696655273438,
        rows: [
            (
                0,
                &[
                    (1, 0.9152210354804993),
                    (2, 0.17666271328926086),
                    (7, 0.06697086244821548),
                    (8, 0.36240822076797485),
                    (9, 0.40384209156036377),
                    (10, 0.5658233165740967),
                    (17, 0.15394286811351776),
                    (18, 3.5343322224434814e-07),
                    (19, 0.024710778146982193),
                ],
            ),
            (
                20,
                &[
                    (7, 0.057959720492362976),
                    (11, 0.6042553782463074),
                    (15, 0.16140621900558472),
                    (16, 1.0),
                    (21, 0.3001105487346649),
                    (25, 0.8917772769927979),
                    (26, 0.3000173568725586),
                    (29, 0.16168160736560822),
                    (30, 0.09551943093538284),
                    (31, 0.03376306965947151),
                    (34, 0.2346191108226776),
                    (35, 0.12041500210762024),
                    (36, 0.06914889067411423),
                    (39, 0.06717482954263687),
                ],
            ),
        ],
    },
];

#[test]
fn scales_and_weights_are_those_of_umap_learn() -> Result<(), Error> {
    let neighbors = neighbors(8)?;
    for Reference { connectivity, mix, scales, total, rows } in REFERENCES {
        let fuzzy = FuzzyGraph::of_neighbors(&neighbors, connectivity, mix, &Silent)?;
        let (widths, offsets): (Vec<f64>, Vec<f64>) = (fuzzy.widths().collect(), fuzzy.offsets().collect());
        for (i, sigma, rho) in scales {
            let gap = (widths[i] - sigma).abs().max((offsets[i] - rho).abs());
            assert!(gap < 1e-6, "point {i}: {}, {}", widths[i], offsets[i]);
        }
        let graph = fuzzy.graph();
        let sum: f64 = (0..40).flat_map(|i| graph.weights_of(i)).sum();
        assert!((sum / total - 1.0).abs() < 1e-6, "{sum}");
        assert_eq!(2 * graph.edge_count(), 390);
        for (i, row) in rows {
            let (js, ws) = graph.of(i);
            assert!(js.iter().eq(row.iter().map(|entry| &entry.0)), "{js:?}");
            for (w, (j, expected)) in ws.iter().zip(row) {
                assert!((w - expected).abs() < 1e-6, "{i} – {j}: {w}, expected {expected}");
            }
        }
    }
    Ok(())
}

#[test]
fn the_mix_lies_between_union_and_intersection() -> Result<(), Error> {
    let neighbors = neighbors(8)?;
    let graph = |mix| FuzzyGraph::of_neighbors(&neighbors, 1.0, mix, &Silent);
    let (union, between, both) = (graph(1.0)?, graph(0.25)?, graph(0.0)?);
    for i in 0..40 {
        let rows = [&union, &between, &both].map(|fuzzy| fuzzy.graph().of(i));
        for (e, &j) in rows[0].0.iter().enumerate() {
            let [u, m, b] = rows.map(|row| row.1[e]);
            assert!(b <= m && m <= u && (m - 0.25 * u - 0.75 * b).abs() < 1e-15);
            let mutual = neighbors.indices_of(j as usize).contains(&(i as u32))
                && neighbors.indices_of(i).contains(&j);
            assert!(mutual || b == 0.0, "{i} – {j} is no edge of the intersection");
        }
    }
    for mix in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(graph(mix), Err(Error::Parameter { .. })), "{mix}");
    }
    let refused = FuzzyGraph::of_neighbors(&neighbors, -1.0, 1.0, &Silent);
    assert!(matches!(refused, Err(Error::Parameter { .. })));
    Ok(())
}

/// The sums of distances are above the largest number.
#[test]
fn distances_near_the_largest_number_have_the_memberships_of_ordinary_ones() -> Result<(), Error> {
    let near = neighbors(14)?;
    let longest = (0..near.len()).flat_map(|i| near.distances_of(i)).fold(0.0, |m: f64, d| m.max(*d));
    let far = 2f64.powi(1022 - longest.log2().floor() as i32);
    let entries = |i: usize| {
        near.indices_of(i).iter().copied().zip(near.distances_of(i).iter().map(|d| d * far)).collect()
    };
    let lists = Neighbors::from_lists((0..near.len()).map(entries).collect(), near.neighborhood())?;
    for connectivity in [0.0, 1.0] {
        let [ordinary, large] =
            [&near, &lists].map(|neighbors| FuzzyGraph::of_neighbors(neighbors, connectivity, 1.0, &Silent));
        let (ordinary, large) = (ordinary?, large?);
        assert!(ordinary.widths().map(|width| width * far).eq(large.widths()), "{connectivity}");
        assert_eq!(ordinary.graph(), large.graph());
    }
    Ok(())
}
