//! `compare digest`.

use crate::temp_folder::TempFolder;

const FEW: &str = "pca,lda,lle,tsne,umap";

#[test]
fn threads_and_memory_limits_do_not_change_digests() {
    let folder = TempFolder::new();
    let one = folder.compare(&format!("digest --methods {FEW} --threads 1"));
    let two =
        folder.compare(&format!("digest --methods {FEW} --threads 2 --memory-limit 1kB --report d.json"));
    assert_eq!(one, two);
    let report = folder.json("d.json");
    let last = one.lines().last().unwrap();
    assert_eq!(
        last,
        format!("swissroll {} {}", env!("CARGO_PKG_VERSION"), report["digest"].as_str().unwrap())
    );
    assert!(report["digests"]["lda"]["hypercube"].is_null());
    assert!(report["errors"]["lda"]["digits"].is_null());
    let error = report["errors"]["lda"]["hypercube"].as_str().unwrap();
    assert!(error.contains("label") && one.contains(&format!("lda of hypercube: {error}")), "{one}");
    let mut maps: Vec<&str> =
        FEW.split(',').map(|name| report["digests"][name]["digits"].as_str().unwrap()).collect();
    maps.sort_unstable();
    maps.dedup();
    assert_eq!(maps.len(), 5, "{one}");
}

/// Integers and uniform random numbers have the same bits on every system: recorded on 2026-11-29.
#[test]
fn the_data_of_digests_are_those_recorded() {
    let folder = TempFolder::new();
    folder.compare("digest --methods random-projection --report d.json");
    let data = &folder.json("d.json")["digests"]["data"];
    assert_eq!([&data["digits"], &data["hypercube"]], ["0e1c19b6fbba1f1c", "c8bbab60ff56e841"]);
}

#[test]
fn the_whole_digest_depends_on_every_method() {
    let folder = TempFolder::new();
    let last = |line: &str| folder.compare(line).lines().last().unwrap().to_owned();
    assert_ne!(last("digest --methods pca"), last("digest --methods classical-mds"));
    folder.refuses("digest --methods pcaa", 2, &["did you mean `pca`"]);
}
