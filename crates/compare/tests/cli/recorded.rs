//! Runs that are repeated by their `results.json`, and draws of a sweep.

use crate::temp_folder::{TempFolder, listing};

/// Its start has a seed of its own.
#[test]
fn draws_without_a_seed_are_named() {
    let folder = TempFolder::new();
    let run = "run --datasets swiss-roll --n 40 --methods smacof,tsne --set smacof.start=random:2:0 \
               --set tsne.perplexity=5 --seeds 2 --out o";
    let output = folder.command(run).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("smacof has no parameter seed: start=random:2:0 is the same in every draw"),
        "{told}"
    );
    assert!(!told.contains("tsne has no parameter seed"), "{told}");
}

#[test]
fn a_recorded_run_is_repeated() {
    let folder = TempFolder::new();
    folder.file("my data.csv", "1,2\n3,4\n5,7\n9,1\n2,2\n4,8\n7,7\n1,9\n");
    let mut command = folder.command(
        "run --methods tsne,lle,isomap --k 4 --measure-k 2 --seed 7 --out a --set tsne.perplexity=2 --input",
    );
    command.arg("my data.csv").assert().success();
    folder.compare("run --from a/results.json --out b");
    let embeddings = listing(&folder.path("a/embeddings")).into_iter().filter(|(path, _)| path.is_file());
    let mut compared = 0;
    for (path, _) in embeddings {
        let inside = path.strip_prefix(folder.path("a")).unwrap().to_str().unwrap().to_owned();
        assert_eq!(folder.read(&format!("a/{inside}")), folder.read(&format!("b/{inside}")), "{inside}");
        compared += 1;
    }
    assert_eq!(compared, 3);
    // What was repeated can be repeated.
    folder.compare("run --from b/results.json --out c");
    assert_eq!(
        folder.json("c/results.json")["datasets"][0]["methods"][0]["recipe"],
        folder.json("a/results.json")["datasets"][0]["methods"][0]["recipe"]
    );
    let told = |folder: &TempFolder| {
        let output = folder.command("run --from a/results.json --out e").output().unwrap();
        String::from_utf8(output.stderr).unwrap().contains("differ from the data of the recorded run")
    };
    assert!(!told(&folder));
    folder.file("my data.csv", "1,2\n3,4\n5,7\n9,1\n2,2\n4,8\n7,7\n1,8\n");
    assert!(told(&folder), "one cell was changed");
    folder.refuses("run --from a/results.json --k 5 --out d", 2, &["only --out"]);
    folder.file("other.json", "{}").file("broken.json", "[");
    folder.refuses("run --from other.json --out d", 1, &["other.json", "records no run"]);
    folder.refuses("run --from broken.json --out d", 1, &["broken.json"]);
    folder.refuses("run --from absent.json --out d", 1, &["absent.json"]);
}
