//! Vectors in one cell.

use datasets::files::{Missing, Reading};

use crate::common::{Outcome, plain, read, refusal};

#[test]
fn vectors_in_a_cell_become_columns() -> Outcome {
    let reading = Reading { label_column: Some("kind".to_owned()), ..plain() };
    for text in [
        "v,kind,x\n\"[0.5, 2]\",a,1\n\"[3,-4e2]\",b,2\n",
        "v\tkind\tx\n[0.5 2]\ta\t1\n[ 3  -400 ]\tb\t2\n",
        "v,kind,x\n\"[0.5\n 2.]\",a,1\n\n\"(3, -400,)\",b,2\n",
    ] {
        let table = read(&reading, "x.csv", text)?;
        assert_eq!(table.points.view().values(), [1.0, 0.5, 2.0, 2.0, 3.0, -400.0], "{text}");
        assert_eq!(table.columns, Some(["x", "v.0", "v.1"].map(str::to_owned).to_vec()));
        assert_eq!(table.labels.map(|labels| labels.classes), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert!(table.notes[0].contains("column 0 `v` of vectors was replaced by 2 columns, `v.0` to `v.1`"));
    }
    // Without a header, with decimal commas, and with a missing vector.
    let table = read(&plain(), "x.csv", "5;[1 2]\n6;[3 4]\n")?;
    assert_eq!(table.points.view().values(), [5.0, 1.0, 2.0, 6.0, 3.0, 4.0]);
    let comma = Reading { decimal_comma: true, ..plain() };
    assert_eq!(read(&comma, "x.csv", "a;b\n1,5;[0.5, 2]\n")?.points.view().values(), [1.5, 0.5, 2.0]);
    let drop = Reading { missing: Missing::Drop, ..plain() };
    let table = read(&drop, "x.csv", "a,b\n1,\"[5, 6]\"\n2,NA\n3,\"[7, 8]\"\n")?;
    assert_eq!(
        (table.points.view().values(), table.kept),
        (&[1.0, 5.0, 6.0, 3.0, 7.0, 8.0][..], Some(vec![0, 2]))
    );
    // Vectors of different lengths, and of words, are refused with their row.
    for cell in ["[1, 2, 3]", "[1, x]", "[]", "[[1, 2], [3, 4]]"] {
        let said = refusal(&plain(), "x.csv", format!("a;b\n1;[1, 2]\n2;{cell}\n"));
        assert!(said.contains("row 0, column 1 `b`"), "{said}");
    }
    Ok(())
}
