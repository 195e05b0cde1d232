"""Times Swissroll against its peers, one after the other in one run, as ratios.

    python3 benches/peers/run.py                 what finishes in a few minutes
    python3 benches/peers/run.py --works lle-100k,isomap-20k --runs 3
    python3 benches/peers/run.py --works all --timeout 900
    python3 benches/peers/run.py --works lle-fashion-10k --fashion FOLDER
    python3 benches/peers/run.py --works ltsa-100k --alone
    python3 benches/peers/run.py --works lle-10k --wheel
    python3 benches/peers/run.py --list

The first call makes a Python environment under target/peers and builds the
program in release. Ours and theirs read the same file; what is compared is the
time of the fit alone (ours: the sum of the stages it reports), and the peak
memory of the whole process. Medians of --runs, ours and theirs in turn.
Writes benches/runs/DATE-MACHINE.md and .json; a second run of a day replaces
the works that it repeats and keeps the others. plot.py draws what they hold.

With --wheel the Python package is built, and timed as one more peer through the calls that
scikit-learn gets, so that its time contains all conversions.

Fashion-MNIST is not in the repository: FOLDER holds its four gzipped files, as
Debian's package dataset-fashion-mnist installs them.
"""

import argparse
import array
import datetime
import gzip
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "target" / "peers"
PROGRAM = ROOT / "target" / "release" / "compare"

FASHION = "fashion-mnist"

# name: (data set, points, method, k, peers, part of the quick run).
# t-SNE makes 250 + 500 iterations with steps that grow after the first, the
# default of openTSNE; scikit-learn gets the number as a parameter. The input of
# a method that ends in -distances is the full matrix of distances of the points.
WORKS = {
    "lle-10k": ("swiss-roll", 10_000, "lle", 12, ["scikit-learn", "tapkee"], True),
    "lle-100k": ("swiss-roll", 100_000, "lle", 12, ["scikit-learn"], False),
    "lle-1m": ("swiss-roll", 1_000_000, "lle", 12, [], False),
    "modified-lle-20k": ("swiss-roll", 20_000, "modified-lle", 12, ["scikit-learn"], False),
    "ltsa-20k": ("swiss-roll", 20_000, "ltsa", 12, ["tapkee", "scikit-learn"], False),
    "ltsa-100k": ("swiss-roll", 100_000, "ltsa", 12, ["tapkee"], False),
    "ltsa-1m": ("swiss-roll", 1_000_000, "ltsa", 12, [], False),
    "hessian-lle-50k": ("swiss-roll", 50_000, "hessian-lle", 12, ["tapkee"], False),
    "lle-digits-10k": ("mnist", 10_000, "lle", 12, ["scikit-learn"], False),
    "lle-digits-20k": ("mnist", 20_000, "lle", 12, ["scikit-learn"], False),
    "lle-digits-70k": ("mnist", 70_000, "lle", 12, [], False),
    "lle-fashion-10k": (FASHION, 10_000, "lle", 12, ["scikit-learn"], False),
    "lle-fashion-20k": (FASHION, 20_000, "lle", 12, ["scikit-learn"], False),
    "lle-fashion-70k": (FASHION, 70_000, "lle", 12, [], False),
    "isomap-2k": ("swiss-roll", 2_000, "isomap", 10, ["scikit-learn", "tapkee"], True),
    "isomap-10k": ("swiss-roll", 10_000, "isomap", 10, ["tapkee", "scikit-learn"], False),
    "isomap-20k": ("swiss-roll", 20_000, "isomap", 10, ["scikit-learn"], False),
    "landmark-isomap-1m": ("swiss-roll", 1_000_000, "landmark-isomap", 10, [], False),
    "classical-mds-2k": ("swiss-roll", 2_000, "classical-mds", 0, ["scikit-learn"], True),
    "classical-mds-5k": ("swiss-roll", 5_000, "classical-mds", 0, ["scikit-learn"], False),
    "classical-mds-distances-5k": ("swiss-roll", 5_000, "classical-mds-distances", 0, ["scikit-learn"], False),
    "classical-mds-distances-20k": ("swiss-roll", 20_000, "classical-mds-distances", 0, [], False),
    "smacof-2k": ("swiss-roll", 2_000, "smacof", 0, ["scikit-learn"], True),
    "neighbors-1m": ("swiss-roll", 1_000_000, "neighbors", 12, ["scikit-learn"], False),
    "neighbors-digits-70k": ("mnist", 70_000, "neighbors", 15, ["scikit-learn"], False),
    "isomap-digits-70k": ("mnist", 70_000, "isomap", 10, [], False),
    "tsne-digits": ("digits", 1_797, "tsne", 0, ["scikit-learn", "opentsne"], True),
    "tsne-digits-10k": ("mnist", 10_000, "tsne", 0, ["opentsne", "scikit-learn"], False),
    "tsne-digits-70k": ("mnist", 70_000, "tsne", 0, ["opentsne"], False),
    # umap-learn counts the point itself: its 15. Without a seed it runs on all threads.
    "umap-digits-10k": ("mnist", 10_000, "umap", 14, ["umap-learn", "umap-learn-seeded"], False),
    "umap-digits-70k": ("mnist", 70_000, "umap", 14, ["umap-learn", "umap-learn-seeded"], False),
}

GIVEN = "-distances"

# Works of the plots: one method at growing n, until a peer takes too long.
CURVES = {
    "lle": ("swiss-roll", 12, [1_000, 3_000, 10_000, 30_000, 100_000], ["scikit-learn", "tapkee"]),
    "ltsa": ("swiss-roll", 12, [1_000, 3_000, 10_000, 30_000, 100_000], ["scikit-learn", "tapkee"]),
    "isomap": ("swiss-roll", 10, [500, 1_000, 2_000, 5_000, 10_000, 20_000], ["scikit-learn", "tapkee"]),
    "tsne": ("mnist", 0, [500, 1_000, 2_000, 5_000, 10_000, 20_000], ["scikit-learn", "opentsne"]),
}
for method, (data_set, k, sizes, peers) in CURVES.items():
    for n in sizes:
        WORKS[f"curve-{method}-{n}"] = (data_set, n, method, k, peers, False)


def prepare(wheel):
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    requirements = ROOT / "benches" / "peers" / "requirements.txt"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", requirements], check=True)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "compare"], cwd=ROOT, check=True)
    if wheel:
        subprocess.run([python, "-m", "pip", "install", "--quiet", ROOT / "python"], check=True)
    return python


def timed(command, timeout):
    """Seconds by the process's own clock, peak bytes, and whatever else it says; or why not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return {"failure": f"> {timeout} s"}
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        return {"failure": "out of memory" if done.returncode == -9 else lines[-1][:80]}
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else {}


def fashion(folder, n, out):
    """Writes the first n pictures, the training ones first, as rows of 784 numbers."""
    files = [folder / f"{part}-images-idx3-ubyte.gz" for part in ["train", "t10k"]]
    missing = [str(file) for file in files if not file.exists()]
    if missing:
        sys.exit(f"there is no {' and no '.join(missing)}; --fashion names the folder of Fashion-MNIST's files")
    # A header of 16 bytes, then a byte per pixel.
    pixels = b"".join(gzip.decompress(file.read_bytes())[16:] for file in files)[: 784 * n]
    head = repr({"descr": "<f8", "fortran_order": False, "shape": (n, 784)}).encode()
    head += b" " * (-(11 + len(head)) % 64) + b"\n"
    numbers = array.array("d", iter(pixels)).tobytes()
    out.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + numbers)


def distances(data, python):
    """The file of the full matrix of distances, n times n, of the points in a file; it goes with its folder."""
    matrix = data.with_name(f"{data.stem}-distances.npy")
    if not matrix.exists():
        subprocess.run([python, Path(__file__).with_name("distances.py"), data, matrix], check=True)
    return matrix


def ours(work, data, folder, timeout):
    _, _, method, k, _, _ = WORKS[work]
    report = folder / "report.json"
    if method == "neighbors":
        command = [PROGRAM, "neighbors", "--input", data, "--k", str(k), "--output", folder / "ours.npy"]
        result = timed([*command, "--report", report], timeout)
        if "failure" in result:
            return result
        said = json.loads(report.read_text())
        return {"seconds": said["seconds"], "peak_bytes": said["peak_memory_bytes"]}
    name, given = method.removesuffix(GIVEN), method.endswith(GIVEN)
    command = [PROGRAM, "embed", "--method", name, "--input", data, "--output", folder / "ours.npy"]
    command += ["--report", report, "--memory-limit", "14GB"] + (["--k", str(k)] if k else [])
    command += ["--set", "iterations=500", "--set", "learning-rate=by-phase"] if method == "tsne" else []
    command += ["--set", "landmarks=1000"] if method == "landmark-isomap" else []
    command += ["--set", "given=distances"] if given else []
    result = timed(command, timeout)
    if "failure" in result:
        return result
    said = json.loads(report.read_text())
    result = {"seconds": said["seconds"], "peak_bytes": said["peak_memory_bytes"]}
    facts = said.get("facts", {})
    for theirs, name in [("stress_", "stress"), ("kl_divergence_", "kl_divergence")]:
        if isinstance(facts.get(name), (int, float)):
            result[theirs] = facts[name]
    return result


def median(results):
    failed = [r["failure"] for r in results if "failure" in r]
    if failed:
        return {"failure": failed[0]}
    keys = results[0].keys()
    return {"runs": len(results), **{key: statistics.median(r[key] for r in results) for key in keys}}


def cell(result):
    if "failure" in result:
        return result["failure"]
    extra = "".join(f", {name} {result[key]:.4g}" for key, name in [("stress_", "stress"), ("kl_divergence_", "KL")] if key in result)
    return f"{result['seconds']:.2f} s, {result['peak_bytes'] / 1e9:.2f} GB{extra}"


def machine():
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0] if names else model
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return model, os.cpu_count(), pages / 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--works", default="quick", help="quick, all, curves, or names")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one fit")
    parser.add_argument("--fashion", type=Path, metavar="FOLDER", help="Fashion-MNIST's four files")
    parser.add_argument("--alone", action="store_true", help="ours only; the record keeps what it has of the peers")
    parser.add_argument("--wheel", action="store_true", help="the Python package and scikit-learn")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(WORKS))
        return
    groups = {
        "quick": [w for w in WORKS if WORKS[w][5]],
        "all": [w for w in WORKS if not w.startswith("curve-") and (options.fashion or WORKS[w][0] != FASHION)],
        "curves": [w for w in WORKS if w.startswith("curve-")],
    }
    chosen = groups.get(options.works) or options.works.split(",")
    unknown = [w for w in chosen if w not in WORKS]
    if not options.fashion and any(WORKS[w][0] == FASHION for w in chosen if w in WORKS):
        sys.exit("these works need --fashion FOLDER")
    if unknown:
        sys.exit(f"no work is called {', '.join(unknown)}; --list names them")
    python = prepare(options.wheel)
    model, cores, memory = machine()
    today = datetime.date.today().isoformat()
    label = "".join(c if c.isalnum() else "-" for c in model.lower())[:40].strip("-")
    out = ROOT / "benches" / "runs" / f"{today}-{label}.json"
    record = json.loads(out.read_text()) if out.exists() else {}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    given_up = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in chosen:
            data_set, n, method, k, peers, _ = WORKS[work]
            peers = [] if options.alone else peers
            if options.wheel and "scikit-learn" in peers and method != "neighbors":
                peers = [*peers, "swissroll-python"]
            data = folder / f"{data_set}-{n}.npy"
            if not data.exists() and data_set == FASHION:
                fashion(options.fashion, n, data)
            elif not data.exists():
                subprocess.run([PROGRAM, "dataset", data_set, "--n", str(n), "--output", data], check=True)
            if method.endswith(GIVEN):
                data = distances(data, python)
            # Along a curve a peer that was too slow once is not asked again.
            curve = work.rsplit("-", 1)[0] if work.startswith("curve-") else work
            results = {who: [] for who in ["swissroll", *peers] if (curve, who) not in given_up}
            for _ in range(options.runs):
                for who in results:
                    if results[who] and "failure" in results[who][-1]:
                        continue
                    if who == "swissroll":
                        result = ours(work, data, folder, options.timeout)
                    else:
                        script = Path(__file__).with_name("fit.py")
                        result = timed([python, script, who, method, data, str(k), folder / "theirs.npy"], options.timeout)
                    if "failure" in result:
                        given_up.add((curve, who))
                    results[who].append(result)
                    print(f"{work}: {who}: {cell(result)}", flush=True)
            before = record.get(work, {}).get("medians", {}) if options.alone else {}
            medians = {**before, **{who: median(r) for who, r in results.items()}}
            record[work] = {"n": n, "method": method, "data": data_set, "k": k, "commit": commit, "medians": medians}
            write(out, record, python)


def write(out, record, python):
    """The record, and a page of it."""
    model, cores, memory = machine()
    versions = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True).stdout.split()
    wanted = ("scikit-learn", "openTSNE", "tapkee", "umap", "numpy", "scipy")
    rows = []
    for work in (work for work in WORKS if work in record and not work.startswith("curve-")):
        entry = record[work]
        mine, k = entry["medians"]["swissroll"], entry["k"]
        method = entry["method"] + (f", k = {k}" if k else "")
        rows.append(f"| {work} | {entry['data']}, n = {entry['n']:,} | {method} | {cell(mine)} | | | {mine.get('runs', 1)} | {entry['commit']} |")
        for peer, theirs in entry["medians"].items():
            if peer != "swissroll":
                ratio = "" if "failure" in theirs or "failure" in mine else f"{theirs['seconds'] / mine['seconds']:.2f}"
                rows.append(f"| | | | | {peer}: {cell(theirs)} | {ratio} | {theirs.get('runs', 1)} | |")
    out.parent.mkdir(exist_ok=True)
    lines = [
        f"# {out.stem[:10]}: {model}, {cores} cores, {memory:.0f} GB",
        "",
        f"{', '.join(v for v in versions if v.startswith(wanted))}; Python {platform.python_version()}.",
        "`python3 benches/peers/run.py --works NAME --runs RUNS`",
        "",
        "Medians of the fit's seconds over this many runs, alternating between programs; peak memory of the process,",
        "input included. Ratio: their seconds over ours.",
        "",
        "| work | data | method | Swissroll | peer | ratio | runs | commit |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    out.with_suffix(".md").write_text("\n".join(lines))
    out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
