//! The places that `compare invert` decodes.

use embedding::{MemoryLimit, PointSet, Points};

use super::arguments::Invert;
use super::source::{Source, require_pictures};
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::row_names;
use crate::map_grid::{Grid, Surroundings};

/// Places to decode.
pub(super) struct Places {
    pub(super) all: PointSet,
    /// The cells of a grid.
    pub(super) grid: Option<Grid>,
    /// The points of the map near each, where there are data, and whether it is far from them.
    pub(super) around: Vec<(Vec<(u32, f64)>, bool)>,
}

impl Places {
    pub(super) fn read(options: &Invert, source: &Source, context: &Context) -> Result<Self, Failure> {
        let map = source.map.view();
        let path = if source.alone { &options.input } else { &options.places };
        let (all, grid) = match (options.grid, path) {
            (Some(size), _) => {
                let grid = Grid::new(map, size, context.memory)?;
                (PointSet::from_rows(&grid.centers)?, Some(grid))
            }
            (None, Some(path)) => {
                (row_names::read_map(path, (&options.reading, None), context)?.points, None)
            }
            (None, None) => return Err(Failure::usage("say what is decoded: give --places or --grid")),
        };
        all.view().check_columns(map.dim())?;
        if let (Some(_), Some(data)) = (&options.plot, &source.data) {
            require_pictures(data, map.dim())?;
        } else if options.plot.is_some() {
            return Err(Failure::usage(
                "--plot needs the data of the map: give --input with --places or --grid",
            ));
        }
        // Places alone are decoded without looking at the points of the map.
        if source.alone {
            return Ok(Self { all, grid, around: Vec::new() });
        }
        let Surroundings { nearest, far, k } =
            Surroundings::new(map, all.view(), options.k, options.reach, context.memory)?;
        if k < options.k {
            context.progress.line(format!(
                "note: the map has {} different points: {k} of them, not {}, determine whether a place is far from it",
                k + 1,
                options.k
            ));
        }
        let around = nearest.into_iter().zip(far).collect();
        Self { all, grid, around }.with_means(map, options, context.memory)
    }

    /// The same with means of cells: where a cell has points of the map, but its center is far from
    /// them, their mean is decoded instead of the center.
    fn with_means(mut self, map: Points<'_>, options: &Invert, memory: MemoryLimit) -> Result<Self, Failure> {
        let Some(grid) = &self.grid else { return Ok(self) };
        let moved: Vec<(usize, [f64; 2])> = (grid.means.iter().zip(&self.around).enumerate())
            .filter_map(|(cell, (mean, (_, far)))| Some((cell, (*mean).filter(|_| *far)?)))
            .collect();
        if moved.is_empty() {
            return Ok(self);
        }
        let mut places = grid.centers.clone();
        moved.iter().for_each(|&(cell, mean)| places[cell] = mean);
        self.all = PointSet::from_rows(&places)?;
        let all = self.all.view();
        let mut nearest = Surroundings::new(map, all, options.k, options.reach, memory)?.nearest;
        for (cell, _) in moved {
            self.around[cell] = (std::mem::take(&mut nearest[cell]), false);
        }
        Ok(self)
    }

    /// Those to decode: given ones, and cells that are not far from the map.
    pub(super) fn kept(&self, cells: bool) -> Vec<u32> {
        let near = |&place: &u32| !cells || !self.around[place as usize].1;
        (0..self.all.len() as u32).filter(near).collect()
    }

    /// Where the pictures of some places are drawn, in a map of two columns: in the middle of their
    /// cells, which do not overlap, or at the places themselves.
    pub(super) fn drawn(&self, chosen: &[u32]) -> Vec<[f64; 2]> {
        let place = |&place: &u32| match &self.grid {
            Some(grid) => grid.centers[place as usize],
            None => {
                let place = self.all.view().row(place as usize);
                [place[0], place[1]]
            }
        };
        chosen.iter().map(place).collect()
    }

    pub(super) fn far(&self) -> Vec<usize> {
        self.around.iter().enumerate().filter(|(_, (_, far))| *far).map(|(place, _)| place).collect()
    }
}
