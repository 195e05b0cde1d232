//! The loss of a map as a function of the place of one point.

use embedding::implement::squared_distance;
use faer::Mat;

use crate::kernel::Kernel;

/// The terms of the loss Σ p_kl (−ln w_kl) + ln Σ w_kl that depend on the place y of point i:
///
/// L(y) = 2 Σ_j p_ij e(d_j²) + ln Z, Z = rest + 2 Σ_j w(d_j²), d_j = |y − y_j|,
///
/// with e = −ln w and `rest` the sum of w over all ordered pairs of other points. All
/// probabilities sum to one.
pub(crate) struct RowLoss<'a> {
    pub(crate) kernel: Kernel,
    pub(crate) dim: usize,
    /// The map, by rows.
    pub(crate) map: &'a [f64],
    /// The point i.
    pub(crate) point: usize,
    /// The other points with a probability p_ij, and these.
    pub(crate) attraction: &'a [(u32, f64)],
    pub(crate) rest: f64,
}

/// A loss with its derivatives at one place.
pub(crate) struct Expansion {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    /// The block of the Hessian that belongs to the point.
    pub(crate) hessian: Mat<f64>,
}

/// Most steps from one start.
const STEPS: usize = 100;

/// The descent ends where a step is shorter than this fraction of the largest coordinate.
const SHORT: f64 = 1e-9;

impl RowLoss<'_> {
    /// Σ w over the pairs of the point with all others.
    pub(crate) fn own_sum(kernel: Kernel, dim: usize, map: &[f64], point: usize) -> f64 {
        let y = &map[point * dim..][..dim];
        let others = map.chunks_exact(dim).enumerate().filter(|(j, _)| *j != point);
        others.map(|(_, there)| kernel.pair(squared_distance(y, there)).0).sum()
    }

    /// Value, gradient and Hessian at y. With z_j = y − y_j, slopes u_j = 1/(1 + d_j²/α) and s = Σ w_j u_j z_j:
    ///
    /// ∇L = 4 Σ p_ij u_j z_j − 4 s / Z,
    ///
    /// H = Σ (4 p_ij u_j − 4 w_j u_j / Z) I + (8 (α + 1)/α w_j u_j² / Z − 8 p_ij u_j² / α) z_j z_jᵀ − 16 s sᵀ / Z²,
    ///
    /// where α = 1 gives the formula of Liu, Ma and Zhong (2025), doi:10.1038/s41467-025-60434-9. O(n d²).
    pub(crate) fn expand(&self, y: &[f64]) -> Expansion {
        let (dim, alpha) = (self.dim, self.kernel.alpha);
        let (mut total, mut sum, mut diagonal) = (self.rest, vec![0.0; dim], 0.0);
        let mut outer = vec![0.0; dim * dim];
        for (j, there) in self.map.chunks_exact(dim).enumerate() {
            if j == self.point {
                continue;
            }
            let square = squared_distance(y, there);
            let slope = self.kernel.slope(square);
            let (w, pull) = self.kernel.pair(square);
            total += 2.0 * w;
            diagonal += pull;
            let curvature = pull * slope;
            for c in 0..dim {
                let z = y[c] - there[c];
                sum[c] += pull * z;
                for e in 0..=c {
                    outer[c * dim + e] += curvature * z * (y[e] - there[e]);
                }
            }
        }
        let mut value = total.ln();
        let mut gradient: Vec<f64> = sum.iter().map(|s| -4.0 * s / total).collect();
        let repulsion = 8.0 * (alpha + 1.0) / alpha / total;
        let mut hessian = Mat::from_fn(dim, dim, |c, e| {
            let own = if c == e { -4.0 * diagonal / total } else { 0.0 };
            own + repulsion * outer[c.max(e) * dim + c.min(e)] - 16.0 * sum[c] * sum[e] / (total * total)
        });
        for &(j, p) in self.attraction {
            let there = &self.map[j as usize * dim..][..dim];
            let square = squared_distance(y, there);
            let slope = self.kernel.slope(square);
            value += 2.0 * p * self.kernel.energy(square);
            let curvature = 8.0 * p * slope * slope / alpha;
            for c in 0..dim {
                let z = y[c] - there[c];
                gradient[c] += 4.0 * p * slope * z;
                hessian[(c, c)] += 4.0 * p * slope;
                for e in 0..dim {
                    hessian[(c, e)] -= curvature * z * (y[e] - there[e]);
                }
            }
        }
        Expansion { value, gradient, hessian }
    }

    /// The lowest of the minima that Newton's method reaches from several starts, with its loss. Each
    /// step solves (H + μ I) s = −∇L, with μ large enough that the matrix is positive definite and the
    /// loss decreases.
    pub(crate) fn minimize<'s>(&self, starts: impl Iterator<Item = &'s [f64]>) -> Option<(f64, Vec<f64>)> {
        starts.map(|start| self.descend(start)).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn descend(&self, start: &[f64]) -> (f64, Vec<f64>) {
        let mut y = start.to_vec();
        let mut here = self.expand(&y);
        let mut damping = 0.0;
        for _ in 0..STEPS {
            let scale = (0..self.dim).map(|c| here.hessian[(c, c)].abs()).sum::<f64>().max(f64::MIN_POSITIVE);
            let next = solve(&here, damping).map(|step| {
                let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + s).collect();
                let there = self.expand(&next);
                (step, next, there)
            });
            match next {
                Some((step, next, there)) if there.value <= here.value => {
                    let reach = y.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                    let length = step.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                    (y, here) = (next, there);
                    damping = if damping < 1e-3 * scale { 0.0 } else { 0.25 * damping };
                    if length <= SHORT * reach {
                        break;
                    }
                }
                // No shorter step decreases the loss: it is a minimum up to rounding.
                _ if damping > 1e12 * scale => break,
                _ => damping = (4.0 * damping).max(1e-2 * scale),
            }
        }
        (here.value, y)
    }
}

/// The step −(H + μ I)⁻¹ ∇L; `None` unless the matrix is positive definite.
fn solve(at: &Expansion, damping: f64) -> Option<Vec<f64>> {
    let dim = at.gradient.len();
    let mut factor = vec![0.0; dim * dim];
    let mut step: Vec<f64> = at.gradient.iter().map(|g| -g).collect();
    for c in 0..dim {
        for e in 0..=c {
            let inner: f64 = (0..e).map(|l| factor[c * dim + l] * factor[e * dim + l]).sum();
            let left = at.hessian[(c, e)] + if c == e { damping } else { 0.0 } - inner;
            factor[c * dim + e] = if c > e {
                left / factor[e * dim + e]
            } else if left > 0.0 {
                left.sqrt()
            } else {
                return None;
            };
        }
        let known: f64 = (0..c).map(|l| factor[c * dim + l] * step[l]).sum();
        step[c] = (step[c] - known) / factor[c * dim + c];
    }
    for c in (0..dim).rev() {
        let known: f64 = (c + 1..dim).map(|l| factor[l * dim + c] * step[l]).sum();
        step[c] = (step[c] - known) / factor[c * dim + c];
    }
    step.iter().all(|s| s.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests {
    use testkit::cases::cloud;

    use super::*;

    /// The derivatives are the limits of differences of the loss, for both kernels.
    #[test]
    fn derivatives_agree_with_finite_differences() {
        for (dim, alpha) in [(1, 1.0), (2, 1.0), (3, 0.5), (2, 0.7)] {
            let map = cloud(40, dim, 3).view().values().to_vec();
            let attraction: Vec<(u32, f64)> = (1..20).map(|j| (j, 1e-3 * (1.0 + f64::from(j)))).collect();
            let rest = 55.0;
            let kernel = Kernel { alpha };
            let loss = RowLoss { kernel, dim, map: &map, point: 0, attraction: &attraction, rest };
            let y: Vec<f64> = (0..dim).map(|c| 0.3 - 0.4 * c as f64).collect();
            let at = loss.expand(&y);
            let moved = |c: usize, h: f64| {
                let mut y = y.clone();
                y[c] += h;
                loss.expand(&y)
            };
            let h = 1e-5;
            for c in 0..dim {
                let (up, down) = (moved(c, h), moved(c, -h));
                let slope = (up.value - down.value) / (2.0 * h);
                assert!((slope - at.gradient[c]).abs() < 1e-8, "{slope} {}", at.gradient[c]);
                for e in 0..dim {
                    let slope = (up.gradient[e] - down.gradient[e]) / (2.0 * h);
                    assert!((slope - at.hessian[(c, e)]).abs() < 1e-8, "{slope} {}", at.hessian[(c, e)]);
                }
            }
        }
    }

    /// At the end the gradient vanishes, and no start ends lower.
    #[test]
    fn the_minimum_is_the_lowest_of_all_starts() {
        let map = cloud(60, 2, 5).view().values().to_vec();
        let attraction: Vec<(u32, f64)> = (1..9).map(|j| (j, 2e-3)).collect();
        let rest = RowLoss::own_sum(Kernel { alpha: 1.0 }, 2, &map, 0) * 50.0;
        let loss = RowLoss {
            kernel: Kernel { alpha: 1.0 },
            dim: 2,
            map: &map,
            point: 0,
            attraction: &attraction,
            rest,
        };
        let starts: Vec<&[f64]> = (0..9).map(|j| &map[2 * j..2 * j + 2]).collect();
        let (least, y) = loss.minimize(starts.iter().copied()).expect("there are starts");
        let at = loss.expand(&y);
        assert!(at.gradient.iter().all(|g| g.abs() < 1e-9), "{:?}", at.gradient);
        assert!(starts.iter().all(|start| loss.descend(start).0 >= least));
    }
}
