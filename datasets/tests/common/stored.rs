//! Files that are read by their paths alone: pictures of a folder, sparse points, graphs; a module
//! of the tests and of the fuzz targets.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use datasets::files::{Color, PictureFolder, read_graph, read_sparse};
use embedding::{Error, MemoryLimit};
use image::{DynamicImage, GrayImage, ImageFormat, RgbImage};
use testkit::Random;

use super::damaged::{CSR, LIMIT, MTX, mutate};

/// The function that reads a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reader {
    Picture,
    Sparse,
    Graph,
}

/// A small file: its reader, its name in the folder, its content.
pub(crate) type Stored = (Reader, &'static str, Vec<u8>);

/// Small files by their reader.
pub(crate) fn stored() -> Vec<Stored> {
    let encoded = |picture: DynamicImage, format| {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("memory");
        bytes.into_inner()
    };
    let gray: DynamicImage = GrayImage::from_fn(5, 4, |x, y| image::Luma([(40 * x + y) as u8])).into();
    let color: DynamicImage = RgbImage::from_fn(5, 4, |x, y| image::Rgb([x as u8, 60 * y as u8, 9])).into();
    vec![
        (Reader::Picture, "gray.png", encoded(gray.clone(), ImageFormat::Png)),
        (Reader::Picture, "color.png", encoded(color.clone(), ImageFormat::Png)),
        (Reader::Picture, "deep.png", encoded(color.to_rgba16().into(), ImageFormat::Png)),
        (Reader::Picture, "palette.png", palette()),
        (Reader::Picture, "gray.jpg", encoded(gray, ImageFormat::Jpeg)),
        (Reader::Picture, "color.jpg", encoded(color, ImageFormat::Jpeg)),
        (Reader::Sparse, "points.npz", CSR.to_vec()),
        (Reader::Sparse, "points.mtx", MTX.to_vec()),
        (Reader::Graph, "graph.npz", include_bytes!("../archive/kneighbors.npz").to_vec()),
    ]
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A part of a PNG file, with its length and its checksum.
fn chunk(name: &[u8], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(content);
    [&(content.len() as u32).to_be_bytes()[..], name, content, &crc.sum().to_be_bytes()].concat()
}

/// A picture of two by two pixels in three colors.
fn palette() -> Vec<u8> {
    let mut pixels = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    // Two rows, each with its filter before it.
    pixels.write_all(&[0, 0, 1, 0, 2, 1]).expect("memory");
    [
        SIGNATURE.to_vec(),
        chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 2, 8, 3, 0, 0, 0]),
        chunk(b"PLTE", &[255, 0, 0, 0, 255, 0, 0, 0, 255]),
        chunk(b"IDAT", &pixels.finish().expect("memory")),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

/// The name and the content of every complete part of a PNG file.
fn chunks(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut parts = Vec::new();
    let mut rest = bytes.get(SIGNATURE.len()..).unwrap_or_default();
    while let Some((length, more)) = rest.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((part, after)) = length.checked_add(8).and_then(|end| more.split_at_checked(end)) else {
            break;
        };
        parts.push((part[..4].to_vec(), part[4..4 + length].to_vec()));
        rest = after;
    }
    parts
}

/// One small change of a file; of a PNG file mostly within a part, whose length and checksum are
/// then written again, since a decoder checks both first.
pub(crate) fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut parts = if bytes.starts_with(SIGNATURE) { chunks(bytes) } else { Vec::new() };
    if parts.is_empty() || random.below(4) == 0 {
        return mutate(bytes, random);
    }
    let at = random.below(parts.len());
    let content = &mut parts[at].1;
    if content.is_empty() {
        content.push(0);
    }
    mutate(content, random);
    *bytes = SIGNATURE.to_vec();
    bytes.extend(parts.iter().flat_map(|(name, content)| chunk(name, content)));
}

/// Writes a file into `folder`, which has no other, and reads it. Checks that the data are finite and
/// complete, and that a refusal is a sentence. Returns whether the file was read.
pub(crate) fn check_stored(folder: &Path, (reader, name, bytes): &Stored, random: &mut Random) -> bool {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a folder for the file");
    let memory = MemoryLimit::new(LIMIT);
    let read: Result<(), Error> = match reader {
        Reader::Picture => {
            let size = random.of(&[None, None, Some([3, 4])]);
            let color = random.of(&[Color::Gray, Color::Rgb]);
            PictureFolder { size, color, memory }.read(folder).map(|set| {
                let shape = set.images.expect("pictures have a shape");
                assert_eq!((set.points.len(), set.points.dim()), (1, shape.len()));
                assert!(size.is_none_or(|size| size == [shape.height, shape.width]));
                assert!(set.points.view().values().iter().all(|v| (0.0..=255.0).contains(v)));
            })
        }
        Reader::Sparse => read_sparse(&path, memory).map(|points| {
            if let Some(points) = points {
                let points = points.view();
                for (columns, values) in (0..points.len()).map(|i| points.row(i)) {
                    assert!(columns.iter().all(|c| (*c as usize) < points.dim()));
                    assert!(columns.len() == values.len() && values.iter().all(|v| v.is_finite()));
                }
            }
        }),
        Reader::Graph => read_graph(&path, memory).map(|graph| {
            if let Some(graph) = graph {
                let lists = &graph.neighbors;
                for (points, distances) in (0..lists.len()).map(|i| lists.of(i)) {
                    assert!(points.iter().all(|j| (*j as usize) < lists.len()));
                    assert!(distances.is_sorted() && distances.iter().all(|d| d.is_finite() && *d >= 0.0));
                }
            }
        }),
    };
    fs::remove_file(&path).expect("the file that was written");
    if let Err(error) = &read {
        assert!(error.to_string().len() > 15, "{error}");
    }
    read.is_ok()
}
