//! A report on studies: one self-contained HTML page, and its figures.
//!
//! The page has no scripts and refers to nothing outside (its content security policy forbids it);
//! the templates of `maud` escape every name. The same studies, seed and sizes give the same bytes.

mod champions;
mod contest;
mod curves;
mod evidence;
pub mod figure;
mod fronts;
mod leads;
mod pairwise;
mod profile_chart;
mod profiles;
mod recipe;
mod results;
mod specs;
mod summary;
mod text;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use curves::curve_figure;
pub use evidence::{Evidence, EvidencePlan};
pub use fronts::{attainment_chart, fronts_chart, fronts_csv};
pub use leads::{Lead, leads_chart};
pub use profile_chart::profile_chart;
pub use text::{command, count, csv_cell, seeds, slug};

use outflank_lab::{Fronts, Results};

/// What a report is written from.
#[derive(Debug)]
pub struct Material<'a> {
    /// The studies; their names are all different, and each has a finished run.
    pub studies: &'a [Results],
    /// What their champions did in the games of the report.
    pub evidence: &'a Evidence,
    /// The fronts of those studies that have several objectives.
    pub fronts: &'a [Fronts],
    /// The words of the command that writes the report.
    pub command: &'a [String],
    /// The folder of the figures, relative to the page.
    pub folder: &'a str,
    /// The digest of this program's bench signature.
    pub signature: u64,
    /// The files of each figure, to which the page links.
    pub formats: &'a [FileFormat],
}

/// A kind of file of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// For browsers and for changes by hand.
    Svg,
    /// For papers.
    Pdf,
}

impl FileFormat {
    /// All of them.
    pub const ALL: [FileFormat; 2] = [FileFormat::Svg, FileFormat::Pdf];

    /// The ending of its files, which is also its name.
    pub fn ending(self) -> &'static str {
        match self {
            FileFormat::Svg => "svg",
            FileFormat::Pdf => "pdf",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<FileFormat> {
        FileFormat::ALL.into_iter().find(|format| format.ending() == name)
    }
}

/// How figures are to be in a paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    /// Their width in centimetres; as on a screen if there is none.
    pub width: Option<f64>,
    /// Whether they have titles.
    pub titles: bool,
}

impl Default for Paper {
    fn default() -> Paper {
        Paper { width: None, titles: true }
    }
}

impl Paper {
    /// Below this width in centimetres, a figure is drawn as for a phone: at the full width its
    /// text would be smaller than 6 points.
    pub const NARROW: f64 = 13.0;
}

/// A report.
#[derive(Clone, Debug)]
pub struct Page {
    /// The page.
    pub html: String,
    /// Its figures, each also as a separate file.
    pub figures: Vec<Figure>,
}

/// A figure of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of its file.
    pub name: String,
    /// The file.
    pub svg: String,
    /// The same for a column of a paper, if that differs.
    pub small: Option<String>,
    /// Its data: the names of CSV files, and the texts of the files.
    pub data: Vec<(String, String)>,
}

impl Figure {
    /// The name and the bytes of a file for a paper.
    pub fn file(&self, format: FileFormat, paper: &Paper) -> (String, Vec<u8>) {
        let small = self.small.as_ref().filter(|_| paper.width.is_some_and(|w| w < Paper::NARROW));
        let mut svg = small.unwrap_or(&self.svg).clone();
        if !paper.titles {
            svg = figure::untitled(&svg);
        }
        if let Some(width) = paper.width {
            svg = figure::sized(&svg, width);
        }
        let stem = self.name.strip_suffix(".svg").unwrap_or(&self.name);
        let name = format!("{stem}.{}", format.ending());
        match format {
            FileFormat::Svg => (name, (svg + "\n").into_bytes()),
            FileFormat::Pdf => (name, figure::pdf(&svg)),
        }
    }
}

/// How the files of one kind of figure are named.
struct Names {
    /// The beginning of all names.
    stem: &'static str,
    /// Whether there are several, with a number and words after the stem.
    are_many: bool,
}

impl Names {
    /// The name of a figure, without its extension; `rest` distinguishes it from others of its
    /// kind.
    fn name(&self, number: usize, rest: &str) -> String {
        if self.are_many { format!("{}-{number}-{rest}", self.stem) } else { self.stem.into() }
    }

    /// Says whether a figure of this kind could have this name, without its extension.
    fn has(&self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix(self.stem) else { return false };
        let Some((number, words)) = rest.strip_prefix('-').and_then(|rest| rest.split_once('-'))
        else {
            return rest.is_empty() && !self.are_many;
        };
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        self.are_many && number.parse::<u32>().is_ok() && words.chars().all(plain)
    }
}

/// The names of the figures of all sections.
const NAMES: [&Names; 7] = [
    &curves::NAMES,
    &results::NAMES,
    &pairwise::NAMES,
    &champions::NAMES,
    &fronts::NAMES,
    &contest::NAMES,
    &profiles::NAMES,
];

/// The beginning of all files of figures, so that no other picture is taken for one.
const MARK: &str = "<!-- A figure of outflank report. -->\n";

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// What links refer to.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What is in it.
    pub body: Markup,
}

impl Page {
    /// Writes a report.
    pub fn write(material: &Material<'_>) -> Page {
        let mut figures =
            Figures { folder: material.folder, formats: material.formats, all: Vec::new() };
        let sections: Vec<Section> = [
            Some(summary::section(material)),
            Some(curves::section(material, &mut figures)),
            Some(results::section(material, &mut figures)),
            Some(champions::section(material, &mut figures)),
            fronts::section(material, &mut figures),
            contest::round_robin(material),
            contest::objectives(material, &mut figures),
            profiles::section(material, &mut figures),
            Some(specs::section(material)),
            Some(recipe::section(material)),
            Some(words::section()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let html = page(material, &sections).into_string() + "\n";
        Page { html, figures: figures.all }
    }

    /// Says whether a figure of a report, or its data, could have this name. Files that are not
    /// ours could, too: see [`Page::has_mark`].
    pub fn is_figure(name: &str) -> bool {
        let stem = [".svg", ".pdf", ".csv"].iter().find_map(|ending| name.strip_suffix(ending));
        stem.is_some_and(|stem| NAMES.iter().any(|names| names.has(stem)))
    }

    /// Says whether a file begins as those of reports do; its first [`Page::MARK_LENGTH`] bytes are
    /// enough.
    pub fn has_mark(beginning: &[u8]) -> bool {
        let heads = [MARK, curves::CSV_HEAD, curves::RUNS_HEAD, fronts::FRONTS_HEAD];
        let mut marks = heads.map(str::as_bytes).into_iter().chain([figure::PDF_MARK]);
        marks.any(|mark| beginning.starts_with(mark))
    }

    /// The text that identifies a page as a report.
    pub const GENERATOR: &str = "outflank report";

    /// The number of bytes that [`Page::has_mark`] needs.
    pub const MARK_LENGTH: usize = 64;
}

/// Tells the browser to refuse scripts and anything from outside.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

fn page(material: &Material<'_>, sections: &[Section]) -> Markup {
    let names: Vec<&str> = material.studies.iter().map(|study| study.name.as_str()).collect();
    let names = names.join(", ");
    shell(&format!("Outflank: {names}"), &format!("Learning to play Othello: {names}"), sections)
}

/// A whole page of sections, with a list of contents and the style of all pages.
pub fn shell(title: &str, heading: &str, sections: &[Section]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(Page::GENERATOR);
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style {
                    (PreEscaped(include_str!("style.css")))
                    "@media screen and (prefers-color-scheme: dark) { " (PreEscaped(figure::dark_rules())) " }\n"
                }
            }
            body {
                h1 { (heading) }
                nav aria-label="Contents" {
                    ol {
                        @for section in sections {
                            li { a href={ "#" (section.id) } { (section.title) } }
                        }
                    }
                }
                main {
                    @for section in sections {
                        section id=(section.id) {
                            h2 { (section.title) }
                            (section.body)
                        }
                    }
                }
            }
        }
    }
}

/// The figures written so far.
struct Figures<'a> {
    folder: &'a str,
    formats: &'a [FileFormat],
    all: Vec<Figure>,
}

/// A figure before it has a name.
struct Drawing {
    /// As a file.
    file: String,
    /// As it is in the page.
    page: String,
    /// As it is in the page on a phone, if that differs.
    narrow: Option<String>,
    /// Its data as CSV, each with the end of its name.
    data: Vec<(&'static str, String)>,
}

impl Drawing {
    /// A drawing that is the same on paper, on a screen and on a phone.
    fn new(svg: String) -> Drawing {
        Drawing { page: svg.clone(), file: svg, narrow: None, data: Vec::new() }
    }

    fn of_chart(chart: &figure::Chart) -> Drawing {
        Drawing { narrow: Some(chart.narrow()), ..Drawing::new(chart.svg()) }
    }
}

impl Figures<'_> {
    /// Adds a figure with a name without extension, and returns its HTML. `kind` is a class of the
    /// style sheet; a `small` figure can be enlarged.
    fn add(&mut self, name: &str, kind: &str, drawing: Drawing, caption: &str) -> Markup {
        let link = |ending: &str| format!("{}/{name}.{ending}", text::in_url(self.folder));
        let inline = |svg: &str| PreEscaped(figure::embedded(svg));
        let figure = html! {
            figure class=(kind) id=[(kind == "small").then_some(name)] {
                div class="box" {
                    @if kind == "small" {
                        a href={ "#" (name) } title="Enlarge" { (inline(&drawing.page)) }
                    } @else if let Some(narrow) = &drawing.narrow {
                        div class="wide" { (inline(&drawing.page)) }
                        div class="narrow" { (inline(narrow)) }
                    } @else { (inline(&drawing.page)) }
                }
                figcaption {
                    @if !caption.is_empty() { (caption) " " }
                    @for (number, format) in self.formats.iter().enumerate() {
                        @let ending = format.ending();
                        @if number > 0 { " " }
                        a href=(link(ending)) title={ (name) "." (ending) } { (ending.to_uppercase()) }
                    }
                    @for (part, _) in &drawing.data {
                        @let file = format!("{name}{part}.csv");
                        " " a href={ (text::in_url(self.folder)) "/" (file) } title=(file) { "CSV" }
                    }
                    @if kind == "small" { " " a class="close" href="#champions" { "Close" } }
                }
            }
        };
        // What the page has instead of the file is drawn for less room.
        let in_page = (kind != "small" && drawing.page != drawing.file).then_some(drawing.page);
        let small = drawing.narrow.or(in_page).map(|svg| MARK.to_string() + &svg);
        let data = drawing.data.into_iter();
        let data = data.map(|(part, text)| (format!("{name}{part}.csv"), text)).collect();
        self.all.push(Figure {
            name: format!("{name}.svg"),
            svg: MARK.to_string() + &drawing.file,
            small,
            data,
        });
        figure
    }
}

/// Says whether a study has a single run, and so no interval; tables say that once, not in each
/// cell.
fn has_single(studies: &[Results]) -> bool {
    studies.iter().any(|study| study.runs.len() == 1)
}

/// From this many columns on, a phone shows each row as a card; from the second number on, so does
/// paper.
const MANY: usize = 4;
const TOO_MANY: usize = 10;

/// A table; the first `names` columns are names. A table that is too wide scrolls in its own box. A
/// phone shows each row as a card, and so does paper if there are very many columns.
pub fn table(caption: &str, names: usize, head: &[String], rows: &[Vec<String>]) -> Markup {
    table_of(caption, &|column| column < names, head, rows)
}

/// The same, if other columns than the first ones are words, too.
pub fn table_of(
    caption: &str,
    is_words: &dyn Fn(usize) -> bool,
    head: &[String],
    rows: &[Vec<String>],
) -> Markup {
    let class = |column: usize| is_words(column).then_some("name");
    let columns = match head.len() {
        TOO_MANY.. => "many too-many",
        MANY.. => "many",
        _ => "few",
    };
    html! {
        div class="box" {
            table class=(columns) {
                @if !caption.is_empty() { caption { (caption) } }
                thead {
                    tr {
                        @for (column, cell) in head.iter().enumerate() {
                            th scope="col" class=[class(column)] { (cell) }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                @if column == 0 { th scope="row" class="name" { (cell) } }
                                @else {
                                    td class=[class(column)] data-label=(head[column]) { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
