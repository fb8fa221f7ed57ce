//! A study as a page for a browser, as Markdown, and as CSV.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use outflank_report::figure::embedded;
use outflank_report::{Figure, FileFormat, Paper, Section, csv_cell, shell, table_of};

use crate::artwork::{self, Cell, Drawn, Made};
use crate::design::Design;
use crate::evidence::Evidence;
use crate::results::{Row, rows};
use crate::tally::verdict_counts;

/// What a study found, ready to be written.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// The name of the study.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The paper, and what it is about.
    pub paper: String,
    /// The paragraph at its top.
    pub about: String,
    /// What every output says: whether the study is smaller than written, damaged, or not finished.
    pub notes: Vec<String>,
    /// The first of them, if the study is smaller than written.
    pub size: Option<String>,
    /// The published values with ours.
    pub rows: Vec<Row>,
    /// Its tables.
    pub tables: Vec<Made>,
    /// Its figures.
    pub figures: Vec<Drawn>,
    /// Tables and figures that could not be made, and why.
    pub missing: Vec<String>,
    /// Its cases: name, settings, seeds, games.
    pub cases: Made,
    /// Its readings.
    pub readings: Made,
    /// The command that repeats it.
    pub command: String,
}

impl Chapter {
    /// Puts together what a study found. `command` gives the command that repeats it, or that
    /// repeats one of its tables and figures.
    pub fn new(
        design: &Design,
        evidence: &Evidence,
        command: &dyn Fn(Option<&str>) -> String,
    ) -> Chapter {
        let mut rows = rows(design, evidence);
        for row in &mut rows {
            row.command = command(Some(&design.only_for(&row.value)));
        }
        let (mut tables, mut figures, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for spec in &design.file.table {
            match artwork::table(spec, design, evidence) {
                Ok(table) => tables.push(table),
                Err(why) => missing.push(format!("{}: {why}", spec.title)),
            }
        }
        figures.extend(artwork::forest("Published values and ours", &rows));
        for spec in &design.file.figure {
            match artwork::figure(spec, design, evidence, &rows) {
                Ok(figure) => figures.push(figure),
                Err(why) => missing.push(format!("{}: {why}", spec.title)),
            }
        }
        let size = design.size_note();
        let mut notes: Vec<String> = size.iter().cloned().collect();
        notes.extend(evidence.damaged.values().map(|problem| format!("Not attempted: {problem}.")));
        notes.extend(unfinished(design, evidence));
        Chapter {
            name: design.name.clone(),
            title: design.file.title.clone(),
            paper: design.file.paper.clone(),
            about: design.file.about.clone(),
            notes,
            size,
            rows,
            tables,
            figures,
            missing,
            cases: cases(design, evidence),
            readings: readings(design, evidence),
            command: command(None),
        }
    }

    /// The share of values with each verdict, as a table.
    fn verdicts(&self) -> Made {
        verdict_counts(&[self])
    }

    fn values(&self) -> Made {
        let head = [
            "printed in",
            "value",
            "published",
            "ours",
            "n",
            "effort",
            "verdict",
            "why",
            "command",
        ];
        let rows = self.rows.iter().map(|row| {
            vec![
                row.value.printed.as_str().into(),
                row.value.what.as_str().into(),
                row.published_cell(),
                row.ours_cell(),
                Cell::count(row.n()),
                row.effort.as_str().into(),
                row.judged.verdict.to_string().into(),
                why(row).into(),
                format!("`{}`", row.command).into(),
            ]
        });
        Made {
            name: "values".into(),
            title: "Every published value".into(),
            head: head.map(String::from).to_vec(),
            rows: rows.collect(),
            words: &[0, 1, 5, 6, 7, 8],
            note: String::new(),
        }
    }

    /// The files beside the page: names and contents; figures are as a paper has them.
    pub fn files(&self, paper: &Paper) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for figure in &self.figures {
            let drawn = Figure {
                name: format!("{}-{}.svg", self.name, figure.name),
                svg: figure.svg.clone(),
                small: figure.narrow.clone(),
                data: Vec::new(),
            };
            let (name, svg) = drawn.file(FileFormat::Svg, paper);
            let svg = String::from_utf8_lossy(&svg);
            files.push((name, described(svg.trim_end(), self.size.as_deref())));
            for (part, csv) in &figure.data {
                let name = format!("{}-{}{part}.csv", self.name, figure.name);
                files.push((name, sized(csv, self.size.as_deref())));
            }
        }
        let own = [self.values(), self.cases.clone()];
        for table in self.tables.iter().chain(&own) {
            let csv = sized(&table.csv(), self.size.as_deref());
            files.push((format!("{}-{}.csv", self.name, table.name), csv));
        }
        files
    }

    /// Its sections of a page. `id` sets them apart from those of other chapters.
    fn sections(&self, folder: &str, id: &str) -> Vec<Section> {
        let section = |name: &str, title: &str, body: Markup| Section {
            id: format!("{id}{name}"),
            title: title.into(),
            body,
        };
        let top = html! {
            @for note in &self.notes { p class="note" { strong { (note) } } }
            @if !self.paper.is_empty() { p { (self.paper) } }
            @for paragraph in paragraphs(&self.about) { p { (paragraph) } }
            p { code { (self.command) } }
            @if !self.rows.is_empty() { (html_made(&self.verdicts())) }
        };
        let mut sections = vec![section("overview", &self.title, top)];
        if !self.rows.is_empty() {
            sections.push(section("values", "Every published value", self.html_values()));
        }
        if !self.tables.is_empty() {
            let tables = html! { @for table in &self.tables { (html_made(table)) } };
            sections.push(section("tables", "Tables", tables));
        }
        let figures = html! {
            @for figure in &self.figures { (html_figure(&self.name, figure, folder)) }
            @for missing in &self.missing { p class="note" { "Not made: " (missing) } }
        };
        sections.push(section("figures", "Figures", figures));
        if !self.readings.rows.is_empty() {
            let readings = html_table(&self.readings);
            sections.push(section("readings", &self.readings.title, readings));
        }
        sections.push(section("cases", &self.cases.title, html_table(&self.cases)));
        sections
    }

    /// The values by table and figure of the paper, each with a row that says why.
    fn html_values(&self) -> Markup {
        let groups = self.rows.chunk_by(|a, b| a.value.printed == b.value.printed);
        html! {
            @for group in groups {
                h3 { (group[0].value.printed) }
                div class="box" {
                    table class="values few" {
                        thead {
                            tr {
                                th scope="col" class="name" { "value" }
                                @for head in ["published", "ours", "n"] { th scope="col" { (head) } }
                                th scope="col" class="name" { "verdict" }
                            }
                        }
                        tbody { @for row in group { (html_row(row)) } }
                    }
                }
            }
        }
    }

    /// Its part of a Markdown document.
    fn markdown(&self, folder: &str) -> String {
        let mut text = format!("## {}\n\n", wrapped(&self.title).replace('\n', " "));
        for note in &self.notes {
            let _ = writeln!(text, "**{note}**\n");
        }
        if !self.paper.is_empty() {
            let _ = writeln!(text, "{}\n", wrapped(&self.paper));
        }
        for paragraph in paragraphs(&self.about) {
            let _ = writeln!(text, "{}\n", wrapped(&paragraph));
        }
        let _ = writeln!(text, "```sh\n{}\n```\n", self.command);
        if !self.rows.is_empty() {
            text += &self.verdicts().markdown(3);
            text += &self.values().markdown(3);
        }
        for table in &self.tables {
            text += &table.markdown(3);
        }
        for figure in &self.figures {
            let _ = writeln!(
                text,
                "### {}\n\n![{}]({folder}/{}-{}.svg)\n",
                figure.title, figure.title, self.name, figure.name
            );
            if !figure.note.is_empty() {
                let _ = writeln!(text, "{}\n", wrapped(&figure.note));
            }
        }
        for missing in &self.missing {
            let _ = writeln!(text, "{}\n", wrapped(&format!("Not made: {missing}")));
        }
        if !self.readings.rows.is_empty() {
            text += &self.readings.markdown(3);
        }
        text += &self.cases.markdown(3);
        text
    }
}

/// A picture that says how large its study is, wherever it goes.
fn described(svg: &str, size: Option<&str>) -> String {
    match (size, svg.split_once('>')) {
        (Some(size), Some((head, rest))) => {
            format!("{head}><desc>{}</desc>{rest}", html! { (size) }.into_string())
        }
        _ => svg.to_owned(),
    }
}

/// CSV that says in every row how large its study is, if it is smaller than written.
fn sized(csv: &str, size: Option<&str>) -> String {
    let Some(size) = size else { return csv.to_owned() };
    // What a note says before its reasons.
    let size = csv_cell(size.split(':').next().unwrap_or(size));
    let (mut text, mut is_head, mut is_within) = (String::new(), true, false);
    for line in csv.lines() {
        text.push_str(line);
        // A cell between quotation marks may have several lines.
        is_within ^= line.matches('"').count() % 2 == 1;
        if !is_within {
            text.push(',');
            text.push_str(if is_head { "size of the study" } else { &size });
            is_head = false;
        }
        text.push('\n');
    }
    text
}

/// What a page says about runs that are not finished.
fn unfinished(design: &Design, evidence: &Evidence) -> Option<String> {
    let (mut finished, mut standing, mut all) = (0, 0, 0);
    for case in design.cases.iter().filter(|case| !evidence.damaged.contains_key(&case.name)) {
        all += case.seeds.len();
        if let Some(known) = evidence.cases.get(&case.name) {
            finished += known.runs();
            standing += known.standing.len();
        }
    }
    (finished < all).then(|| {
        let begun = match standing {
            0 => String::new(),
            1 => " 1 run that is not is in the curves only, as it stands.".into(),
            _ => format!(" {standing} runs that are not are in the curves only, as they stand."),
        };
        format!("This study is not finished: {finished} of {all} runs are.{begun}")
    })
}

fn cases(design: &Design, evidence: &Evidence) -> Made {
    let head = ["case", "based on", "settings", "seeds", "games of a run", "runs"];
    let rows = design.cases.iter().map(|case| {
        let done = evidence.cases.get(&case.name).map_or(0, |results| results.runs());
        vec![
            case.name.as_str().into(),
            case.based_on.as_str().into(),
            last_of_each(&case.set).into(),
            outflank_report::seeds(&case.seeds).into(),
            Cell::count(case.method.spec.games),
            match evidence.damaged.contains_key(&case.name) {
                true => "damaged".into(),
                false => format!("{done} of {}", case.seeds.len()).into(),
            },
        ]
    });
    Made {
        name: "cases".into(),
        title: "Cases".into(),
        head: head.map(String::from).to_vec(),
        rows: rows.collect(),
        words: &[0, 1, 2, 3],
        note: String::new(),
    }
}

/// Settings, each key once, as the last of them has it.
fn last_of_each(set: &[String]) -> String {
    let key = |setting: &str| setting.split('=').next().unwrap_or_default().to_owned();
    let later = |index: usize| set[index + 1..].iter().any(|other| key(other) == key(&set[index]));
    let kept: Vec<&str> =
        (0..set.len()).filter(|&index| !later(index)).map(|index| set[index].as_str()).collect();
    kept.join(" ")
}

fn readings(design: &Design, evidence: &Evidence) -> Made {
    let head = ["case", "what is read otherwise", "seeds", "at the end"];
    let own = design.cases.iter().filter(|case| !case.reading.is_empty());
    let rows = own.map(|case| {
        let end = evidence.case(&case.name).ok().and_then(|results| {
            let probe = results.probe("").ok()?;
            let values = results.values(&probe, 0).ok()?;
            let sample = outflank_lab::Sample::of(&values);
            let finding = crate::Finding::of_runs(&sample, results.unit(&probe));
            Some(format!("{} {} ({} runs)", probe, finding.text(), values.len()))
        });
        vec![
            case.name.as_str().into(),
            case.reading.as_str().into(),
            outflank_report::seeds(&case.seeds).into(),
            end.unwrap_or("–".into()).into(),
        ]
    });
    Made {
        name: "readings".into(),
        title: "Readings that were declared and tried".into(),
        head: head.map(String::from).to_vec(),
        rows: rows.collect(),
        words: &[0, 1, 2, 3],
        note: String::new(),
    }
}

fn html_row(row: &Row) -> Markup {
    let verdict = row.judged.verdict.to_string();
    html! {
        tr class="value" {
            th scope="row" class="name" { (row.value.what) }
            td { (row.published()) }
            td { (row.ours()) }
            td { (row.n()) }
            td class={ "verdict " (verdict.replace(' ', "-")) } { (verdict) }
        }
        tr class="why" {
            td colspan="5" {
                (why(row))
                @if !row.effort.is_empty() { " Effort: " (row.effort) "." }
                " " code { (row.command) }
            }
        }
    }
}

/// All that is to be said about a verdict.
fn why(row: &Row) -> String {
    let mut parts = vec![row.judged.why.clone()];
    parts.extend([row.explained(), row.value.note.clone()]);
    let parts = parts.iter().map(|part| part.trim().trim_end_matches('.'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut letters = parts.join(". ");
    // The p of a test stays small.
    if let Some(first) = letters.chars().next().filter(|_| !letters.starts_with("p = ")) {
        letters.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    letters + "."
}

fn html_made(made: &Made) -> Markup {
    html! {
        h3 { (made.title) }
        (html_table(made))
    }
}

fn html_table(made: &Made) -> Markup {
    html! {
        (table_of("", &|column| made.words.contains(&column), &made.head, &made.texts()))
        @if !made.note.is_empty() { p class="note" { (made.note) } }
    }
}

fn html_figure(study: &str, figure: &Drawn, folder: &str) -> Markup {
    let file =
        |part: &str, ending: &str| format!("{folder}/{study}-{}{part}.{ending}", figure.name);
    let inline = |svg: &str| PreEscaped(embedded(svg));
    html! {
        figure class="chart" {
            div class="box" {
                @if let Some(narrow) = &figure.narrow {
                    div class="wide" { (inline(&figure.svg)) }
                    div class="narrow" { (inline(narrow)) }
                } @else { (inline(&figure.svg)) }
            }
            figcaption {
                @if !figure.note.is_empty() { (figure.note) " " }
                a href=(file("", "svg")) { "SVG" }
                @for (part, _) in &figure.data { " " a href=(file(part, "csv")) { "CSV" } }
            }
        }
    }
}

fn paragraphs(text: &str) -> Vec<String> {
    let parts =
        text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Prose in lines of at most 100 columns.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    // Markdown takes a < for the beginning of a tag.
    for word in text.replace('<', "&lt;").split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(word.into());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// A page about one or more studies. `folder` is that of the figures, relative to the page.
pub fn html(chapters: &[Chapter], folder: &str) -> String {
    let sections: Vec<Section> = match chapters {
        [one] => one.sections(folder, ""),
        several => {
            let all: Vec<&Chapter> = several.iter().collect();
            let overview = html_table(&verdict_counts(&all));
            let first = Section { id: "verdicts".into(), title: "Verdicts".into(), body: overview };
            let others = several
                .iter()
                .flat_map(|chapter| chapter.sections(folder, &format!("{}-", chapter.name)));
            std::iter::once(first).chain(others).collect()
        }
    };
    let titles: Vec<&str> = chapters.iter().map(|chapter| chapter.title.as_str()).collect();
    let heading = match chapters {
        [_] => titles.join(""),
        _ => format!("{} papers repeated", titles.len()),
    };
    shell(&format!("Outflank: {heading}"), &heading, &sections).into_string() + "\n"
}

/// The same as Markdown.
pub fn markdown(heading: &str, about: &str, chapters: &[Chapter], folder: &str) -> String {
    let mut text = format!("# {heading}\n\n");
    if !about.is_empty() {
        let _ = writeln!(text, "{}\n", wrapped(about));
    }
    if chapters.len() > 1 {
        let all: Vec<&Chapter> = chapters.iter().collect();
        text += &verdict_counts(&all).markdown(2);
    }
    for chapter in chapters {
        text += &chapter.markdown(folder);
    }
    text.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_of_smaller_studies_says_so_in_every_row() {
        let csv = "case,runs\n\"a\nb\",1\nc,\"d\"\"\"\n";
        assert_eq!(sized(csv, None), csv);
        let note = "This is a smaller study, at scale 0.02: fewer runs.";
        let size = "\"This is a smaller study, at scale 0.02\"";
        let expected =
            format!("case,runs,size of the study\n\"a\nb\",1,{size}\nc,\"d\"\"\",{size}\n");
        assert_eq!(sized(csv, Some(note)), expected);
    }
}
