//! Files in the forms of other programs: distances, similarities, numbers with signs, vectors.

use crate::temp_folder::TempFolder;

fn said(folder: &TempFolder, line: &str) -> String {
    String::from_utf8(folder.command(line).assert().success().get_output().stderr.clone()).unwrap()
}

fn text(folder: &TempFolder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

#[test]
fn distances_of_other_programs_are_embedded_with_their_names() {
    let folder = TempFolder::new();
    folder.file("d.phy", "4\nhuman\nchimp 3\ngorilla 4 5\norang 4 5 5\n");
    folder.file(
        "d.csv",
        "chimp,human,3\nhuman,gorilla,4\norang,human,4\nchimp,gorilla,5\nchimp,orang,5\norang,gorilla,5\n",
    );
    let embed = "embed --method classical-mds --dim 2 --set given=distances";
    let notes = said(&folder, &format!("{embed} --input d.phy --output y.csv --plot y.svg"));
    assert!(notes.contains("read as a lower triangle of PHYLIP of 4 points with names"), "{notes}");
    assert!(text(&folder, "y.csv").starts_with("name,x1,x2\nhuman,"), "{}", text(&folder, "y.csv"));
    assert!(text(&folder, "y.svg").contains(">gorilla<"));
    folder.compare(&format!("{embed} --input d.csv --output z.csv"));
    assert!(text(&folder, "z.csv").contains("\norang,"), "{}", text(&folder, "z.csv"));
    let scores = folder.compare("measure --input d.phy --given distances --k 1 --embedding y.csv");
    assert!(scores.contains("\"given\": \"distances\""), "{scores}");
    folder.refuses("embed --method pca --input d.phy --output w.csv", 1, &["--set given=distances"]);
    folder.refuses(&format!("{embed} --input d.csv --ignore 0 --output w.csv"), 1, &["d.csv"]);
    folder.file("gap.csv", "a,b,1\nb,c,2\n");
    let parts = ["gap.csv", "`a` and `c` have none", "given=neighbors"];
    folder.refuses(&format!("{embed} --input gap.csv --output w.csv"), 1, &parts);
}

#[test]
fn similarities_are_converted_and_said_to_be() {
    let folder = TempFolder::new();
    // Inner products of the corners of a rectangle of sides 3 and 4.
    folder.file("s.csv", "0,0,0,0\n0,9,0,9\n0,0,16,16\n0,9,16,25\n");
    let embed = "embed --method classical-mds --dim 2 --input s.csv --output y.csv --set given";
    let notes = said(&folder, &format!("{embed}=similarities"));
    assert!(notes.contains("the square root of s(i,i) + s(j,j) - 2 s(i,j)"), "{notes}");
    let map: Vec<Vec<f64>> = text(&folder, "y.csv")
        .lines()
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let distance = |i: usize, j: usize| (map[i][0] - map[j][0]).hypot(map[i][1] - map[j][1]);
    for (i, j, expected) in [(0, 1, 3.0), (0, 2, 4.0), (0, 3, 5.0), (1, 2, 5.0)] {
        assert!((distance(i, j) - expected).abs() < 1e-12, "{i} {j}");
    }
    let scores = folder.compare("measure --input s.csv --given similarities --k 1 --embedding y.csv");
    assert!(scores.contains("\"given\": \"similarities\""), "{scores}");
    folder.refuses(&format!("{embed}=likeness"), 2, &["points, distances, similarities or neighbors"]);
    folder.refuses(
        "measure --input s.csv --given similarities --metric cosine --k 1 --embedding y.csv",
        2,
        &["--given similarities"],
    );
}

#[test]
fn numbers_with_signs_and_vectors_are_read_without_an_option() {
    let folder = TempFolder::new();
    let row =
        |i: usize| format!("{},{:03}.5;{}%;[{}, {}];;\n", i + 1, i * 7 % 10, i * i % 11, i % 4, i * 3 % 5);
    folder.file("x.csv", "income;rate;vector\n".to_owned() + &(0..12).map(row).collect::<String>());
    let notes = said(&folder, "embed --method pca --dim 1 --input x.csv --output y.csv --report r.json");
    for part in ["separators between thousands", "percent signs", "`vector.0` to `vector.1`", "ends of rows"]
    {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    folder.file("y.csv", "a;b\n1,234;2\n2,500;3\n4,000;4\n");
    let embed = "embed --method pca --dim 1 --input y.csv --output z.csv";
    folder.refuses(embed, 1, &["--decimal-comma", "--thousands comma"]);
    folder.compare(&format!("{embed} --thousands comma --save m.bin"));
    folder.compare("transform --model m.bin --thousands comma --input y.csv --output t.csv");
    assert_eq!(folder.read("t.csv"), folder.read("z.csv"));
    folder.refuses(&format!("{embed} --thousands comma --decimal-comma"), 1, &["--thousands comma"]);
}
