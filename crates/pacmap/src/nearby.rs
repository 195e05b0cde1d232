//! Further pairs among points that are close in the map.

use layout::for_each_point;

use crate::pairs::Lists;

/// Purpose of the streams.
const NEARBY: u64 = 2;

/// LocalMAP's changes to the third phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearby {
    /// Largest distance of a further pair that is drawn again.
    pub(crate) distance: f64,
    /// Iterations between draws.
    pub(crate) every: usize,
    /// Draws for each pair, after which it is kept.
    pub(crate) tries: usize,
}

impl Nearby {
    /// Draws the further pairs of all points again: points that are no neighbors and in no other
    /// pair of the point, at most `distance` away in the map.
    pub(crate) fn draw(
        &self,
        near: &Lists,
        further: &Lists,
        (y, dim): (&[f32], usize),
        (seed, round): (u64, u64),
    ) -> Lists {
        let bound = self.distance.powi(2) as f32;
        let lists = for_each_point(near.len(), (seed, NEARBY, round), |i, sampler, random| {
            let mut list = further.of(i).to_vec();
            near.of(i).iter().chain(&list).for_each(|&j| sampler.exclude(j));
            let here = &y[i * dim..][..dim];
            let close = |j: u32| {
                let there = &y[j as usize * dim..][..dim];
                here.iter().zip(there).map(|(a, b)| (a - b) * (a - b)).sum::<f32>() <= bound
            };
            let mut tried = Tried::default();
            for pair in &mut list {
                let mut tries = self.tries;
                while let Some(j) = tried.next_close(&mut tries, || sampler.any(random), close) {
                    if !sampler.excludes(j) {
                        sampler.exclude(j);
                        sampler.release(*pair);
                        *pair = j;
                        break;
                    }
                }
            }
            list
        });
        Lists::of_points(&lists)
    }
}

/// Random points for the pairs of one point, drawn and compared in blocks: most are far away, and
/// are passed over together.
struct Tried {
    points: [u32; u64::BITS as usize],
    /// A bit for each point of the block that is close and ahead.
    close: u64,
    /// Points of the block that are ahead.
    ahead: usize,
}

impl Default for Tried {
    fn default() -> Self {
        Self { points: [0; u64::BITS as usize], close: 0, ahead: 0 }
    }
}

impl Tried {
    /// The next close point, which uses up `tries`; `None` if no point within `tries` is close.
    fn next_close(
        &mut self,
        tries: &mut usize,
        mut draw: impl FnMut() -> u32,
        close: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        while *tries > 0 {
            if self.ahead == 0 {
                self.points.fill_with(&mut draw);
                self.ahead = self.points.len();
                self.close = self.points.iter().rev().fold(0, |bits, &j| bits << 1 | u64::from(close(j)));
            }
            let far = (self.close.trailing_zeros() as usize).min(self.ahead);
            let passed = (far + 1).min(self.ahead).min(*tries);
            let at = self.points.len() - self.ahead + far;
            *tries -= passed;
            self.ahead -= passed;
            self.close = self.close.checked_shr(passed as u32).unwrap_or(0);
            if passed > far {
                return Some(self.points[at]);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of 20, 63, 64, 65 and 200 tries, where all points, each seventh, each 64th or none are close.
    #[test]
    fn points_passed_over_together_are_those_tried_one_by_one() {
        for every in [1, 7, 64, 1000] {
            let close = |j: u32| j % every == every - 1;
            let (mut drawn, mut tried, mut next) = (0.., Tried::default(), 0);
            for most in [20, 63, 64, 65, 200] {
                let mut tries = most;
                let found = tried.next_close(&mut tries, || drawn.next().expect("numbers"), close);
                let expected = (next..next + most as u32).find(|&j| close(j));
                assert_eq!(found, expected, "{most} tries, one in {every}");
                let taken = expected.map_or(most, |j| (j - next) as usize + 1);
                assert_eq!(tries, most - taken, "{most} tries, one in {every}");
                next += taken as u32;
            }
        }
    }

    /// A pair is drawn while the others of its point are kept.
    #[test]
    fn no_further_pair_is_listed_twice() {
        let n = 12_usize;
        let y: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let lists = |list: &dyn Fn(usize) -> Vec<usize>| -> Lists {
            let points = |i| list(i).into_iter().map(|j| (j % n) as u32).collect();
            Lists::of_points(&(0..n).map(points).collect::<Vec<_>>())
        };
        let near = lists(&|i| vec![i + 1]);
        let mut further = lists(&|i| vec![i + 3, i + 4, i + 5, i + 6]);
        for round in 0..20 {
            let nearby = Nearby { distance: 6.0, every: 10, tries: 1 };
            further = nearby.draw(&near, &further, (&y, 1), (5, round));
            for i in 0..n {
                let mut list = further.of(i).to_vec();
                list.sort_unstable();
                assert!(list.is_sorted_by(|a, b| a < b), "round {round}, point {i}: {list:?}");
            }
        }
    }

    /// Points 0 to 99 on a line, each with the next one as its near pair.
    #[test]
    fn further_pairs_are_drawn_among_close_points_or_kept() {
        let n = 100_usize;
        let y: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let lists = |step: usize| -> Lists {
            Lists::of_points(&(0..n).map(|i| vec![((i + step) % n) as u32]).collect::<Vec<_>>())
        };
        let two = |i: usize| vec![((i + 50) % n) as u32, ((i + 51) % n) as u32];
        let (near, further) = (lists(1), Lists::of_points(&(0..n).map(two).collect::<Vec<_>>()));
        let draw = |distance, tries, round| {
            Nearby { distance, every: 10, tries }.draw(&near, &further, (&y, 1), (5, round))
        };
        let mut drawn = 0;
        let found = draw(8.0, 100, 0);
        for i in 0..n {
            let list = found.of(i);
            assert!(list.len() == 2 && list[0] != list[1]);
            for (&j, old) in list.iter().zip(two(i)) {
                let (close, j) = ((j as usize).abs_diff(i) <= 8, j as usize);
                assert!(j == old as usize || (close && j != i && j != (i + 1) % n), "{i}, {j}");
                drawn += usize::from(close);
            }
        }
        // A hundred tries miss at least 7 of 100 points with probability 0.0007.
        assert!(drawn > 190, "{drawn}");
        assert_ne!(found, draw(8.0, 100, 1), "each round has its own numbers");
        assert_eq!(draw(8.0, 0, 0), further, "without tries all pairs are kept");
        assert_eq!(draw(0.5, 100, 0), further, "no other point is that close");
    }
}
