//! `kernel-pca`.

use linear::{FittedKernelPca, Kernel, KernelPca};

use super::entry::{Describe, Placement};
use super::parameter::{dim, field, memory_limit, tolerance};
use super::{Entry, Word};

impl Describe for FittedKernelPca {}

pub(super) static KERNEL_PCA: Entry<KernelPca, FittedKernelPca> = Entry {
    name: "kernel-pca",
    summary: "PCA in the feature space of a kernel.",
    preserves: "variance in feature space: similarity within the kernel's width",
    cost: "time n^2 (D + d), memory n^2",
    supervised: false,
    parameters: &[
        dim!("1 to n"),
        field!(
            "kernel",
            kernel,
            "auto, linear, cosine, rbf:GAMMA or polynomial:DEGREE:GAMMA:OFFSET",
            "the inner product; auto is rbf with GAMMA = 1 / (D times the variance)"
        ),
        tolerance!(),
        memory_limit!(),
    ],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| {
        report.fact("eigenvalues", fitted.eigenvalues());
        report.fact("kernel", fitted.kernel().show());
    },
    placement: Placement::by("the kernel's values to the training points, projected"),
};

/// The kernel's name with its parameters, separated by colons.
impl Word for Kernel {
    fn show(&self) -> String {
        match self {
            Self::Linear => "linear".to_owned(),
            Self::Cosine => "cosine".to_owned(),
            Self::Rbf { gamma } => format!("rbf:{}", gamma.show()),
            Self::Polynomial { degree, gamma, offset } => {
                format!("polynomial:{degree}:{}:{}", gamma.show(), offset.show())
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        match *text.split(':').collect::<Vec<_>>() {
            ["linear"] => Some(Self::Linear),
            ["cosine"] => Some(Self::Cosine),
            ["rbf", gamma] => Some(Self::Rbf { gamma: f64::read(gamma)? }),
            ["polynomial", degree, gamma, offset] => Some(Self::Polynomial {
                degree: u8::read(degree)?,
                gamma: f64::read(gamma)?,
                offset: f64::read(offset)?,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_read_back() {
        for kernel in [
            Kernel::Linear,
            Kernel::Cosine,
            Kernel::Rbf { gamma: 0.25 },
            Kernel::Polynomial { degree: 3, gamma: 1e-4, offset: 1.0 },
        ] {
            assert_eq!(Kernel::read(&kernel.show()), Some(kernel));
        }
        assert_eq!(Kernel::read("rbf"), None);
        assert_eq!(Kernel::read("rbf:x"), None);
    }
}
