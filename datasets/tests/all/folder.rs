//! The user's own data: a folder of pictures, a file with labels.

use std::error::Error as StdError;
use std::fs;
use std::path::Path;

use datasets::files::{Color, PictureFolder, Reading, read_dataset, write_points};
use embedding::{Error, MemoryLimit, Points};
use image::{GrayImage, Luma, Rgb, RgbImage};

type Outcome = Result<(), Box<dyn StdError>>;

/// Two classes: gray levels 10 and 200; one picture is a JPEG.
fn photographs(folder: &Path) -> Outcome {
    for (class, name, size, level) in [
        ("dark", "b.png", [4, 3], 11),
        ("dark", "a.PNG", [4, 3], 10),
        ("light", "c.jpg", [4, 3], 200),
        ("light", ".hidden.png", [9, 9], 0),
    ] {
        fs::create_dir_all(folder.join(class))?;
        let format = if name.ends_with("jpg") { image::ImageFormat::Jpeg } else { image::ImageFormat::Png };
        GrayImage::from_pixel(size[0], size[1], Luma([level]))
            .save_with_format(folder.join(class).join(name), format)?;
    }
    fs::create_dir(folder.join("empty"))?;
    fs::write(folder.join("dark").join("notes.txt"), "no picture")?;
    Ok(())
}

#[test]
fn sub_folders_are_classes_and_order_is_alphabetical() -> Outcome {
    let folder = tempfile::tempdir()?;
    photographs(folder.path())?;
    let set = PictureFolder::default().read(folder.path())?;
    let shape = set.images.ok_or("pictures have a shape")?;
    assert_eq!((shape.height, shape.width, shape.channels, shape.white), (3, 4, 1, 255.0));
    assert_eq!((set.points.len(), set.points.dim()), (3, 12));
    let levels: Vec<f64> = set.points.view().rows().map(|row| row[5]).collect();
    assert_eq!(levels[..2], [10.0, 11.0]);
    assert!((levels[2] - 200.0).abs() <= 1.0, "a JPEG is not exact: {}", levels[2]);
    assert_eq!(
        (&set.labels[0].classes[..], &set.labels[0].values[..]),
        (&["dark".to_owned(), "light".to_owned()][..], &[0, 0, 1][..])
    );
    assert_eq!(read_dataset(folder.path(), None, &PictureFolder::default())?, set);
    Ok(())
}

#[test]
fn colors_and_sizes_are_as_asked_for() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut picture = RgbImage::from_pixel(8, 6, Rgb([250, 40, 10]));
    picture.put_pixel(0, 0, Rgb([0, 0, 0]));
    picture.save(folder.path().join("x.png"))?;
    let exact = PictureFolder { color: Color::Rgb, ..PictureFolder::default() }.read(folder.path())?;
    assert_eq!(exact.points.dim(), 8 * 6 * 3);
    assert_eq!(exact.points.view().row(0)[..6], [0.0, 0.0, 0.0, 250.0, 40.0, 10.0]);
    assert!(exact.labels.is_empty(), "no sub-folder, no class");
    let small = PictureFolder { size: Some([3, 4]), color: Color::Rgb, ..PictureFolder::default() };
    let small = small.read(folder.path())?;
    assert_eq!(small.images.map(|shape| (shape.height, shape.width)), Some((3, 4)));
    // The dark corner is averaged into its own pixel, not into a distant one.
    assert!(small.points.view().row(0)[0] < 240.0);
    assert_eq!(small.points.view().row(0)[33..], [250.0, 40.0, 10.0]);
    Ok(())
}

#[test]
fn folders_that_cannot_be_read_say_why() -> Outcome {
    let folder = tempfile::tempdir()?;
    let refused = |options: PictureFolder| options.read(folder.path()).expect_err("unreadable").to_string();
    let usual = PictureFolder::default();
    assert!(refused(usual).contains("there is no picture"));
    assert!(usual.read(&folder.path().join("absent")).is_err());

    photographs(folder.path())?;
    let zero = PictureFolder { size: Some([0, 4]), ..usual };
    assert!(refused(zero).contains("pixels high and wide, but is 0 × 4"));
    let tight = PictureFolder { memory: MemoryLimit::new(287), ..usual };
    assert!(matches!(tight.read(folder.path()), Err(Error::Memory { needed: 288, .. })));

    let odd = folder.path().join("light").join("d.png");
    GrayImage::new(5, 3).save(&odd)?;
    let said = refused(usual);
    assert!(said.contains("d.png") && said.contains("this is 3 × 5") && said.contains("is 3 × 4"), "{said}");
    assert_eq!(PictureFolder { size: Some([2, 2]), ..usual }.read(folder.path())?.points.len(), 4);

    let whole = fs::read(&odd)?;
    fs::write(&odd, &whole[..whole.len() / 2])?;
    let said = refused(PictureFolder { size: Some([2, 2]), ..usual });
    assert!(said.contains("d.png") && said.contains("cannot be read"), "{said}");
    fs::write(&odd, "no picture at all")?;
    assert!(refused(usual).contains("d.png"));
    fs::remove_file(&odd)?;

    GrayImage::new(4, 3).save(folder.path().join("beside.png"))?;
    let said = refused(usual);
    assert!(said.contains("beside.png lies next to `dark`"), "{said}");
    Ok(())
}

/// A PNG of 30,000 × 30,000 pixels takes a few bytes to promise.
#[test]
fn a_picture_that_promises_too_much_is_refused_by_its_header() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.png");
    GrayImage::new(4, 3).save(&path)?;
    let mut bytes = fs::read(&path)?;
    bytes[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let sum = crc32(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&sum);
    fs::write(&path, bytes)?;
    let options = PictureFolder {
        size: Some([2, 2]),
        memory: MemoryLimit::new(1_000_000_000),
        ..PictureFolder::default()
    };
    let error = options.read(folder.path()).expect_err("3.6 GB");
    assert!(matches!(error, Error::Memory { needed: 3_600_000_000, .. }), "{error}");
    Ok(())
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[test]
fn a_file_may_have_its_labels_in_another() -> Outcome {
    let folder = tempfile::tempdir()?;
    let (x, y) = (folder.path().join("x.npy"), folder.path().join("y.csv"));
    write_points(&x, Points::new(&[1.0, 2.0, 3.0], 1)?)?;
    fs::write(&y, "kind\n3\n1\n3\n")?;
    let set = read_dataset(&x, Some(&y), &PictureFolder::default())?;
    assert_eq!((set.name.as_str(), set.points.len()), ("x", 3));
    assert_eq!((set.labels[0].name.as_str(), &set.labels[0].values[..]), ("kind", &[1, 0, 1][..]));
    let reading = Reading { unknown_label: Some("1".to_owned()), ..Reading::default() };
    let known = reading.dataset(&x, Some(&y))?.labels[0].known();
    assert_eq!(known, [Some(1), None, Some(1)]);
    fs::write(&y, "3\n1\n")?;
    let said = read_dataset(&x, Some(&y), &PictureFolder::default()).expect_err("two of three").to_string();
    assert!(said.contains("one label for each of the 3 rows, but there are 2"), "{said}");
    // One row is a data set, if a small one.
    write_points(&x, Points::new(&[7.0], 1)?)?;
    assert_eq!(read_dataset(&x, None, &PictureFolder::default())?.points.len(), 1);
    Ok(())
}

/// One pixel whose palette has four bytes, and a header that promises 2³¹ − 1 by 2³¹ − 1
/// pixels: valid checksums, refused by their content.
#[test]
fn pictures_that_cannot_be_right_are_refused_by_name() -> Outcome {
    let palette = [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
        0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x03, 0x00, 0x00, 0x00, 0x28, 0xcb, 0x34, 0xbb, 0x00,
        0x00, 0x00, 0x04, 0x50, 0x4c, 0x54, 0x45, 0x00, 0x01, 0x02, 0x03, 0x1e, 0x5e, 0xf7, 0x75, 0x00, 0x00,
        0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x48,
        0xaf, 0xa4, 0x71, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
    ];
    let enormous = [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x7f,
        0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x08, 0x00, 0x00, 0x00, 0x00, 0x31, 0xa2, 0x54, 0xba, 0x00,
        0x00, 0x00, 0x09, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x5e,
        0xff, 0x7d, 0xf9, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
    ];
    for (bytes, expected) in
        [(&palette[..], "its palette has 4 bytes"), (&enormous[..], "decoding a picture")]
    {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("x.png"), bytes)?;
        let error = PictureFolder::default().read(folder.path()).expect_err("no picture");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let folder = tempfile::tempdir()?;
    photographs(folder.path())?;
    for size in [[1_usize << 32, 1 << 32], [0, 4]] {
        let error = PictureFolder { size: Some(size), ..PictureFolder::default() }.read(folder.path());
        assert!(error.expect_err("no size").to_string().contains("pixels high and wide"));
    }
    Ok(())
}

/// They would be no rows, and rows of other files would no longer match the pictures.
#[test]
fn pictures_in_other_formats_are_refused() -> Outcome {
    let folder = tempfile::tempdir()?;
    let refused = || PictureFolder::default().read(folder.path()).expect_err("unreadable").to_string();
    let file = |name: &str| fs::write(folder.path().join(name), "no matter what");
    file("x.BMP")?;
    let said = refused();
    assert!(said.contains("must be PNG or JPEG") && said.contains("1 in the folder is not"), "{said}");
    assert!(said.contains("such as x.BMP (BMP)"), "{said}");
    photographs(folder.path())?;
    file("light/a.gif")?;
    assert!(refused().contains("2 in the folder are not"), "{}", refused());
    fs::remove_file(folder.path().join("x.BMP"))?;
    assert!(refused().contains("light/a.gif (GIF)"), "{}", refused());
    fs::remove_file(folder.path().join("light/a.gif"))?;
    assert_eq!(PictureFolder::default().read(folder.path())?.points.len(), 3);
    Ok(())
}
