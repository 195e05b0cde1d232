//! `update`.

use crate::temp_folder::TempFolder;

/// 40 points with names in `all.csv`; 30 of them in `old.csv`, the others in `new.csv`.
fn folder() -> TempFolder {
    let folder = TempFolder::new();
    let number = |i: usize, step: usize| ((i * step) % 41) as f64 / 10.0 + ((i * i) % 7) as f64 / 9.0;
    let point =
        |i: usize| format!("r{i},{},{},{},{}\n", number(i, 7), number(i, 12), number(i, 3), number(i, 18));
    let file = |name: &str, rows: std::ops::Range<usize>| {
        folder.file(name, "id,a,b,c,d\n".to_owned() + &rows.map(point).collect::<String>());
    };
    file("all.csv", 0..40);
    file("old.csv", 0..30);
    file("new.csv", 30..40);
    folder
}

const NAMED: &str = "--name-column id";

/// The lines of a file.
fn lines(folder: &TempFolder, name: &str) -> Vec<String> {
    String::from_utf8(folder.read(name)).unwrap().lines().map(str::to_owned).collect()
}

/// What `update` says on standard error.
fn said(folder: &TempFolder, line: &str) -> String {
    let command = folder.command(line).assert().success();
    String::from_utf8(command.get_output().stderr.clone()).unwrap()
}

/// By default the rows of the model stay to the bit, and new rows have places and names. The new model places the
/// rows there, and is updated again.
#[test]
fn rows_of_the_model_stay() {
    let folder = folder();
    for (method, set) in [("smacof", ""), ("umap", "--set epochs=50"), ("tsne", "--set perplexity=5")] {
        let embed = format!("embed --method {method} {set} --input old.csv {NAMED}");
        folder.compare(&format!("{embed} --output y.csv --save y.model"));
        let update = format!("update --model y.model --input new.csv {NAMED} --save z.model --output");
        let notes = said(&folder, &format!("{update} z.csv"));
        assert!(notes.contains("used unchanged; 30 of 40 rows are fixed"), "{notes}");
        assert!(notes.contains("rows of the model moved by 0 at most, 0 in the median"), "{notes}");
        let (old, all) = (lines(&folder, "y.csv"), lines(&folder, "z.csv"));
        assert_eq!((all.len(), &all[..31]), (41, &old[..]), "{method}");
        assert!((31..41).all(|row| all[row].starts_with(&format!("r{},", row - 1))), "{method}");
        folder.compare(&format!("update --model y.model --input new.csv {NAMED} --pull inf --output i.csv"));
        assert_eq!(lines(&folder, "i.csv"), all, "{method}");
        folder.compare(&format!("transform --model z.model --input all.csv {NAMED} --output placed.csv"));
        assert_eq!(lines(&folder, "placed.csv"), all, "{method}");
        let more = String::from_utf8(folder.read("new.csv")).unwrap().replace('r', "s");
        folder.file("more.csv", more);
        folder.compare(&format!("update --model z.model --input more.csv {NAMED} --output w.csv"));
        assert_eq!(&lines(&folder, "w.csv")[..41], &all[..], "{method}");
    }
}

/// With --pull 0 and with --pull inf the map is the map of `embed` from that start.
#[test]
fn a_pull_is_a_fit_from_the_same_start() {
    let folder = folder();
    folder.file("fixed.txt", (0..30).map(|row| format!("r{row}\n")).collect::<String>());
    for (method, set) in [("sammon", ""), ("pacmap", ""), ("trimap", "--set iterations=50")] {
        let embed = format!("embed --method {method} {set} {NAMED}");
        folder.compare(&format!("{embed} --input old.csv --output y.csv --save y.model"));
        folder.compare(&format!("transform --model y.model --input new.csv {NAMED} --output p.csv"));
        let start = [&lines(&folder, "y.csv")[..], &lines(&folder, "p.csv")[1..]].concat().join("\n");
        folder.file("start.csv", start + "\n");
        for (pull, fixed) in [("0", ""), ("inf", "--fixed fixed.txt")] {
            let update = "update --model y.model --input new.csv";
            folder.compare(&format!("{update} {NAMED} --pull {pull} --output u.csv"));
            folder.compare(&format!("{embed} --input all.csv --start start.csv {fixed} --output e.csv"));
            assert_eq!(lines(&folder, "u.csv"), lines(&folder, "e.csv"), "{method}, {pull}");
        }
    }
}

/// A larger pull keeps old rows nearer; new rows move in any case.
#[test]
fn a_pull_keeps_old_rows_near() {
    let folder = folder();
    for (method, set) in
        [("smacof", ""), ("sammon", ""), ("tsne", "--set perplexity=5"), ("umap", ""), ("trimap", "")]
    {
        folder.compare(&format!(
            "embed --method {method} {set} --input old.csv {NAMED} --output y.csv --save y.model"
        ));
        let update = format!("update --model y.model --input new.csv {NAMED} --output z.csv --pull");
        let moved = |pull: &str| -> f64 {
            let notes = said(&folder, &format!("{update} {pull}"));
            assert!(
                notes.contains(&format!("30 of 40 rows are drawn to their places by a pull of {pull}")),
                "{notes}"
            );
            let numbers = |name: &str| -> Vec<f64> {
                let cells =
                    |line: &String| line.split(',').skip(1).map(|c| c.parse().unwrap()).collect::<Vec<f64>>();
                lines(&folder, name)[1..31].iter().flat_map(cells).collect()
            };
            let (old, new) = (numbers("y.csv"), numbers("z.csv"));
            old.iter().zip(new).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        let [weak, middle, strong] = ["0.01", "1", "1000000"].map(moved);
        assert!(weak > middle && middle > strong && strong > 0.0, "{method}: {weak} {middle} {strong}");
        assert!(strong < 1e-3 * weak, "{method}: {weak} {strong}");
    }
}

/// Other methods are fitted anew and rotated: old rows move little, and the model places the rows of its map.
#[test]
fn the_map_of_a_new_fit_is_rotated() {
    let folder = folder();
    for (method, data) in
        [("pca", "--data old.csv"), ("isomap", ""), ("ltsa", ""), ("classical-mds", "--data old.csv")]
    {
        folder.compare(&format!(
            "embed --method {method} --input old.csv {NAMED} --output y.csv --save y.model"
        ));
        let update = format!("update --model y.model --input new.csv {NAMED} {data}");
        let notes = said(&folder, &format!("{update} --output z.csv --save z.model"));
        assert!(notes.contains("the new map is rotated onto the old one"), "{method}: {notes}");
        assert!(notes.contains("rows of the model moved by "), "{method}: {notes}");
        assert_eq!(lines(&folder, "z.csv").len(), 41, "{method}");
        let gap = |name: &str| -> f64 {
            let of = |name: &str| -> Vec<f64> {
                let cells = |line: &String| -> Vec<f64> {
                    line.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect()
                };
                lines(&folder, name)[1..31].iter().flat_map(cells).collect()
            };
            of("y.csv").iter().zip(of(name)).map(|(a, b)| (a - b).powi(2)).sum()
        };
        folder.compare(&format!("embed --method {method} --input all.csv {NAMED} --output plain.csv"));
        assert!(
            gap("z.csv") < 0.999 * gap("plain.csv"),
            "{method}: {} and {}",
            gap("z.csv"),
            gap("plain.csv")
        );
        folder.compare(&format!("transform --model z.model --input all.csv {NAMED} --output placed.csv"));
        let numbers = |line: &String| -> Vec<f64> {
            line.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect()
        };
        for (a, b) in lines(&folder, "z.csv")[1..].iter().zip(&lines(&folder, "placed.csv")[1..]) {
            assert!(
                numbers(a).iter().zip(numbers(b)).all(|(a, b)| (a - b).abs() < 1e-8),
                "{method}: {a}, {b}"
            );
        }
    }
}

/// Rows of the model leave, by name or by row: the others stay to the bit, the new model has their names and its
/// columns' ranges, and new rows may come at the same time, also with names of rows that leave.
#[test]
fn rows_of_the_model_leave() {
    let folder = folder();
    folder.file("gone.txt", "id\nr3\n\nr29\nr0\n");
    folder.file("rows.txt", "3\n29\n0\n");
    let text = String::from_utf8(folder.read("new.csv")).unwrap();
    folder.file("back.csv", text.replace("r31", "r3"));
    let stays = |line: &&String| ["r3,", "r29,", "r0,"].iter().all(|name| !line.starts_with(name));
    for (method, set) in [("smacof", ""), ("sammon", ""), ("umap", "--set epochs=50"), ("pacmap", "")] {
        let embed = format!("embed --method {method} {set} --input old.csv");
        folder.compare(&format!("{embed} {NAMED} --output y.csv --save y.model"));
        let update = "update --model y.model --leave gone.txt --output z.csv --save z.model";
        let notes = said(&folder, update);
        assert!(notes.contains("27 of 27 rows are fixed; 3 of 30 rows of the model left"), "{notes}");
        assert!(notes.contains("moved by 0 at most, 0 in the median"), "{notes}");
        let old = lines(&folder, "y.csv");
        let kept: Vec<String> = old.iter().filter(stays).cloned().collect();
        assert_eq!(lines(&folder, "z.csv"), kept, "{method}");
        folder.compare(&format!("transform --model z.model --input old.csv {NAMED} --output placed.csv"));
        let placed: Vec<String> = lines(&folder, "placed.csv").iter().filter(stays).cloned().collect();
        assert_eq!(placed, kept, "{method}");
        folder.compare(&format!("{update} --input back.csv {NAMED}"));
        let both = lines(&folder, "z.csv");
        assert_eq!((both.len(), &both[..28]), (38, &kept[..]), "{method}");
        assert!(both[29].starts_with("r3,"), "{}", both[29]);
        // The new model has no row that left.
        folder.file("again.txt", "r29\n");
        let again = "update --model z.model --leave again.txt --output w.csv";
        folder.refuses(again, 1, &["`r29` is no name of a row of the model"]);
        folder.compare(&format!("{embed} --ignore id --output n.csv --save n.model"));
        folder.compare("update --model n.model --leave rows.txt --output m.csv");
        let numbers = |line: &String| line.split_once(',').unwrap().1.to_owned();
        assert_eq!(lines(&folder, "m.csv"), kept[1..].iter().map(numbers).collect::<Vec<_>>(), "{method}");
    }
}

/// Without a pull, and of methods without one, rows that leave change the map of the others, as a fit without
/// them does.
#[test]
fn a_fit_without_the_rows_that_leave() {
    let folder = folder();
    folder.file("gone.txt", (0..10).map(|row| format!("r{row}\n")).collect::<String>());
    let without = |name: &str| -> String {
        let of = |line: &String| (0..10).all(|row| !line.starts_with(&format!("r{row},")));
        lines(&folder, name).into_iter().filter(of).map(|line| line + "\n").collect()
    };
    folder.file("kept.csv", without("old.csv"));
    folder.compare(&format!("embed --method smacof --input old.csv {NAMED} --output y.csv --save y.model"));
    folder.file("start.csv", without("y.csv"));
    folder.compare("update --model y.model --leave gone.txt --pull 0 --output u.csv");
    folder.compare(&format!(
        "embed --method smacof --input kept.csv {NAMED} --start start.csv --output e.csv --save e.model"
    ));
    assert_eq!(lines(&folder, "u.csv"), lines(&folder, "e.csv"));
    folder.compare(&format!("embed --method ltsa --input old.csv {NAMED} --output y.csv --save y.model"));
    let notes = said(&folder, "update --model y.model --leave gone.txt --output u.csv");
    assert!(notes.contains("rotated onto the old one; 10 of 30 rows of the model left"), "{notes}");
    folder.compare(&format!("embed --method ltsa --input kept.csv {NAMED} --output e.csv"));
    let gaps = |name: &str| -> Vec<f64> {
        let numbers = |line: &String| -> Vec<f64> {
            line.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect()
        };
        let rows: Vec<Vec<f64>> = lines(&folder, name)[1..].iter().map(numbers).collect();
        rows.iter().map(|row| (row[0] - rows[0][0]).hypot(row[1] - rows[0][1])).collect()
    };
    assert_eq!(lines(&folder, "u.csv").len(), 21);
    assert!(gaps("u.csv").iter().zip(gaps("e.csv")).all(|(a, b)| (a - b).abs() < 1e-8));
}

#[test]
fn rows_that_cannot_leave_are_refused() {
    let folder = folder();
    folder.compare(&format!("embed --method smacof --input old.csv {NAMED} --output y.csv --save y.model"));
    folder.compare("embed --method smacof --input old.csv --ignore id --output y.csv --save n.model");
    folder
        .compare(&format!("embed --method ltsa --input old.csv {NAMED} --k 8 --output y.csv --save l.model"));
    let list = |rows: std::ops::Range<usize>| rows.map(|row| format!("r{row}\n")).collect::<String>();
    folder.file("all.txt", list(0..30));
    folder.file("most.txt", list(0..24));
    folder.file("other.txt", "r3\nq5\n");
    folder.file("none.txt", "id\n\n");
    folder.file("rows.txt", "3\n30\n");
    let update = |model: &str, leave: &str| {
        format!("update --model {model} --leave {leave} --output z.csv --save z.model")
    };
    folder.refuses(&update("y.model", "all.txt"), 1, &["all 30 rows of the model leave", "fewer rows leave"]);
    folder.refuses(&update("l.model", "most.txt"), 1, &["k must be", "1 to 5", "8"]);
    folder.refuses(
        &update("y.model", "other.txt"),
        1,
        &["other.txt", "`q5` is no name of a row of the model"],
    );
    folder.refuses(&update("y.model", "none.txt"), 1, &["a leaving row per line, but has none", "--leave"]);
    folder.refuses(
        &update("n.model", "rows.txt"),
        1,
        &["0 to 29, but one is `30`", "--name-column to `embed`"],
    );
    folder.refuses(&update("y.model", "lost.txt"), 1, &["lost.txt", "cannot be read"]);
    folder.refuses(&update("y.model", "z.csv"), 2, &["z.csv"]);
    folder.refuses("update --model y.model --output z.csv", 2, &["--input"]);
    assert!(!folder.path("z.csv").exists() && !folder.path("z.model").exists());
}

/// Where only new rows have names, and where rows were left out, a note tells that output rows have none.
#[test]
fn rows_without_names_are_told() {
    let folder = folder();
    folder.compare("embed --method smacof --input old.csv --ignore id --output y.csv --save y.model");
    let notes = said(&folder, &format!("update --model y.model --input new.csv {NAMED} --output z.csv"));
    assert!(notes.contains("new rows have names, rows of the model have none"), "{notes}");
    let text = String::from_utf8(folder.read("new.csv")).unwrap();
    let (first, _) = text.lines().nth(3).unwrap().rsplit_once(',').unwrap();
    folder.file("gap.csv", text.replace(text.lines().nth(3).unwrap(), &format!("{first},")));
    let gap = "update --model y.model --input gap.csv --ignore id --missing drop --output z.csv";
    assert!(said(&folder, gap).contains("rows that were left out have no row in the output"));
    assert_eq!(lines(&folder, "z.csv").len(), 39);
}

/// Models of standardized columns take new rows in the units of the data.
#[test]
fn units_of_a_model_hold_for_new_rows() {
    let folder = folder();
    let embed = format!("embed --method smacof --standardize --input old.csv {NAMED}");
    folder.compare(&format!("{embed} --output y.csv --save y.model"));
    folder.compare(&format!("update --model y.model --input new.csv {NAMED} --output z.csv --save z.model"));
    assert_eq!(&lines(&folder, "z.csv")[..31], &lines(&folder, "y.csv")[..]);
    folder.compare(&format!("transform --model z.model --input new.csv {NAMED} --output placed.csv"));
    assert_eq!(&lines(&folder, "placed.csv")[1..], &lines(&folder, "z.csv")[31..]);
}

#[test]
fn updates_that_do_not_fit_are_refused() {
    let folder = folder();
    folder.compare(&format!("embed --method smacof --input old.csv {NAMED} --output y.csv --save y.model"));
    folder.compare(&format!("embed --method pca --input old.csv {NAMED} --output p.csv --save p.model"));
    let text = String::from_utf8(folder.read("new.csv")).unwrap();
    folder.file("twice.csv", text.replace("r35", "r5"));
    folder.file("wide.csv", text.replace("id,a,b,c,d", "id,a,b,c,e"));
    let update = |model: &str, rest: &str| {
        format!("update --model {model} --input new.csv {NAMED} --output z.csv {rest}")
    };
    for wrong in ["-1", "nan", "much"] {
        folder.refuses(&update("y.model", &format!("--pull={wrong}")), 2, &["--pull", "at least 0, or inf"]);
    }
    folder.refuses(&update("p.model", "--pull 0 --data old.csv"), 2, &["pca is rotated", "leave --pull out"]);
    folder.refuses(&update("p.model", ""), 1, &["p.model", "does not keep the points", "--data"]);
    folder.refuses(
        &update("p.model", "--data new.csv"),
        1,
        &["rows that the model was fitted to", "30", "10"],
    );
    folder.refuses(&update("y.model", "--standardize"), 2, &["--standardize belongs to `compare embed`"]);
    folder.refuses(
        &update("y.model", "--missing mean"),
        2,
        &["--missing mean would take the means of the points"],
    );
    folder.refuses(&update("y.model", "--weights a=2"), 2, &["--weights belongs to `compare embed`"]);
    folder.file("same.csv", text.replace("r35", "r36"));
    folder.refuses(
        &update("y.model", "").replace("new.csv", "same.csv"),
        1,
        &["the new row `r36` has the name of another new row"],
    );
    folder.refuses(&update("x.model", ""), 1, &["x.model", "cannot be read"]);
    folder.refuses(&update("y.model", "--save y.model"), 2, &["y.model"]);
    folder.refuses(
        &update("y.model", "").replace("new.csv", "twice.csv"),
        1,
        &["the new row `r5` has the name"],
    );
    folder.refuses(&update("y.model", "").replace("new.csv", "wide.csv"), 1, &["wide.csv", "`e`"]);
    assert!(!folder.path("z.csv").exists());
}
