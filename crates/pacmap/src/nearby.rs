//! Further pairs among points that are close in the map.

use layout::for_each_point;

use crate::pairs::Lists;

/// Purpose of the streams.
const NEARBY: u64 = 2;

/// LocalMAP's changes of the third phase.
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
        let place = |i: usize| &y[i * dim..][..dim];
        let lists = for_each_point(near.len(), (seed, NEARBY, round), |i, sampler, random| {
            let mut list = further.of(i).to_vec();
            near.of(i).iter().chain(&list).for_each(|&j| sampler.exclude(j));
            let close = |j: u32| {
                let squares = place(i).iter().zip(place(j as usize)).map(|(a, b)| (a - b) * (a - b));
                squares.sum::<f32>() <= bound
            };
            for pair in &mut list {
                let mut tries = (0..self.tries).map(|_| sampler.any(random));
                if let Some(j) = tries.find(|&j| !sampler.excludes(j) && close(j)) {
                    sampler.exclude(j);
                    sampler.release(*pair);
                    *pair = j;
                }
            }
            list
        });
        Lists::of_points(&lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
