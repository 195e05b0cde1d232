//! Branching curves: d = 1.

use embedding::implement::squared_distance;
use embedding::{Error, PointSet};

use super::SURFACE;
use crate::random::{Random, Rounds};
use crate::{Dataset, Geometry, Info, Labels};

pub(crate) const TREE: Info = Info {
    name: "tree",
    summary: "A tree of ten noisy branches in 100 dimensions; true coordinates along its branches.",
    shows: "Whether branches stay apart and in order: progressions that divide.",
    ambient: DIM,
    dimension: Some(1),
    geometry: Geometry::Parameters,
    make: |info, request| tree(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// Dimensions.
const DIM: usize = 100;

/// Branches, each of [`STEPS`] steps.
const BRANCHES: usize = 10;

/// Steps of the random walk that is a branch.
const STEPS: usize = 100;

/// Standard deviation of the noise of every value.
const NOISE: f64 = 2.0;

/// The golden ratio's fractional part: multiples of it, without their whole part, are spread
/// evenly over [0, 1), however many they are.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A branch: the places after 0, 1, … [`STEPS`] steps, and their distances from the root
/// along the tree.
struct Branch {
    places: Vec<[f64; DIM]>,
    distances: Vec<f64>,
}

impl Branch {
    /// A random walk from a place, whose steps are uniform in [−1, 1) in every dimension.
    fn grow(from: [f64; DIM], distance: f64, random: &mut Random) -> Self {
        let mut branch = Self { places: vec![from], distances: vec![distance] };
        for step in 0..STEPS {
            let before = branch.places[step];
            let place = before.map(|x| x + random.between(-1.0, 1.0));
            branch.distances.push(branch.distances[step] + squared_distance(&before, &place).sqrt());
            branch.places.push(place);
        }
        branch
    }

    /// The place after a fractional number of steps, and its distance.
    fn at(&self, steps: f64) -> ([f64; DIM], f64) {
        let step = (steps as usize).min(STEPS - 1);
        let part = steps - step as f64;
        let between = |a: f64, b: f64| a + part * (b - a);
        let (from, to) = (&self.places[step], &self.places[step + 1]);
        let place = std::array::from_fn(|c| between(from[c], to[c]));
        (place, between(self.distances[step], self.distances[step + 1]))
    }
}

/// Generates a tree in 100 dimensions by ten random walks of 100 steps, each step uniform
/// in [−1, 1) in every dimension: the first walk from the origin, the root, every other one
/// from a random node of a random branch before it. Points are spread evenly along the
/// branches, so that no gap divides one, of 10 m points m on each, with Gaussian noise of
/// standard deviation 2 in every value. Noise moves a point by about 20, where a branch
/// extends over about 58. Labeled by `branch`.
///
/// The true coordinates are the distances along the tree from the root and from the
/// beginning of the branch.
///
/// After the artificial tree of Moon et al. (2019), doi:10.1038/s41587-019-0336-3.
pub fn tree(n: usize, seed: u64) -> Result<Dataset, Error> {
    let mut random = Random::new(seed);
    let mut branches: Vec<Branch> = vec![Branch::grow([0.0; DIM], 0.0, &mut random)];
    while branches.len() < BRANCHES {
        let parent = &branches[(random.uniform() * branches.len() as f64) as usize];
        let node = (random.uniform() * STEPS as f64) as usize;
        let (from, distance) = (parent.places[node], parent.distances[node]);
        branches.push(Branch::grow(from, distance, &mut random));
    }
    let mut rounds = Rounds::new(BRANCHES);
    let mut next: Vec<f64> = branches.iter().map(|_| random.uniform()).collect();
    let (mut values, mut truth, mut of) = (Vec::with_capacity(n * DIM), Vec::new(), Vec::new());
    for _ in 0..n {
        let branch = rounds.next(&mut random);
        let (place, distance) = branches[branch].at(STEPS as f64 * next[branch]);
        next[branch] = (next[branch] + GOLDEN).fract();
        values.extend(place.map(|x| x + NOISE * random.normal()));
        truth.extend([distance, distance - branches[branch].distances[0]]);
        of.push(branch as u32);
    }
    let labels = Labels::new("branch", (1..=BRANCHES).map(|branch| branch.to_string()), of);
    let truth = PointSet::new(truth, 2)?;
    let names = ["distance from the root", "distance along the branch"];
    Ok(TREE.dataset(PointSet::new(values, DIM)?).with_truth(truth, &names).with_labels(labels))
}
