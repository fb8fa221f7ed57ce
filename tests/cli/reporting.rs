//! Reports on studies.

use std::fs;
use std::path::Path;

use super::{assert_says, json, left_in, outflank, refused, run, text};

/// Trains a tiny study into a folder; what the method is and how it is changed is up to `args`.
fn learn(folder: &Path, name: &str, args: &[&str]) -> String {
    let out = folder.join(name).to_str().unwrap().to_string();
    let tiny = ["--games", "10000", "--set", "probes.sample=50", "--set", "probes.games=100"];
    let output = run(&[&["learn"], args, &tiny, &["--out", &out]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    out
}

const FEW: [&str; 5] = ["--games", "20", "--sample", "20", "--no-profiles"];

#[test]
fn a_report_is_one_page_and_its_figures_whatever_the_probes() {
    let folder = tempfile::tempdir().unwrap();
    let rsel = learn(folder.path(), "rsel", &["rsel", "--seeds", "1..3"]);
    let other = ["1cel-rs", "--seeds", "1..2", "--set", "probes.vs=[\"random\"]"];
    let other = learn(folder.path(), "other", &other);
    let page = folder.path().join("page.html");
    let name = page.to_str().unwrap();
    let arguments = ["report", &format!("rsel={rsel}"), &format!("two={other}"), "--out", name];
    let found = json(&[&arguments[..], &FEW, &["--json"]].concat());
    assert_eq!(found["report"], name);
    let names: Vec<&str> =
        found["studies"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rsel", "two"]);
    let html = fs::read_to_string(&page).unwrap();
    assert_says(
        &html,
        &["measured in this way: two.", "measured in this way: rsel.", "--games 20"],
    );
    assert!(!html.contains("NaN"));
    let figures = found["figures"].as_array().unwrap();
    // Two curves, two charts of final values, five champions, two objectives.
    assert_eq!(figures.len(), 10);
    for figure in figures {
        let svg = fs::read_to_string(figure.as_str().unwrap()).unwrap();
        assert!(svg.starts_with("<!-- A figure of outflank report. -->\n<svg "), "{figure}");
        assert!(svg.contains("prefers-color-scheme:dark"), "{figure}");
    }
    let data = found["data"].as_array().unwrap();
    // The means of each curve, and its runs.
    assert_eq!(data.len(), 2 * 2);
    for (index, csv) in data.iter().enumerate() {
        let csv = fs::read_to_string(csv.as_str().unwrap()).unwrap();
        let head = match index % 2 {
            0 => "study,training_games,runs,mean,low,high\n",
            _ => "study,seed,training_games,value\n",
        };
        assert!(csv.starts_with(head), "{csv}");
        assert!(csv.ends_with('\n') && csv.lines().count() > 1, "{csv}");
    }
    let before = html;
    let again = run(&[&arguments[..], &FEW, &["--threads", "1"]].concat());
    assert_says(text(&again.stdout), &["page.html", "10 figures", "page-figures"]);
    assert_eq!(fs::read_to_string(&page).unwrap(), before, "the same bytes");
    let mut left = left_in(folder.path());
    left.sort();
    assert_eq!(left, ["other", "page-figures", "page.html", "rsel"]);
}

#[test]
fn figures_of_a_report_are_made_for_a_paper() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel", "--seeds", "1..2"]);
    let page = folder.path().join("page.html");
    let arguments = ["report", &study, "--out", page.to_str().unwrap()];
    let paper = ["--figures-as", "svg,pdf", "--width", "85mm", "--no-titles"];
    let found = json(&[&arguments[..], &FEW, &paper, &["--json"]].concat());
    let figures: Vec<&str> =
        found["figures"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let (pdfs, svgs): (Vec<&str>, Vec<&str>) =
        figures.iter().partition(|name| name.ends_with(".pdf"));
    assert_eq!((pdfs.len(), svgs.len()), (figures.len() / 2, figures.len() / 2));
    for name in &pdfs {
        let bytes = fs::read(name).unwrap();
        // 8.5 cm are 240.94 points.
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with("%PDF-1.7\n") && text.contains("/MediaBox [0 0 240.94"), "{name}");
    }
    for name in &svgs {
        let svg = fs::read_to_string(name).unwrap();
        assert!(svg.contains("width=\"8.5cm\"") && !svg.contains("class=\"o-title\""), "{name}");
    }
    let html = fs::read_to_string(&page).unwrap();
    assert_says(&html, &["--figures-as svg,pdf --width 8.5cm --no-titles", "curve-1-utility.pdf"]);
    // The next report has none, and takes them away.
    run(&[&arguments[..], &FEW].concat());
    assert!(pdfs.iter().all(|name| !Path::new(name).exists()));
    let html = fs::read_to_string(&page).unwrap();
    assert!(!html.contains(".pdf"));
    for (option, value, expected) in [
        ("--width", "8.5", "8.5cm"),
        ("--width", "1cm", "from 3 to 100 cm"),
        ("--figures-as", "png", "expected \"svg\" or \"pdf\""),
        ("--figures-as", "", "expected \"svg\" or \"pdf\""),
    ] {
        assert_says(&refused(&["report", &study, option, value], 2), &[expected]);
    }
}

#[test]
fn one_run_has_a_report_without_intervals() {
    let folder = tempfile::tempdir().unwrap();
    // A name that would run code if it were not escaped.
    let method = folder.path().join("<img src=x onerror=alert(1)>.toml");
    fs::write(&method, "base = \"rsel\"\n").unwrap();
    let study = learn(folder.path(), "study", &[method.to_str().unwrap()]);
    let page = folder.path().join("page.html");
    for path in [study.clone(), format!("{study}/1")] {
        let args = ["report", &path, "--out", page.to_str().unwrap()];
        assert!(run(&[&args[..], &FEW].concat()).status.success());
        let html = fs::read_to_string(&page).unwrap();
        assert_says(&html, &["A study with one run has no interval."]);
        assert!(!html.contains("(one run)"));
        assert!(!html.contains("<img") && !html.contains("id=\"round-robin\""));
    }
    assert_says(&fs::read_to_string(&page).unwrap(), &["&lt;img src=x"]);
}

#[test]
fn a_study_of_networks_has_a_table_a_report_and_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("neat").to_str().unwrap().to_string();
    let few = ["--set", "search.population=10", "--set", "probes.games=20"];
    let args = ["learn", "neat", "--seeds", "1..2", "--games", "1000", "--out", &out];
    let learned = run(&[&args[..], &few].concat());
    let table = text(&learned.stdout);
    // The opponents by name, shares with digits, counts without.
    let head = table.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
    let probes = ["random", "top10", "mean", "hidden", "connections", "species"];
    assert_eq!(head[3..], probes);
    assert_says(table, &["hidden: hidden nodes of the champion", "share of games won"]);
    let row = table.lines().find(|line| line.starts_with("1 ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert!(cells[3].contains('.') && cells[6].parse::<u64>().is_ok(), "{row}");
    let page = folder.path().join("page.html");
    let named = format!("neat={out}");
    let args = ["report", &named, "--out", page.to_str().unwrap()];
    assert!(run(&[&args[..], &FEW].concat()).status.success());
    let html = fs::read_to_string(&page).unwrap();
    assert_says(&html, &[">Connections of the champion<", "the network of neat, seed"]);
    assert!(!html.contains("NaN") && !html.contains("against hidden"));
    let compared = run(&["compare", &out]);
    let compared = text(&compared.stdout);
    assert_says(
        compared,
        &["random: share of games won", "top10: share of training games won by the ten"],
    );
    assert!(!compared.contains("species"));
    let asked = run(&["compare", &out, "--probe", "species"]);
    assert_says(text(&asked.stdout), &["species: species of the generation"]);
}

#[test]
fn runs_repeated_from_their_spec_end_with_the_same_bytes_under_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel"]);
    let spec = format!("{study}/1/spec.toml");
    let again = folder.path().join("again");
    let args = ["learn", &spec, "--out", again.to_str().unwrap()];
    assert!(run(&args).status.success());
    for name in ["spec.toml", "metrics.csv", "champion.json"] {
        let read = |study: &Path| fs::read(study.join("1").join(name)).unwrap();
        assert!(read(Path::new(&study)) == read(&again), "{name}");
    }
    // The name of a spec appears in none of them.
    fs::copy(&spec, folder.path().join("mine.toml")).unwrap();
    let (mine, other) = (folder.path().join("mine.toml"), folder.path().join("other"));
    assert!(
        run(&["learn", mine.to_str().unwrap(), "--out", other.to_str().unwrap()]).status.success()
    );
    for name in ["spec.toml", "metrics.csv", "champion.json"] {
        let read = |study: &Path| fs::read(study.join("1").join(name)).unwrap();
        assert!(read(Path::new(&study)) == read(&other), "{name}");
    }
    // A name with awkward characters, and figures of an earlier report.
    let page = folder.path().join("page.html");
    let figures = folder.path().join("page-figures");
    fs::create_dir(&figures).unwrap();
    let old = "<!-- A figure of outflank report. -->\n<svg/>\n";
    for (name, text) in [
        ("curve-9-old.svg", old),
        ("curve-9-old.csv", "study,training_games,runs,mean,low,high\n"),
        ("curve-8-mine.svg", "<svg/>"),
        ("champion-photo.svg", old),
        ("mine.svg", old),
    ] {
        fs::write(figures.join(name), text).unwrap();
    }
    let named = format!("<img src=x onerror='alert(1)'>=a/b={study}");
    let args = ["report", &named, "--out", page.to_str().unwrap()];
    assert!(run(&[&args[..], &FEW].concat()).status.success());
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("&lt;img src=x onerror=") && !html.contains("<img"));
    // Only files with the name and the first line of a figure are removed.
    for name in ["curve-9-old.svg", "curve-9-old.csv"] {
        assert!(!figures.join(name).exists(), "{name}");
    }
    for name in ["curve-8-mine.svg", "champion-photo.svg", "mine.svg"] {
        assert!(figures.join(name).exists(), "{name}");
    }
    assert!(left_in(&figures).iter().all(|name| !name.starts_with('.')), "nothing temporary");
}

#[test]
fn what_has_no_probe_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel"]);
    let [begun, empty] = ["begun", "empty"].map(|name| folder.path().join(name));
    fs::create_dir(&begun).unwrap();
    fs::create_dir(&empty).unwrap();
    fs::copy(format!("{study}/study.json"), begun.join("study.json")).unwrap();
    let page = folder.path().join("page.html");
    let page = page.to_str().unwrap();
    let [begun, empty] = [&begun, &empty].map(|path| path.to_str().unwrap());
    let message = refused(&["report", &study, begun, "--out", page], 1);
    assert_says(&message, &[begun, "no probe yet", "outflank learn"]);
    assert_says(&refused(&["report", empty, "--out", page], 2), &[empty, "neither a study"]);
    assert_says(&refused(&["report", "no/such/study", "--out", page], 2), &["no/such/study"]);
    assert_says(&refused(&["report", &study, &study, "--out", page], 2), &["named twice"]);
    assert_says(&refused(&["report"], 2), &["STUDY"]);
    for option in ["--games", "--sample", "--threads"] {
        refused(&["report", &study, option, "0"], 2);
    }
    let mut left = left_in(folder.path());
    left.sort();
    assert_eq!(left, ["begun", "empty", "study"]);
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel"]);
    // Enough games to notice if they were played.
    let refused = |out: &Path| {
        let out = out.to_str().unwrap();
        let args = ["report", &study, "--games", "1000000000", "--out", out];
        assert_says(&refused(&args, 1), &["cannot write", out.trim_end_matches(".html")]);
    };
    refused(&folder.path().join("missing/page.html"));
    refused(folder.path());
    fs::write(folder.path().join("taken-figures"), "a file").unwrap();
    refused(&folder.path().join("taken.html"));
    let mut left = left_in(folder.path());
    left.sort();
    assert_eq!(left, ["study", "taken-figures"]);
}

#[test]
fn profiles_are_made_with_any_database() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel"]);
    let [db, page] = ["tiny.db", "page.html"].map(|name| folder.path().join(name));
    let [db, page] = [&db, &page].map(|path| path.to_str().unwrap());
    let build = ["profile", "build", "--opponents", "300", "--doubles", "10", "--out", db];
    assert!(run(&build).status.success());
    let args = ["report", &study, "--games", "20", "--sample", "20", "--profile-db", db];
    let found = json(&[&args[..], &["--out", page, "--json"]].concat());
    let figures = found["figures"].to_string();
    assert!(figures.contains("profiles.svg"), "{figures}");
    assert_says(
        &fs::read_to_string(page).unwrap(),
        &["300 random weighted piece counters", "--profile-db"],
    );
    let missing = ["report", &study, "--profile-db", "none.db", "--out", page];
    assert_says(&refused(&missing, 1), &["none.db"]);
    let both = ["report", &study, "--profile-db", db, "--no-profiles"];
    assert_says(&refused(&both, 2), &["cannot be used with"]);
}

#[test]
fn champions_are_measured_by_the_yardsticks_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel"]);
    let page = folder.path().join("page.html");
    let page = page.to_str().unwrap();
    let args = ["report", &study, "--out", page, "--vs"];
    for (vs, fault) in [
        ("td-gredy", "td-gredy"),
        ("random,,heuristic", "has an empty name"),
        ("random,random", "names \"random\" twice"),
    ] {
        assert_says(&refused(&[&args[..], &[vs]].concat(), 2), &[fault]);
        assert_eq!(left_in(folder.path()), ["study"]);
    }
    let vs = "td-greedy,positional@epsilon=0.2,noise=0.01";
    let found = json(&[&args[..], &[vs], &FEW, &["--json"]].concat());
    assert_eq!(found["vs"], vs);
    let html = fs::read_to_string(page).unwrap();
    assert_says(&html, &["positional@epsilon=0.2,noise=0.01</th>", "won against td-greedy of"]);
    assert_says(&html, &["--vs td-greedy,positional@epsilon=0.2,noise=0.01"]);
    assert!(!html.contains("expected utility in"));
    assert_says(text(&run(&["report", "--help"]).stdout), &["--vs td-greedy,positional,utility"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_report_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let study = learn(folder.path(), "study", &["rsel"]);
    let page = folder.path().join("page.html");
    let args = ["report", &study, "--games", "1000000000", "--out", page.to_str().unwrap()];
    let mut command = super::outflank(&args);
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The folder that the figures are written to shows that it has begun.
    while !left_in(folder.path()).iter().any(|name| name.starts_with(".figures-")) {
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    assert!(
        std::process::Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success()
    );
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(130));
    assert_eq!(left_in(folder.path()), ["study"]);
}

#[test]
fn a_run_whose_folder_is_called_like_a_player_is_that_run() {
    let folder = tempfile::tempdir().unwrap();
    learn(folder.path(), "study", &["rsel"]);
    fs::rename(folder.path().join("study/1"), folder.path().join("random")).unwrap();
    let report = |run: &str, page: &str| {
        let args = [&["report", run, "--out", page], &FEW[..]].concat();
        let output = outflank(&args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let html =
            fs::read_to_string(folder.path().join(page)).unwrap().replace("./random", "random");
        assert!(html.contains("weights of random, seed 1"), "its champion is drawn");
        let measured = html.split_once("The champions of all runs in fresh games").unwrap().1;
        measured.split_once("</section>").unwrap().0.to_owned()
    };
    let page = report("random", "named.html");
    assert!(page == report("./random", "path.html"), "{page}");
}
