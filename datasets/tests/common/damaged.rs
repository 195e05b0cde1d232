//! Files of every format, changes of their bytes, and checks of the reader's answer; a module of the tests
//! and of the fuzz targets.

use std::io::Write;

use datasets::files::{
    Categories, ColumnWeights, DateOrder, Given, HeaderRow, Missing, MixedRows, Reading, Table, Thousands,
};
use embedding::{Error, MemoryLimit, Metric};
use testkit::Random;

/// The memory limit of [`reading`], in bytes.
pub(crate) const LIMIT: u64 = 1_000_000;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

pub(crate) fn npy(descr: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': ({shape}), }}\n");
    let length = (text.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, text.as_bytes(), numbers].concat()
}

/// A zip file of arrays, not packed, whose checksums match.
fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut members, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in arrays {
        let name = format!("{name}.npy");
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let length = (content.len() as u32).to_le_bytes();
        let sizes = [&crc.sum().to_le_bytes()[..], &length, &length, &[name.len() as u8, 0, 0, 0]].concat();
        let start = (members.len() as u32).to_le_bytes();
        members.extend([b"PK\x03\x04", &[0; 10][..], &sizes, name.as_bytes(), content].concat());
        directory.extend([b"PK\x01\x02", &[0; 12][..], &sizes, &[0; 10], &start, name.as_bytes()].concat());
    }
    let count = (arrays.len() as u16).to_le_bytes();
    let [size, start] = [directory.len(), members.len()].map(|length| (length as u32).to_le_bytes());
    [members, directory, [b"PK\x05\x06", &[0; 6][..], &count, &size, &start, &[0; 2]].concat()].concat()
}

/// A sparse matrix of a few entries in compressed rows. Indices, values and, where the rows are not equally
/// long, pointers are taken from the bytes, and 0 after their end.
pub(crate) fn sparse(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.iter().copied().chain(std::iter::repeat(0));
    let mut array = |count: usize, descr: &str, each: usize| {
        let numbers: Vec<u8> = bytes.by_ref().take(count * each).collect();
        npy(descr, &format!("{count},"), &numbers)
    };
    let (rows, entries) = (random.below(6), random.below(8));
    let more = random.of(&[0, 0, 0, 1]);
    let even: Vec<u8> = (0..=rows).map(|row| (row * entries / rows.max(1)) as u8).collect();
    let pointers = match random.below(2) {
        0 => npy("|u1", &format!("{},", rows + 1), &even),
        _ => array(rows + 1, "|u1", 1),
    };
    npz(&[
        ("format", b"csr".to_vec()),
        ("shape", npy("|u1", "2,", &[rows as u8, random.below(6) as u8])),
        ("indptr", pointers),
        ("indices", array(entries, random.of(&["|u1", "|i1"]), 1)),
        ("data", array(entries + more, "<f4", 4)),
    ])
}

/// Sparse points in each format.
pub(crate) const MTX: &[u8] =
    b"%%MatrixMarket matrix coordinate real general\n% a comment\n3 2 3\n1 1 0.5\n2 2 1e3\n3 1 -7\n";
pub(crate) const CSR: &[u8] = include_bytes!("../archive/csr.npz");

const JSON_LINES: &[u8] =
    b"{\"id\": 1, \"a\": [0.5, 2], \"label\": \"x\"}\n{\"id\": 2, \"a\": [1e3, -4], \"label\": null, \"b\": {\"c\": true}}\n";

/// Small files by their format.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let csv = b"id,a,\"b c\",label\n1,0.5,2e3,x\n2,-1,,y\n3,NA,7,x\n4,1.25,0,\"y\"\n".to_vec();
    let numbers: Vec<u8> = (0..12).flat_map(|i| f64::from(i).sqrt().to_le_bytes()).collect();
    let idx = [&[0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2][..], &[1; 12]].concat();
    vec![
        ("packed csv", gzip(&csv)),
        ("csv", csv),
        ("npy", npy("<f8", "4, 3", &numbers)),
        ("npy of pictures", npy("|u1", "2, 3, 2, 3", &[7; 36])),
        ("mtx", MTX.to_vec()),
        ("packed idx", gzip(&idx)),
        ("idx", idx),
        ("npz", include_bytes!("../archive/two.npz").to_vec()),
        ("sparse npz", CSR.to_vec()),
        ("JSON lines", JSON_LINES.to_vec()),
        ("three header rows", b"a\tb\tlabel\nc\tc\td\n\t\tclass\n1\t2\tx\n3\t4\ty\n5\t1\tx\n".to_vec()),
        ("titles", b"A title\nof two lines\nday;id;a\n2021-01-01;1;0,5\n2021-02-01 12:30;2;1\n".to_vec()),
        ("formats", b"a;b;c;;\n1,234.5;12%;\"1 000\";;\n999;7 %;2;;\n;3%;1 234 567;;\n;;;;\n".to_vec()),
        ("vectors", b"id,v\n1,\"[0.5, 2]\"\n2,\"[1e3\n -4]\"\n3,\n4,(7; 8)\n".to_vec()),
        ("triangle", b"a 0\nb 1 0\nc 2 3 0\nd 4 5 6 0\n".to_vec()),
        ("half", b"1\n2 3\n4 5 6\n".to_vec()),
        ("PHYLIP", b"4\nhuman     \nchimpanzee1\ngorilla   2 3\norang     4 5\n6\n".to_vec()),
        ("Orange", b"3 labelled\na\t0\nb\t1\t0\nc\t2\t3\t0\n".to_vec()),
        ("pairs", b"a,b,d\nx,y,1\nx,z,2\ny,z,3\nx,x,4\ny,y,5\nz,z,6\n".to_vec()),
        ("spaces", b"# made by a program\n# id a\n1 2.5\n2 -1e3\n3 0\n".to_vec()),
    ]
}

/// One small change of a file.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const PIECES: [&[u8]; 13] = [
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
        b"99999999999999999999",
        b"1e999",
        b"nan",
        b",",
        b"\"",
        b"[[{",
        b" ",
        b"sep=;\n",
        b"\n",
        b"(), ",
        b"\xf0\x9f\x8c\x8d",
    ];
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] = random.below(256) as u8,
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes.truncate(at.max(1)),
        3 => {
            let end = (at + random.of(&[0, 1, 4])).min(bytes.len());
            bytes.splice(at..end, random.of(&PIECES).iter().copied());
        }
        _ => {
            let end = (at + 1 + random.below(8)).min(bytes.len());
            if end - at < bytes.len() {
                bytes.drain(at..end);
            }
        }
    }
}

/// Any options.
pub(crate) fn reading(random: &mut Random) -> Reading {
    let name = |random: &mut Random| random.of(&["id", "label", "3", "0", "absent"]).to_owned();
    Reading {
        given: random.of(&[Given::Points, Given::Points, Given::Distances, Given::Similarities]),
        thousands: random.of(&[None, None, None, Some(Thousands::Comma), Some(Thousands::Space)]),
        carried: (0..random.below(2) * random.below(2)).map(|_| name(random)).collect(),
        header: random.of(&[HeaderRow::Auto, HeaderRow::Auto, HeaderRow::Yes, HeaderRow::No]),
        ignore: (0..random.below(2)).map(|_| name(random)).collect(),
        label_column: (random.below(3) == 0).then(|| name(random)),
        missing: random.of(&[
            Missing::Refuse,
            Missing::Drop,
            Missing::Mean,
            Missing::Median,
            Missing::Zero,
            Missing::Keep,
        ]),
        transpose: random.below(6) == 0,
        skip_rows: random.of(&[0, 0, 0, 0, 1, 2, 9]),
        header_rows: random.of(&[0, 0, 0, 1, 2, 3]),
        categories: random.of(&[
            Categories::Refuse,
            Categories::Refuse,
            Categories::Ignore,
            Categories::Indicators,
            Categories::Gower,
        ]),
        mixed: (random.below(3) == 0)
            .then(|| MixedRows { metric: random.of(&[Metric::Gower, Metric::NanEuclidean]), known: None }),
        weights: (random.below(6) == 0).then(|| ColumnWeights {
            columns: vec![(name(random), random.of(&[0.5, 3.0, 0.0]))],
            metric: random.of(&[Metric::Euclidean, Metric::Manhattan]),
        }),
        dates_as_days: random.below(3) == 0,
        date_order: random.of(&[DateOrder::YearFirst, DateOrder::YearFirst, DateOrder::DayFirst]),
        decimal_comma: random.below(6) == 0,
        standardize: random.below(4) == 0,
        memory: MemoryLimit::new(LIMIT),
        ..Reading::default()
    }
}

/// Checks that data that were read are finite and complete, and that a refusal is a sentence.
pub(crate) fn check(read: Result<Table, Error>) {
    match read {
        Ok(table) => {
            assert!(table.points.view().values().iter().all(|v| v.is_finite()));
            assert!(table.points.len() <= table.rows);
            assert!(table.carried.iter().all(|cells| cells.values.len() == table.points.len()));
            assert!(table.labels.is_none_or(|labels| labels.values.len() == table.points.len()));
        }
        Err(error) => assert!(error.to_string().len() > 15, "{error}"),
    }
}
