//! PCA, kernel PCA, LDA and random projection: the linear yardsticks.
