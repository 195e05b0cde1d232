//! A folder of photographs.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use embedding::{Error, MemoryLimit, PointSet, Remedy};
use image::imageops::{FilterType, resize};
use image::{ImageBuffer, ImageError, ImageReader, Pixel};
use rayon::prelude::*;

use super::errors::{allow, reason};
use crate::{Dataset, ImageShape, Labels, RowNames};

/// How the pictures of a folder become rows of equal length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureFolder {
    /// Height and width to which every picture is resized (the aspect is not
    /// kept); default none: all pictures must have the same size.
    pub size: Option<[usize; 2]>,
    /// The channels of a pixel; default gray.
    pub color: Color,
    /// How much memory the points may take.
    pub memory: MemoryLimit,
}

/// The channels of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Color {
    /// One: luminance.
    #[default]
    Gray,
    /// Three: red, green and blue.
    Rgb,
}

impl Default for PictureFolder {
    fn default() -> Self {
        Self { size: None, color: Color::Gray, memory: MemoryLimit::default() }
    }
}

/// One file and its class.
struct Found {
    path: PathBuf,
    class: u32,
}

impl PictureFolder {
    /// Reads all PNG and JPEG pictures of a folder, in alphabetical order,
    /// values from 0 to 255.
    ///
    /// Sub-folders are classes, in alphabetical order; a folder without
    /// sub-folders has no labels. Other files, hidden files and empty
    /// sub-folders are passed over; transparency is ignored.
    ///
    /// Fails when there is no picture, when there are pictures in other formats (they would be no rows), and
    /// when pictures lie both in the folder and in sub-folders. Fails when sizes differ and none is
    /// requested, and on any picture that cannot be read, naming it. Sizes are read from all headers before
    /// memory is taken.
    pub fn read(&self, folder: &Path) -> Result<Dataset, Error> {
        Ok(self.read_named(folder)?.0)
    }

    /// Reads the pictures together with their names within the folder.
    pub(super) fn read_named(&self, folder: &Path) -> Result<(Dataset, RowNames), Error> {
        let (found, classes) = search(folder)?;
        let [height, width] = self.common_size(folder, &found)?;
        let channels = match self.color {
            Color::Gray => 1,
            Color::Rgb => 3,
        };
        let images = ImageShape { height, width, channels, white: 255.0 };
        let needed = (found.len() as u64).saturating_mul(images.len() as u64).saturating_mul(8);
        allow(self.memory, folder, "holding the pictures", needed, "request a smaller size")?;
        let mut values = vec![0.0; found.len() * images.len()];
        let read: Vec<Result<(), Error>> = values
            .par_chunks_exact_mut(images.len())
            .zip(&found)
            .map(|(row, found)| self.read_one(&found.path, images, row))
            .collect();
        // The first error in the order of files, whichever thread met one first.
        read.into_iter().collect::<Result<(), Error>>()?;
        let labels = (!classes.is_empty())
            .then(|| Labels::new("folder", classes, found.iter().map(|found| found.class).collect()));
        let points = PointSet::new(values, images.len())?;
        let values = found.iter().map(|found| within(folder, &found.path)).collect();
        let set = Dataset {
            labels: labels.into_iter().collect(),
            images: Some(images),
            notes: format!("Pictures of {}.", folder.display()),
            ..Dataset::new(folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy(), points)
        };
        Ok((set, RowNames { name: NAME.to_owned(), values }))
    }

    /// The requested size, or the one that all pictures have.
    fn common_size(&self, folder: &Path, found: &[Found]) -> Result<[usize; 2], Error> {
        let legal = 1..=u32::MAX as usize;
        if let Some([height, width]) = self.size.filter(|size| size.iter().any(|side| !legal.contains(side)))
        {
            let got = format!("{height} × {width}");
            return Err(Error::parameter("size", format!("1 to {} pixels high and wide", u32::MAX), got));
        }
        let mut common = None;
        for Found { path, .. } in found {
            check_palette(path)?;
            let (width, height) = open(path)?.into_dimensions().map_err(|error| unreadable(path, &error))?;
            let size = [height as usize, width as usize];
            let needed = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
            allow(self.memory, path, "decoding a picture", needed, "make the picture smaller")?;
            let first = *common.get_or_insert(size);
            if self.size.is_none() && size != first {
                return Err(Error::file(
                    path.display(),
                    format!(
                        "all pictures must have the same size: this is {} × {} (height × width), the first of {} is {} × {}; request a size to which all are resized",
                        size[0],
                        size[1],
                        folder.display(),
                        first[0],
                        first[1]
                    ),
                )
                .with_remedy(Remedy::PictureSize));
            }
        }
        Ok(self.size.unwrap_or_else(|| common.expect("a folder without pictures was refused")))
    }

    fn read_one(&self, path: &Path, shape: ImageShape, row: &mut [f64]) -> Result<(), Error> {
        let picture = open(path)?.decode().map_err(|error| unreadable(path, &error))?;
        let size = [shape.width as u32, shape.height as u32];
        let bytes = match self.color {
            Color::Gray => resized(&picture.into_luma8(), size).into_raw(),
            Color::Rgb => resized(&picture.into_rgb8(), size).into_raw(),
        };
        row.iter_mut().zip(bytes).for_each(|(value, byte)| *value = f64::from(byte));
        Ok(())
    }
}

/// Linear interpolation, averaging where the picture gets smaller.
fn resized<P: Pixel<Subpixel = u8> + 'static>(
    picture: &ImageBuffer<P, Vec<u8>>,
    [width, height]: [u32; 2],
) -> ImageBuffer<P, Vec<u8>> {
    if picture.dimensions() == (width, height) {
        return picture.clone();
    }
    resize(picture, width, height, FilterType::Triangle)
}

/// The column name of the names of pictures.
pub(super) const NAME: &str = "file";

/// The name of a picture within its folder.
fn within(folder: &Path, picture: &Path) -> String {
    let parts = picture.strip_prefix(folder).unwrap_or(picture).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// All pictures in order, and the names of the classes.
fn search(folder: &Path) -> Result<(Vec<Found>, Vec<String>), Error> {
    let Listed { pictures: beside, folders, mut unread } = list(folder)?;
    let (mut found, mut classes) = (Vec::new(), Vec::new());
    for inner in folders {
        let Listed { pictures, unread: others, .. } = list(&inner)?;
        unread.extend(others);
        if pictures.is_empty() {
            continue;
        }
        let class = classes.len() as u32;
        classes.push(inner.file_name().unwrap_or_default().to_string_lossy().into_owned());
        found.extend(pictures.into_iter().map(|path| Found { path, class }));
    }
    if let [first, ..] = &unread[..] {
        let format = first.extension().unwrap_or_default().to_string_lossy().to_uppercase();
        return Err(Error::file(
            folder.display(),
            format!(
                "pictures must be PNG or JPEG (.png, .jpg, .jpeg), but {} in the folder {}, such as {} ({format}), which \
                 would be left out; convert them, or move them to another folder",
                unread.len(),
                if unread.len() == 1 { "is not" } else { "are not" },
                within(folder, first)
            ),
        ));
    }
    match (beside.is_empty(), found.is_empty()) {
        (false, false) => Err(Error::file(
            folder.display(),
            format!(
                "pictures must lie either in the folder or in its sub-folders (one for each class), but {} lies next to `{}`",
                beside[0].file_name().unwrap_or_default().display(),
                classes[0]
            ),
        )),
        (false, true) => Ok((beside.into_iter().map(|path| Found { path, class: 0 }).collect(), Vec::new())),
        (true, false) => Ok((found, classes)),
        (true, true) => {
            Err(Error::file(folder.display(), "there is no picture (.png, .jpg, .jpeg) in the folder"))
        }
    }
}

/// The content of a folder, sorted, without hidden files and folders.
#[derive(Default)]
struct Listed {
    pictures: Vec<PathBuf>,
    /// Pictures in formats that are not read.
    unread: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

/// Extensions of pictures in formats that are not read.
const UNREAD: [&str; 16] = [
    "avif", "bmp", "gif", "heic", "heif", "ico", "jp2", "jxl", "pbm", "pgm", "pnm", "ppm", "tga", "tif",
    "tiff", "webp",
];

fn list(folder: &Path) -> Result<Listed, Error> {
    let fail = |error: io::Error| Error::file(folder.display(), reason(&error));
    let mut listed = Listed::default();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if hidden {
            continue;
        }
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        if path.is_dir() {
            listed.folders.push(path);
        } else if ["png", "jpg", "jpeg"].contains(&extension.as_str()) {
            listed.pictures.push(path);
        } else if UNREAD.contains(&extension.as_str()) {
            listed.unread.push(path);
        }
    }
    let Listed { pictures, unread, folders } = &mut listed;
    [pictures, unread, folders].into_iter().for_each(|paths| paths.sort_unstable());
    Ok(listed)
}

/// Opens a picture in the format of its content, whatever its extension.
fn open(path: &Path) -> Result<ImageReader<BufReader<File>>, Error> {
    let fail = |error: io::Error| Error::file(path.display(), reason(&error));
    let mut reader = ImageReader::open(path).map_err(fail)?.with_guessed_format().map_err(fail)?;
    // Bounded by the caller's memory limit instead.
    reader.no_limits();
    Ok(reader)
}

/// Refuses a PNG picture whose palette is no list of whole colors; the decoder would panic.
fn check_palette(path: &Path) -> Result<(), Error> {
    let fail = |error: io::Error| Error::file(path.display(), reason(&error));
    let mut file = BufReader::new(File::open(path).map_err(fail)?);
    let mut signature = [0; 8];
    if file.read_exact(&mut signature).is_err() || signature != *b"\x89PNG\r\n\x1a\n" {
        return Ok(());
    }
    // Each part: length, name, content, checksum. The palette comes before the pixels.
    let mut head = [0; 8];
    while file.read_exact(&mut head).is_ok() {
        let [a, b, c, d, name @ ..] = head;
        let length = u32::from_be_bytes([a, b, c, d]);
        match &name {
            b"PLTE" if !length.is_multiple_of(3) => {
                let problem =
                    format!("the picture cannot be read: its palette has {length} bytes, no multiple of 3");
                return Err(Error::file(path.display(), problem));
            }
            b"IDAT" => break,
            _ => file.seek_relative(i64::from(length) + 4).map_err(fail)?,
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &ImageError) -> Error {
    Error::file(path.display(), format!("the picture cannot be read: {error}"))
}
