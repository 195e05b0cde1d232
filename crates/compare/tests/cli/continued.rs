//! `embed --continue`.

use crate::starts::folder;

const INPUT: &str = "--input x.csv --name-column id";

/// 4 iterations and 6 are 10 to the bit for SMACOF, by the file of the model; its method and its other parameters
/// hold, and --set changes one.
#[test]
fn a_fit_goes_on_from_a_saved_model() {
    let folder = folder();
    let smacof = format!("embed --method smacof {INPUT} --set tolerance=0 --set start=random:1:3");
    folder.compare(&format!("{smacof} --set iterations=10 --output whole.csv --report whole.json"));
    folder.compare(&format!("{smacof} --set iterations=4 --output half.csv --save half.model"));
    folder.compare(&format!(
        "embed --continue half.model {INPUT} --set iterations=6 --output more.csv --report more.json --save more.model"
    ));
    assert_eq!(folder.read("more.csv"), folder.read("whole.csv"));
    assert_ne!(folder.read("half.csv"), folder.read("whole.csv"));
    let history = |name: &str| folder.json(name)["facts"]["stress_history"].clone();
    assert_eq!(history("more.json"), history("whole.json"));
    let recipe = &folder.json("more.json")["recipe"];
    assert!(recipe.to_string().contains("random:1:3"), "{recipe}");
    assert!(folder.json("more.json")["notes"].to_string().contains("the fit goes on from the given map"));
    // The new model goes on, too, and places rows.
    folder.compare(&format!("embed --continue more.model {INPUT} --output again.csv"));
    folder.compare(&format!("transform --model more.model {INPUT} --output placed.csv"));
    assert_eq!(folder.read("placed.csv"), folder.read("more.csv"));
}

/// A layout goes on without its first phases.
#[test]
fn a_layout_goes_on_at_the_scale_of_its_map() {
    let folder = folder();
    let tsne = format!("embed --method tsne {INPUT} --set perplexity=5 --set iterations=50");
    folder.compare(&format!("{tsne} --output y.csv --save y.model"));
    folder.compare(&format!("embed --continue y.model {INPUT} --set iterations=0 --output same.csv"));
    assert_eq!(folder.read("same.csv"), folder.read("y.csv"));
    folder.compare(&format!("embed --method tsne --continue y.model {INPUT} --output more.csv"));
    assert_ne!(folder.read("more.csv"), folder.read("y.csv"));
}

/// A fit of weighted or standardized columns goes on with the same options, to the bit.
#[test]
fn a_fit_of_scaled_columns_goes_on() {
    let folder = folder();
    for (model, scaled) in [("w.model", "--weights a=4,c=0.5"), ("b.model", "--standardize --weights b=3")] {
        let smacof = format!("embed --method smacof {INPUT} {scaled} --set tolerance=0");
        folder.compare(&format!("{smacof} --set iterations=8 --output whole.csv"));
        folder.compare(&format!("{smacof} --set iterations=3 --output half.csv --save {model}"));
        folder.compare(&format!(
            "embed --continue {model} {INPUT} {scaled} --set iterations=5 --output more.csv"
        ));
        assert_eq!(folder.read("more.csv"), folder.read("whole.csv"));
        let text = String::from_utf8(folder.read("x.csv")).unwrap();
        folder.file("other.csv", text.replace("r7,1,5,2", "r7,2,5,2").replace("r8,8,", "r8,7,"));
        let other =
            format!("embed --continue {model} {INPUT} {scaled} --output z.csv").replace("x.csv", "other.csv");
        folder.refuses(&other, 1, &["; give the data of the model"]);
    }
}

#[test]
fn what_cannot_go_on_is_refused() {
    let folder = folder();
    folder.compare(&format!("embed --method smacof {INPUT} --output y.csv --save y.model"));
    folder.compare(&format!("embed --method pca {INPUT} --output p.csv --save p.model"));
    folder
        .compare(&format!("embed --method smacof {INPUT} --metric manhattan --output m.csv --save m.model"));
    folder.compare(&format!("embed --method smacof {INPUT} --standardize --output s.csv --save s.model"));
    let text = String::from_utf8(folder.read("x.csv")).unwrap();
    folder.file("few.csv", text.lines().take(20).map(|line| format!("{line}\n")).collect::<String>());
    folder.file("other.csv", text.replace("r7,", "r7,1"));
    let go_on = |model: &str, rest: &str| format!("embed --continue {model} {INPUT} --output z.csv {rest}");
    folder.refuses(&go_on("p.model", ""), 2, &["needs the model of an iterative method, but pca is none"]);
    folder.refuses(&go_on("y.model", "--method umap"), 2, &["the method of the model, smacof", "umap"]);
    folder.refuses(&go_on("m.model", ""), 2, &["give --metric manhattan, not euclidean"]);
    let scaled = ["are standardized or weighted", "give its --standardize and --weights"];
    folder.refuses(&go_on("s.model", ""), 1, &scaled);
    folder.refuses(&go_on("y.model", "--standardize"), 1, &["neither standardized nor weighted; leave out"]);
    folder.refuses(&go_on("y.model", "--weights a=2"), 1, &["neither standardized nor weighted; leave out"]);
    let weighted = "the means, standard deviations or weights of the columns differ";
    folder.refuses(&go_on("s.model", "--standardize --weights b=2"), 1, &[weighted]);
    folder.refuses(&go_on("y.model", "--start start.csv"), 2, &["--continue", "--start"]);
    folder.refuses(&go_on("x.csv", ""), 1, &["x.csv", "this is no saved model"]);
    folder.refuses(&go_on("y.model", "--dim 3"), 1, &["24 × 3", "24 × 2"]);
    let few = "embed --continue y.model --input few.csv --name-column id --output z.csv";
    folder.refuses(few, 1, &["the number of rows of the model whose fit goes on", "19", "24"]);
    folder.refuses(
        &few.replace("few", "other"),
        1,
        &["row 7 (counted from 0) differs", "give the data of the model"],
    );
    folder.refuses(&go_on("y.model", "--save y.model"), 2, &["y.model"]);
    folder.refuses(&format!("embed {INPUT} --output z.csv"), 2, &["--method"]);
    assert!(!folder.path("z.csv").exists());
}
