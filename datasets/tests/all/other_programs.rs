//! Parquet, Arrow and spreadsheets, behind features.

#[cfg(feature = "parquet")]
mod of_parquet {
    use std::sync::Arc;

    use datasets::files::{DateOrder, Missing, Reading};
    use parquet::basic::Compression;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use crate::common::{Outcome, plain, read, refusal};

    /// Three rows in two groups: a word, a number or none, a date, and a list.
    pub(crate) fn file(compression: Compression) -> Vec<u8> {
        let schema = "message rows {
            required binary kind (UTF8);
            optional double x;
            required int32 day (DATE);
            required int64 count;
            required group v (LIST) { repeated group list { required double element; } }
        }";
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).expect("a writer");
        for rows in [0..2, 2..3] {
            let mut group = writer.next_row_group().expect("a group");
            let n = rows.len();
            let of = |words: [&str; 3]| -> Vec<ByteArray> {
                words[rows.clone()].iter().map(|word| (*word).into()).collect()
            };
            let mut next = |write: &mut dyn FnMut(&mut parquet::file::writer::SerializedColumnWriter<'_>)| {
                let mut column = group.next_column().expect("a column").expect("one more column");
                write(&mut column);
                column.close().expect("a whole column");
            };
            next(&mut |column| {
                let words = of(["a", "b, c", "a"]);
                column.typed::<ByteArrayType>().write_batch(&words, None, None).expect("words");
            });
            next(&mut |column| {
                let (values, levels): (&[f64], &[i16]) =
                    if n == 2 { (&[0.1], &[1, 0]) } else { (&[-2e300], &[1]) };
                column.typed::<DoubleType>().write_batch(values, Some(levels), None).expect("numbers");
            });
            next(&mut |column| {
                column
                    .typed::<Int32Type>()
                    .write_batch(&[18_628, -1, 0][rows.clone()], None, None)
                    .expect("days");
            });
            next(&mut |column| {
                column
                    .typed::<Int64Type>()
                    .write_batch(&[1, 2, 1 << 52][rows.clone()], None, None)
                    .expect("counts");
            });
            next(&mut |column| {
                let values: Vec<f64> = rows.clone().flat_map(|row| [row as f64, 0.5]).collect();
                let levels: Vec<i16> = (0..2 * n).map(|at| (at % 2) as i16).collect();
                column
                    .typed::<DoubleType>()
                    .write_batch(&values, Some(&vec![1; 2 * n]), Some(&levels))
                    .expect("lists");
            });
            group.close().expect("a whole group");
        }
        writer.close().expect("a whole file");
        bytes
    }

    #[test]
    fn parquet_is_read_with_words_dates_and_lists() -> Outcome {
        let reading = Reading {
            label_column: Some("kind".to_owned()),
            missing: Missing::Drop,
            dates_as_days: true,
            date_order: DateOrder::YearFirst,
            ..plain()
        };
        for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
            let bytes = file(compression);
            let table = read(&reading, "x.parquet", &bytes)?;
            assert_eq!(table.columns.clone().unwrap_or_default(), ["x", "day", "count", "v.0", "v.1"]);
            let expected = [0.1, 18_628.0, 1.0, 0.0, 0.5, -2e300, 0.0, 4503599627370496.0, 2.0, 0.5];
            assert_eq!(table.points.view().values(), expected);
            assert_eq!(table.kept, Some(vec![0, 2]));
            assert_eq!(reading.read_bytes(bytes, "standard input")?.points, table.points);
        }
        let said = refusal(&plain(), "x.parquet", file(Compression::SNAPPY));
        assert!(said.contains("row 0, column 0 `kind`") && said.contains("--label-column kind"), "{said}");
        let bytes = file(Compression::SNAPPY);
        assert!(refusal(&plain(), "x.parquet", &bytes[..bytes.len() - 9]).contains("damaged"));
        assert!(refusal(&plain(), "x.csv", &bytes).contains("a name that ends in .parquet"));
        Ok(())
    }
}

#[cfg(feature = "parquet")]
mod of_arrow {
    use std::sync::Arc;

    use arrow_array::types::{Float32Type, Int8Type};
    use arrow_array::{
        ArrayRef, Date32Array, DictionaryArray, FixedSizeListArray, Float64Array, Int64Array, RecordBatch,
    };
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
    use datasets::files::{Missing, Reading};

    use crate::common::{Outcome, plain, read, refusal};

    /// Three rows in two batches, as pandas has them: a category, a number or none, a date, a count, and a list of
    /// numbers of single precision.
    fn batch() -> RecordBatch {
        let kinds: DictionaryArray<Int8Type> = ["a", "b, c", "a"].into_iter().collect();
        let lists = [[0.1, 0.5], [1.0, 0.5], [2.0, 0.5]].map(|list| Some(list.map(Some)));
        let columns: [(&str, ArrayRef); 5] = [
            ("kind", Arc::new(kinds)),
            ("x", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(-2e300)]))),
            ("day", Arc::new(Date32Array::from(vec![18_628, -1, 0]))),
            ("count", Arc::new(Int64Array::from(vec![1, 2, 1 << 52]))),
            ("v", Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(lists, 2))),
        ];
        RecordBatch::try_from_iter(columns).expect("columns of one length")
    }

    pub(crate) fn file(compression: Option<CompressionType>) -> Vec<u8> {
        let options = IpcWriteOptions::default().try_with_compression(compression).expect("a compression");
        let (batch, mut bytes) = (batch(), Vec::new());
        let mut writer =
            FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).expect("a writer");
        writer.write(&batch.slice(0, 2)).expect("two rows");
        writer.write(&batch.slice(2, 1)).expect("a row");
        writer.finish().expect("a whole file");
        drop(writer);
        bytes
    }

    #[test]
    fn arrow_is_read_with_words_dates_and_lists() -> Outcome {
        let reading = Reading {
            label_column: Some("kind".to_owned()),
            missing: Missing::Drop,
            dates_as_days: true,
            ..plain()
        };
        let (batch, mut stream) = (batch(), Vec::new());
        let mut writer = StreamWriter::try_new(&mut stream, &batch.schema())?;
        writer.write(&batch)?;
        writer.finish()?;
        drop(writer);
        let files = [file(None), file(Some(CompressionType::LZ4_FRAME)), stream];
        for (bytes, name) in files.iter().zip(["x.feather", "x.arrow", "x.arrows"]) {
            let table = read(&reading, name, bytes)?;
            assert_eq!(table.columns.clone().unwrap_or_default(), ["x", "day", "count", "v.0", "v.1"]);
            // 0.1 of single precision.
            let tenth = f64::from(0.1_f32);
            let expected = [0.1, 18_628.0, 1.0, tenth, 0.5, -2e300, 0.0, 4503599627370496.0, 2.0, 0.5];
            assert_eq!(table.points.view().values(), expected);
            assert_eq!(table.kept, Some(vec![0, 2]));
        }
        let bytes = file(None);
        assert_eq!(reading.read_bytes(bytes.clone(), "standard input")?.points.len(), 2);
        assert!(refusal(&plain(), "x.feather", &bytes[..bytes.len() / 2]).contains("damaged"));
        assert!(refusal(&plain(), "x.feather", "PAR1").contains("damaged"));
        assert!(refusal(&plain(), "x.csv", &bytes).contains("a name that ends in .arrow"));
        assert!(refusal(&plain(), "x.csv", "FEA1").contains("Feather of version 1"));
        Ok(())
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn the_feature_of_parquet_is_named() {
    use crate::common::{plain, refusal};
    assert!(refusal(&plain(), "x.parquet", "PAR1").contains("--features parquet"));
    assert!(refusal(&plain(), "x.feather", "ARROW1").contains("--features parquet"));
}

/// Files by Python's `zipfile`, with the parts that Excel writes: `one.xlsx` has the sheet `Data` and an empty
/// one, `two.xlsx` the sheets `First` and `Second`.
#[cfg(feature = "xlsx")]
#[test]
fn sheets_of_spreadsheets_are_read() -> crate::common::Outcome {
    use crate::common::{plain, read, refusal};
    use datasets::files::{Missing, Reading};

    let one = include_bytes!("../archive/one.xlsx");
    let reading = Reading {
        name_column: Some("name".to_owned()),
        missing: Missing::Drop,
        dates_as_days: true,
        ..plain()
    };
    let table = read(&reading, "x.xlsx", one)?;
    assert_eq!(table.columns.unwrap_or_default(), ["x", "day", "good", "y"]);
    assert_eq!(table.points.view().values(), [0.5, 18_628.0, 1.0, -2.0, 1.25, 18_629.5, 0.0, 1e21]);
    assert_eq!(table.row_names.map(|names| names.values), Some(vec!["ann".to_owned(), "bob, jr".to_owned()]));
    let two = include_bytes!("../archive/two.xlsx");
    let said = refusal(&plain(), "x.xlsx", two);
    assert!(
        said.contains("2 sheets with cells: `First`, `Second`") && said.contains("x.xlsx:First"),
        "{said}"
    );
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("x.xlsx"), two)?;
    let table = plain().read(&folder.path().join("x.xlsx:Second"))?;
    assert_eq!(table.points.view().values(), [5.0, 6.0, 7.0, 8.0]);
    assert!(
        plain().read(&folder.path().join("x.xlsx:Third")).is_err_and(|e| e.to_string().contains("`Third`"))
    );
    assert!(refusal(&plain(), "x.xlsx", &two[..900]).contains("damaged"));
    Ok(())
}

#[cfg(not(feature = "xlsx"))]
#[test]
fn the_feature_of_spreadsheets_is_named() {
    use crate::common::{plain, refusal};
    assert!(refusal(&plain(), "x.xlsx", include_bytes!("../archive/one.xlsx")).contains("--features xlsx"));
}

/// As [`crate::mutated`] does with other files.
#[cfg(all(feature = "parquet", feature = "xlsx"))]
#[test]
fn damaged_files_are_refused_or_read() {
    use crate::damaged::{check, mutate, reading};

    let mut random = testkit::Random::new(0x9a79);
    let files = [
        of_parquet::file(parquet::basic::Compression::UNCOMPRESSED),
        of_parquet::file(parquet::basic::Compression::SNAPPY),
        of_arrow::file(None),
        of_arrow::file(Some(arrow_ipc::CompressionType::LZ4_FRAME)),
        include_bytes!("../archive/one.xlsx").to_vec(),
    ];
    let mut failed = Vec::new();
    for (number, file) in files.iter().enumerate() {
        for mutation in 0..4000 {
            let mut bytes = file.clone();
            (0..=random.below(3)).for_each(|_| mutate(&mut bytes, &mut random));
            let reading = reading(&mut random);
            let run = || check(reading.read_bytes(bytes.clone(), "x"));
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err() {
                failed.push((number, mutation));
            }
        }
    }
    assert!(failed.is_empty(), "{} panics: {:?}", failed.len(), &failed[..failed.len().min(20)]);
}
