//! Draws one figure of each kind from made-up numbers, to look at them, also as PDF for a column of
//! 8.5 cm and a page of 17.5 cm:
//! `cargo run -p outflank-report --example figures FOLDER`.

use std::fs;
use std::path::PathBuf;

use outflank_report::figure::{
    Axis, AxisUnit, Better, BoxCase, BoxPlot, Chart, ForestGroup, ForestPlot, ForestRow, Found,
    HeatCell, HeatKey, HeatMap, Mark, Point, Published, PublishedMark, RankDiagram, RankedMethod,
    Reference, Scatter, ScatterCase, Series, Spread, Verdict, pdf, sized, untitled,
};

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "figures".into()));
    fs::create_dir_all(&folder)?;
    let figures = [
        ("heat", heat(7, 5).svg(), heat(7, 5).narrow()),
        ("heat20", heat(20, 20).svg(), heat(20, 20).narrow()),
        ("boxes", boxes().svg(), boxes().narrow()),
        ("ranks", ranks().svg(), ranks().narrow()),
        ("curves", curves().svg(), curves().narrow()),
        ("forest", forest().svg(), forest().narrow()),
        ("scatter", scatter().svg(), scatter().narrow()),
    ];
    for (name, wide, narrow) in figures {
        fs::write(folder.join(format!("{name}.svg")), &wide)?;
        fs::write(folder.join(format!("{name}.pdf")), pdf(&sized(&untitled(&narrow), 8.5)))?;
        fs::write(folder.join(format!("{name}-wide.pdf")), pdf(&sized(&wide, 17.5)))?;
        fs::write(folder.join(format!("{name}-narrow.svg")), narrow)?;
    }
    Ok(())
}

/// A number from -1 to 1 that looks random.
fn noise(seed: usize) -> f64 {
    2.0 * (43_758.547 * (12.9898 * (seed as f64 + 1.0)).sin()).rem_euclid(1.0) - 1.0
}

fn heat(columns: usize, rows: usize) -> HeatMap {
    let key = |name: &str, step: f64, number: usize| HeatKey {
        name: name.into(),
        values: (1..=number).map(|index| format!("{:.2}", index as f64 * step)).collect(),
    };
    let cell = |row: usize, column: usize| {
        let near = (column as f64 / columns as f64 - 0.4).hypot(row as f64 / rows as f64 - 0.6);
        let mean = 0.88 - 0.3 * near + 0.01 * noise(20 * row + column);
        let is_there = (row * columns + column) % 11 != 8;
        is_there.then_some(HeatCell { mean, interval: Some([mean - 0.012, mean + 0.012]), n: 30 })
    };
    HeatMap {
        title: "Expected utility by learning rate and width of the mutation".into(),
        columns: key("local.alpha", 0.05, columns),
        rows: key("search.sigma", 0.25, rows),
        measure: Axis::new("expected utility (%)", AxisUnit::Percent),
        cells: (0..rows).map(|row| (0..columns).map(|c| cell(row, c)).collect()).collect(),
        note: "Mean of 30 runs in each cell. Hatched: not tried.".into(),
    }
}

const METHODS: [&str; 10] =
    ["tdl", "cel", "cel-hof", "ctdl", "ctdl-hof", "rsel", "1cel", "1cel-rs", "2cel", "2cel-rs"];

fn boxes() -> BoxPlot {
    let case = |look: usize| {
        let value = |run: usize| 0.7 + 0.03 * look as f64 + 0.06 * noise(100 * look + run).powi(3);
        let published = match look {
            0 => Some(Published::value(0.712)),
            1 => Some(Published::with_interval(0.71, [0.69, 0.73])),
            2 => Some(Published::range([0.77, 0.80])),
            _ => None,
        };
        BoxCase {
            name: METHODS[look].into(),
            look,
            values: (0..[30, 24, 100, 2, 1][look]).map(value).collect(),
            published,
        }
    };
    BoxPlot {
        title: "At the end of training: expected utility".into(),
        x: Axis::new("expected utility", AxisUnit::Percent),
        cases: (0..5).map(case).collect(),
        note: String::new(),
    }
}

fn ranks() -> RankDiagram {
    let letters =
        ["a", "ab", "ab", "bc", "c", "cd", "d", "e", "e", "ef", "f", "f", "g", "g", "g", "g"];
    let method = |index: usize| RankedMethod {
        name: match METHODS.get(index) {
            Some(name) => (*name).into(),
            None => format!("2cel-rs-epsilon-0.{index}"),
        },
        mean: 0.91 - 0.012 * index as f64 + 0.004 * noise(index),
    };
    RankDiagram {
        title: "Sixteen methods, and which of them do not differ".into(),
        axis: Axis::new("mean expected utility", AxisUnit::Percent),
        better: Better::High,
        methods: (0..letters.len()).map(method).collect(),
        groups: RankDiagram::groups_of(&letters),
        critical: Some(0.02),
        note: "Bars join methods that do not differ significantly (dots: members).".into(),
    }
}

fn curves() -> Chart {
    let mut chart = Chart::new(
        "Learning curves beside published values",
        Axis::new("training games", AxisUnit::Count).showing([0.0]),
        Axis::new("expected utility", AxisUnit::Percent),
    );
    for (look, name) in METHODS.into_iter().take(4).enumerate() {
        let value = |run: usize, step: usize| {
            let learned = 1.0 - (-(step as f64) / (6.0 + 3.0 * look as f64)).exp();
            0.5 + (0.36 - 0.03 * look as f64) * learned + 0.02 * noise(999 * look + 31 * run + step)
        };
        let x = |step: usize| 50_000.0 * step as f64;
        let runs = (0..12).map(|run| (0..=40).map(|step| [x(step), value(run, step)]).collect());
        let runs: Vec<Vec<[f64; 2]>> = runs.collect();
        let point = |step: usize| {
            let mean = runs.iter().map(|run| run[step][1]).sum::<f64>() / runs.len() as f64;
            Point::with_interval(x(step), mean, Some([mean - 0.008, mean + 0.008]))
        };
        let points = (0..=40).map(point).collect();
        chart.series.push(Series { name: name.into(), look, mark: Mark::Band, points, runs });
    }
    let mark =
        |name: &str, look, x, published| PublishedMark { name: name.into(), look, x, published };
    let range = Published { value: Some(0.8), spread: Some(Spread::Range([0.78, 0.825])) };
    chart.published = vec![
        mark("tdl, Fig. 3", Some(0), Some(1e6), Published::with_interval(0.85, [0.84, 0.86])),
        mark("cel, Fig. 3", Some(1), Some(1.5e6), range),
        mark("Table 2", None, None, Published::with_interval(0.872, [0.868, 0.876])),
    ];
    chart.references.push(Reference { name: "even score".into(), y: 0.5 });
    chart.note =
        "Thick line: mean over runs. Band: its 95% interval. Thin lines: single runs.".into();
    chart
}

fn forest() -> ForestPlot {
    let row = |index: usize| {
        let published = 0.6 + 0.2 * noise(index);
        let ours = published + 0.03 * noise(index + 500);
        let half = 0.012 + 0.004 * noise(index + 900);
        let verdict = match (ours - published).abs() {
            _ if index % 9 == 8 => Verdict::NotComparable,
            gap if gap < half => Verdict::Agrees,
            gap if gap < 0.022 => Verdict::SameOrder,
            _ => Verdict::Differs,
        };
        ForestRow {
            label: format!("{}, Table {}, row {}", METHODS[index % 10], 1 + index / 10, index % 7),
            published: match index % 4 {
                0 => Published::value(published),
                1 => Published::range([published - 0.02, published + 0.02]),
                _ => Published::with_interval(published, [published - half, published + half]),
            },
            ours: (index % 13 != 12)
                .then_some(Found { value: ours, interval: Some([ours - half, ours + half]) }),
            difference: Some([ours - published - 1.4 * half, ours - published + 1.4 * half]),
            verdict,
        }
    };
    let group = |heading: &str, from: usize, to: usize| ForestGroup {
        heading: heading.into(),
        axis: Axis::new("games won", AxisUnit::Percent),
        rows: (from..to).map(row).collect(),
    };
    ForestPlot {
        title: "Published values and ours".into(),
        groups: vec![group("Szubert et al. 2009", 0, 14), group("Jaśkowski et al. 2013", 14, 26)],
        note: "Whiskers are 95% intervals, thick grey lines published ranges.".into(),
    }
}

fn scatter() -> Scatter {
    let case = |look: usize| {
        let (x, y) = (0.82 + 0.03 * noise(look), 0.5 + 0.05 * noise(look + 40));
        let point = Point {
            x_interval: Some([x - 0.008, x + 0.008]),
            ..Point::with_interval(x, y, Some([y - 0.02, y + 0.02]))
        };
        ScatterCase { name: METHODS[look].into(), look, point }
    };
    Scatter {
        title: "Score against random opponents, and against each other".into(),
        x: Axis::new("expected utility", AxisUnit::Percent),
        y: Axis::new("score in the round robin", AxisUnit::Percent),
        cases: (0..METHODS.len()).map(case).collect(),
        references: vec![Reference { name: "even score".into(), y: 0.5 }],
        note: String::new(),
    }
}
