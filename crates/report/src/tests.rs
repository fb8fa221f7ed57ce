use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use outflank_arena::{Arena, News, Watch};
use outflank_game::model::graph::{Graph, Response};
use outflank_game::model::{Evaluate, Eyes, Mlp, MlpShape, View};
use outflank_game::player::{Brain, Player, Policy, parse_player};
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Curve, Kernel};
use outflank_lab::{
    Database, Effort, Measurement, Opponent, Probe, Recipe, RunFront, RunResult, Team,
};

const SCRIPT: &str = "<img src=x onerror=alert(1)>\"'&";

fn study(name: &str, probes: &[&str], seeds: std::ops::Range<u64>) -> Results {
    let measurement = |games: u64, probe: &str, seed: u64| Measurement {
        games,
        generation: games / 10,
        probe: probe.into(),
        value: 0.5 + 0.01 * seed as f64,
        score: Some(0.5),
        wins: Some(5),
        draws: Some(0),
        losses: Some(5),
    };
    let run = |seed: u64| RunResult {
        seed,
        path: PathBuf::from(format!("runs/{name}/{seed}")),
        games: 100,
        generations: 10,
        is_finished: true,
        is_cut: false,
        measurements: [50, 100]
            .into_iter()
            .flat_map(|games| probes.iter().map(move |probe| measurement(games, probe, seed)))
            .collect(),
        cost: None,
        command: vec!["outflank".into(), "learn".into(), name.into()],
        program: "0.1.0".into(),
        signature: 1,
    };
    Results {
        name: name.into(),
        path: PathBuf::from("runs").join(name),
        spec: format!("games = 100\n[search]\nkind = {name:?}\n"),
        runs: seeds.map(run).collect(),
        left_out: Vec::new(),
    }
}

fn page(studies: &[Results]) -> Page {
    page_of(studies, &parse_player("lr2006").unwrap())
}

/// All champions are this player.
fn page_of(studies: &[Results], champion: &Player) -> Page {
    page_by(&["random", "heuristic", "utility"], studies, champion)
}

/// Counts the games played.
struct Played(AtomicU64);

impl Watch for Played {
    fn tell(&self, news: News<'_>) {
        if let News::Done(games) = news {
            self.0.store(games, Ordering::Relaxed);
        }
    }
}

/// A page with these benchmark opponents.
fn page_by(yardsticks: &[&str], studies: &[Results], champion: &Player) -> Page {
    page_with(yardsticks, studies, champion, &[])
}

/// The same with fronts.
fn page_with(
    yardsticks: &[&str],
    studies: &[Results],
    champion: &Player,
    fronts: &[Fronts],
) -> Page {
    let arena = Arena::new(Kernel::available()[0], 1).unwrap();
    let champions = |study: &Results| Team {
        name: study.name.clone(),
        players: vec![champion.clone(); study.runs.len()],
    };
    let recipe = Recipe { seed: 1, opponents: 30, doubles: 1, cap: None };
    let opponents = (0..30).map(|index| Opponent { index, half_points: 2 });
    let plan = EvidencePlan {
        yardsticks: yardsticks.iter().map(|name| Probe::parse(name).unwrap()).collect(),
        effort: Effort { games: 10, sample: 10 },
        opponents: Some(Database::new(recipe, opponents)),
        seed: Seed(1),
    };
    let teams: Vec<Team> = studies.iter().map(champions).collect();
    let expected = Evidence::games(&teams, &plan);
    let played = Played(AtomicU64::new(0));
    let evidence = Evidence::gather(&arena, teams, plan, &played).unwrap();
    let played = played.0.into_inner();
    assert_eq!(played, expected);
    let command = ["outflank".to_string(), "report".into(), SCRIPT.into()];
    let folder = "a b";
    let (signature, formats) = (7, &[FileFormat::Svg, FileFormat::Pdf]);
    let (evidence, command) = (&evidence, &command);
    Page::write(&Material { studies, evidence, fronts, command, folder, signature, formats })
}

#[test]
fn a_report_has_its_parts_and_refers_to_nothing_outside() {
    let page = page(&[study("one", &["random", "utility"], 1..4), study("two", &["random"], 1..3)]);
    for section in [
        "summary",
        "curves",
        "results",
        "champions",
        "round-robin",
        "objectives",
        "profiles",
        "specs",
        "repeat",
        "words",
    ] {
        assert!(page.html.contains(&format!("<section id=\"{section}\">")), "{section}");
        assert!(page.html.contains(&format!("<a href=\"#{section}\">")), "{section}");
    }
    let outside = page.html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for reference in ["http:", "https:", "//", "<script", "<link", "<img", "@import", "url("] {
        assert!(!outside.contains(reference), "{reference}");
    }
    let names: Vec<&str> = page.figures.iter().map(|figure| figure.name.as_str()).collect();
    let expected = [
        "curve-1-random.svg",
        "curve-2-utility.svg",
        "final-1-random.svg",
        "final-2-utility.svg",
        "champion-1-one-seed-3.svg",
        "champion-1-one-seed-2.svg",
        "champion-1-one-seed-1.svg",
        "champion-2-two-seed-2.svg",
        "champion-2-two-seed-1.svg",
        "two-objectives.svg",
        "profiles.svg",
    ];
    assert_eq!(names, expected);
    for figure in &page.figures {
        let inline = figure::embedded(figure.svg.strip_prefix(MARK).unwrap());
        // Small figures have their numbers in the file.
        let is_best =
            ["champion-1-one-seed-3.svg", "champion-2-two-seed-2.svg"].contains(&&*figure.name);
        let is_small =
            figure.name.starts_with("final") || figure.name.starts_with("champion") && !is_best;
        assert_eq!(page.html.contains(&inline), !is_small, "{}", figure.name);
        assert!(page.html.contains(&format!("href=\"./a%20b/{}\"", figure.name)));
        assert!(Page::is_figure(&figure.name) && Page::has_mark(figure.svg.as_bytes()));
        assert_eq!(!figure.data.is_empty(), figure.name.starts_with("curve"));
    }
    let [(name, csv), (runs_name, runs)] = &page.figures[0].data[..] else { panic!("two files") };
    assert!(Page::is_figure(runs_name) && Page::has_mark(&runs.as_bytes()[..Page::MARK_LENGTH]));
    assert!(runs.starts_with("study,seed,training_games,value\none,"), "{runs}");
    assert!(Page::is_figure(name) && Page::has_mark(&csv.as_bytes()[..Page::MARK_LENGTH]));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[..2],
        ["study,training_games,runs,mean,low,high", "one,50,3,0.520000,0.495159,0.544841"]
    );
    assert_eq!(lines.len(), 1 + 2 * 2);
    assert!(page.html.contains("Not measured in this way: two."));
    assert!(page.html.contains("search.kind"), "the key in which the specs differ");
}

#[test]
fn one_study_has_no_round_robin_and_one_run_no_interval() {
    let page = page(&[study("one", &["random"], 3..4)]);
    assert!(!page.html.contains("round-robin") && !page.html.contains("objectives"));
    assert!(
        page.html.contains("A single run does not show how runs differ, so there is no interval.")
    );
    assert!(page.html.contains("One run, so no interval: one."));
    assert!(
        page.html.contains("<td data-label=\"random\">53.00%</td>") && !page.html.contains("NaN")
    );
    assert_eq!(page.html.matches("A study with one run has no interval.").count(), 1);
    assert!(page.html.contains("<p>One study with one finished run and 100 training games."));
}

#[test]
fn champions_are_measured_by_whom_is_asked_for() {
    let studies = [study("one", &["random"], 1..4), study("two", &["utility"], 1..3)];
    let champion = parse_player("lr2006").unwrap();
    let page = page_by(&["positional", "td-greedy"], &studies, &champion);
    for text in [
        "The highest mean share of games won against positional in fresh games is",
        ">positional</th>",
        ">td-greedy</th>",
        "Share of games won against the player positional, in fresh games",
    ] {
        assert!(page.html.contains(text), "{text}");
    }
    assert!(!page.html.contains("expected utility in") && !page.html.contains("id=\"objectives\""));
    let page = page_by(&["td-greedy"], &studies[..1], &champion);
    assert!(page.html.contains("reached a share of games won against td-greedy of"));
    let page = page_by(&["utility", "random"], &studies, &champion);
    assert!(page.html.contains("The highest mean expected utility in fresh games"));
    assert!(page.html.contains("id=\"objectives\""));
}

#[test]
fn studies_without_probes_have_a_report() {
    let page = page(&[study("one", &[], 1..3)]);
    assert!(
        page.html.contains("The studies recorded no evaluations.")
            && page.html.contains("not measured")
    );
    assert!(!page.html.contains("NaN"));
}

#[test]
fn names_with_html_are_inert() {
    let page = page(&[study(SCRIPT, &[SCRIPT], 1..3), study("two", &["random"], 1..3)]);
    assert!(!page.html.contains("<img") && page.html.contains("&lt;img src=x"));
    for figure in &page.figures {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        assert!(figure.name.chars().all(plain), "{}", figure.name);
        assert!(!figure.svg.contains("<img"));
    }
}

#[test]
fn many_champions_are_counted_not_drawn() {
    let page = page(&[study("one", &["random"], 1..20)]);
    assert_eq!(page.figures.iter().filter(|figure| figure.name.contains("seed")).count(), 13);
    assert!(page.html.contains("And 6 more champions."));
}

#[test]
fn what_is_counted_is_no_share_and_ranks_nothing() {
    let probes = ["hidden", "random", "top10"];
    let page = page(&[study("one", &probes, 1..4), study("two", &probes, 1..4)]);
    for text in [
        ">Hidden nodes of the champion<",
        ">hidden nodes<",
        ">Share of training games won by the ten best of a generation<",
        "share of training games won by the ten best of the generation",
        "Share of games won against the random player, at the end of training",
        // The best champion, by the first probe that measures strength.
        "random: 53.00%",
    ] {
        assert!(page.html.contains(text), "{text}");
    }
    for text in [
        "against hidden",
        "against top10",
        "Hidden nodes of the champion, at the end",
        "hidden: 53",
    ] {
        assert!(!page.html.contains(text), "{text}");
    }
    let chart = page.figures.iter().find(|figure| figure.name == "curve-1-hidden.svg").unwrap();
    assert!(!chart.svg.contains("%<") && !chart.svg.contains("%)"), "{}", chart.svg);
}

#[test]
fn champions_that_are_networks_are_drawn() {
    let (curve, view) = (Curve::Tanh, View::Mover);
    let hidden = vec![3];
    let shape = MlpShape { eyes: Eyes::Board, hidden, curve, output: curve, bias: true, view };
    let mlp = Mlp::uniform(shape, 1.0, &mut Seed(1).at(Stream::Weights, 0).rng());
    let response = Response { curve, output: curve, view };
    let graph = Graph::layered(response, 2, false, || 0.5);
    let models: [(Arc<dyn Evaluate>, _); 2] =
        [(Arc::new(mlp), "3 hidden nodes"), (Arc::new(graph), "2 hidden nodes")];
    for (model, size) in models {
        let brain = Brain::Model { model, view };
        let champion = Player { name: "n".into(), brain, policy: Policy::default() };
        let page = page_of(&[study("one", &["random"], 1..4)], &champion);
        let drawn = |name: &str| page.figures.iter().find(|figure| figure.name == name).unwrap();
        assert!(drawn("champion-1-one-seed-3.svg").svg.contains(size));
        // A small figure has its numbers in the file.
        assert!(drawn("champion-1-one-seed-1.svg").svg.contains(size));
        assert_eq!(page.html.matches(size).count(), 1);
        assert!(page.html.contains("the network of seed 1"));
        assert!(page.html.contains("class=\"network\"") && page.html.contains("boards networks"));
    }
}

#[test]
fn the_files_of_others_are_not_taken_for_figures() {
    for name in ["curve-1-random.svg", "curve-12-a-b.csv", "champion-1--seed-1.svg", "profiles.svg"]
    {
        assert!(Page::is_figure(name), "{name}");
    }
    for name in [
        "champion-photo.svg",
        "curve-x-random.svg",
        "curve-1.svg",
        "curve-1-a b.svg",
        "profiles-1-x.svg",
        "profiles.html",
        "mine.svg",
    ] {
        assert!(!Page::is_figure(name), "{name}");
    }
    assert!(!Page::has_mark(b"<svg") && !Page::has_mark(b"") && Page::has_mark(MARK.as_bytes()));
    assert!(MARK.len() <= Page::MARK_LENGTH && curves::CSV_HEAD.len() <= Page::MARK_LENGTH);
}

#[test]
fn small_boards_can_be_enlarged() {
    let page = page(&[study("one", &["random"], 1..4)]);
    for seed in [1, 2] {
        let name = format!("champion-1-one-seed-{seed}");
        assert!(page.html.contains(&format!("<figure class=\"small\" id=\"{name}\">")));
        assert!(page.html.contains(&format!("<a href=\"#{name}\" title=\"Enlarge\">")));
    }
    assert!(!page.html.contains("id=\"champion-1-one-seed-3\""), "the best one is large");
}

#[test]
fn the_players_of_the_literature_have_intervals() {
    let page = page(&[study("one", &["random"], 1..4)]);
    let row =
        page.html.split("the player lr2006</th>").nth(1).unwrap().split("</tr>").next().unwrap();
    let cells = row.matches("<td").count() - 1;
    assert_eq!(row.matches(" to ").count() + row.matches('±').count(), cells, "{row}");
}

#[test]
fn at_most_sixty_runs_are_drawn_one_by_one() {
    let page = page(&[study("one", &["random"], 1..70)]);
    assert!(page.html.contains("Of the 69 runs of one, the first 60 are drawn."));
    let faint = page.figures[0].svg.split("stroke-opacity=\"0.45\"").next().unwrap();
    let path = &faint[faint.rfind("<path d=").unwrap()..];
    assert_eq!(path.matches('M').count(), 60);
}

#[test]
fn the_same_studies_give_the_same_bytes() {
    let studies = [study("one", &["random", "utility"], 1..4), study("two", &["random"], 1..3)];
    let [first, second] = [page(&studies), page(&studies)];
    assert!(first.html == second.html && first.figures == second.figures);
}

#[test]
fn figures_are_made_for_papers() {
    let page = page(&[study("one", &["random"], 1..4), study("two", &["random"], 1..3)]);
    assert!(page.html.contains("href=\"./a%20b/curve-1-random.pdf\""));
    let paper = Paper { width: Some(8.5), titles: false };
    for figure in &page.figures {
        let (name, svg) = figure.file(FileFormat::Svg, &paper);
        let svg = String::from_utf8(svg).unwrap();
        assert!(name.ends_with(".svg") && svg.starts_with(MARK), "{name}");
        assert!(svg.contains("width=\"8.5cm\"") && !svg.contains("class=\"o-title\""), "{name}");
        let (name, pdf) = figure.file(FileFormat::Pdf, &paper);
        assert!(Page::is_figure(&name) && Page::has_mark(&pdf[..Page::MARK_LENGTH]), "{name}");
        let (_, same) = figure.file(FileFormat::Svg, &Paper::default());
        assert_eq!(same, format!("{}\n", figure.svg).into_bytes());
    }
    // A column has the drawing for phones, and a page the other.
    let wide = Paper { width: Some(17.5), ..paper };
    for (paper, view) in [(&paper, " 380 "), (&wide, " 860 ")] {
        let (_, svg) = page.figures[0].file(FileFormat::Svg, paper);
        assert!(String::from_utf8(svg).unwrap()[..400].contains(view), "{view}");
    }
}

#[test]
fn many_studies_have_a_diagram_of_ranks_and_their_pairs_are_folded() {
    let named = |number: u64| {
        // Three of them far above the other two, and no two of them alike.
        let first = if number < 3 { 30 } else { 1 } + number;
        study(&format!("<s{number}>"), &["random"], first..first + 6)
    };
    let all: Vec<Results> = (0..5).map(named).collect();
    let (few, many) = (page(&all[..4]), page(&all));
    let names = |page: &Page| -> Vec<String> {
        page.figures.iter().map(|figure| figure.name.clone()).collect()
    };
    let diagram = "ranks-1-random.svg".to_string();
    assert!(!names(&few).contains(&diagram) && names(&many).contains(&diagram));
    assert!(Page::is_figure("ranks-1-random.svg") && Page::is_figure("ranks-2-utility.pdf"));
    let folded = "<summary>Tests of 10 pairs</summary>";
    assert!(!few.html.contains("<summary>Tests of") && many.html.contains(folded));
    let above = many.html.split(folded).next().unwrap();
    assert!(above.contains("&lt;s2&gt; (a)") && above.contains("&lt;s4&gt; (b)"), "the letters");
    assert!(above.contains("a b/ranks-1-random.svg") || above.contains("a%20b/ranks-1-random.svg"));
}

#[test]
fn a_study_with_runs_enough_has_a_box() {
    let last = |studies: &[Results]| {
        let page = page(studies);
        page.figures.iter().find(|figure| figure.name == "final-1-random.svg").unwrap().svg.clone()
    };
    let (short, long) = (study("short", &["random"], 1..4), study("long", &["random"], 1..6));
    assert!(!last(std::slice::from_ref(&short)).contains("box: quartiles"));
    let boxes = last(&[short, long]);
    assert!(boxes.contains("box: quartiles and median") && boxes.contains("short"));
}

/// The fronts of a study with these objectives.
fn fronts(name: &str, objectives: &[&str], runs: &[&[[f64; 2]]]) -> Fronts {
    let run = |(seed, points): (u64, &&[[f64; 2]])| RunFront {
        seed,
        path: format!("runs/{name}/{seed}").into(),
        points: points.iter().map(|point| point.to_vec()).collect(),
    };
    Fronts {
        name: name.into(),
        objectives: objectives.iter().map(ToString::to_string).collect(),
        runs: (1..).zip(runs).map(run).collect(),
    }
}

#[test]
fn a_front_has_figures_and_a_reference_to_each_of_its_players() {
    let champion = parse_player("lr2006").unwrap();
    let runs: [&[[f64; 2]]; 2] = [&[[0.2, 0.8], [0.6, 0.4]], &[[0.5, 0.5], [0.1, 0.1]]];
    let one = fronts(SCRIPT, &["heuristic", "lr2006"], &runs);
    let page =
        |all: &[Fronts]| page_with(&["random"], &[study("a", &["random"], 1..3)], &champion, all);
    let written = page(std::slice::from_ref(&one));
    assert!(written.html.contains("id=\"fronts\"") && !written.html.contains("<img"));
    assert!(written.html.contains("/1#2") && written.html.contains("/2#1"));
    assert!(!written.html.contains("/2#2"), "it is dominated");
    let drawn = |page: &Page| {
        let is_front = |figure: &&Figure| figure.name.starts_with("front-");
        page.figures.iter().filter(is_front).cloned().collect::<Vec<_>>()
    };
    let [figure] = &drawn(&written)[..] else { panic!("one figure") };
    assert!(
        figure.svg.contains("75% of runs attain") && figure.svg.contains("score against lr2006")
    );
    let (name, data) = &figure.data[0];
    assert!(Page::is_figure(name) && Page::has_mark(data.as_bytes()), "{name}");
    assert_eq!(data.matches(",all runs,").count(), 3, "{data}");
    assert!(data.contains(",attained by 75%,,0.500000,0.400000\n"), "{data}");
    // Several studies have figures together, unless their objectives differ.
    let other = Fronts { name: "b".into(), ..one.clone() };
    assert_eq!(drawn(&page(&[one.clone(), other])).len(), 4);
    let third = fronts("c", &["heuristic", "positional"], &runs);
    assert_eq!(drawn(&page(&[one.clone(), third.clone()])).len(), 2);
    let problem = fronts_chart(&[one, third]).unwrap_err();
    assert!(problem.ends_with("they cannot be in one figure"), "{problem}");
    let three = Fronts { objectives: vec![String::new(); 3], ..fronts("d", &[], &[]) };
    assert!(fronts_chart(&[three]).unwrap_err().ends_with("needs two objectives; d has 3"));
}

#[test]
fn steps_go_right_and_then_down() {
    let chart = attainment_chart(&[fronts("a", &["x", "y"], &[&[[0.5, 1.0], [1.0, 0.5]]])], 0.5);
    let svg = chart.unwrap().svg();
    // From the left end along the top, down at the first point, along to the second, to the bottom.
    let line = svg.split("<path d=\"M").skip(1).map(|path| path.split('"').next().unwrap());
    let line = line.max_by_key(|path| path.matches('L').count()).unwrap();
    let corners: Vec<[f64; 2]> = line
        .split('L')
        .map(|corner| {
            let (x, y) = corner.split_once(' ').unwrap();
            [x, y].map(|number| number.parse().unwrap())
        })
        .collect();
    let [a, b, c, d, e] = corners[..] else { panic!("{line}") };
    let same = |a: f64, b: f64| (a - b).abs() < 0.2;
    assert!(same(a[1], b[1]) && same(b[0], c[0]) && same(c[1], d[1]) && same(d[0], e[0]), "{line}");
    assert!(a[0] < b[0] && b[1] < c[1] && c[0] < d[0] && d[1] < e[1], "{line}");
    let middle = |a: f64, b: f64, c: f64| same(b, (a + c) / 2.0);
    assert!(middle(a[0], b[0], d[0]) && middle(a[1], c[1], e[1]), "{line}");
}
