//! A report on studies: one HTML page that needs nothing but itself, and its figures.
//!
//! The page has no script and refers to nothing outside (its content security policy would not let it);
//! every name is escaped by the templates of `maud`. The same studies, seed and sizes give the same bytes.

mod champions;
mod contest;
mod curves;
mod evidence;
pub mod figure;
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

pub use evidence::{Evidence, EvidencePlan};
pub use profile_chart::profile_chart;

use outflank_lab::Results;

/// What a report is written from.
#[derive(Debug)]
pub struct Material<'a> {
    /// The studies; their names are all different, and each has a finished run.
    pub studies: &'a [Results],
    /// What their champions did in games of the report.
    pub evidence: &'a Evidence,
    /// The words of the command that makes the report.
    pub command: &'a [String],
    /// The folder of the figures, seen from the page.
    pub folder: &'a str,
    /// The digest of this program's bench signature.
    pub signature: u64,
}

/// A report.
#[derive(Clone, Debug)]
pub struct Page {
    /// The page.
    pub html: String,
    /// Its figures, each also as a file of its own.
    pub figures: Vec<Figure>,
}

/// A figure of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of its file.
    pub name: String,
    /// The file.
    pub svg: String,
    /// The numbers behind it: the name of a CSV file, and the file.
    pub data: Option<(String, String)>,
}

/// How the files of a kind of figures are named.
struct Names {
    /// How all of them begin.
    stem: &'static str,
    /// Whether there are several, with a number and words behind the stem.
    are_many: bool,
}

impl Names {
    /// The name of a figure, without its ending; `rest` is what tells it from others of its kind.
    fn name(&self, number: usize, rest: &str) -> String {
        match self.are_many {
            true => format!("{}-{number}-{rest}", self.stem),
            false => self.stem.into(),
        }
    }

    /// Whether a figure of this kind might have a name, without its ending.
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

/// What the sections call their figures.
const NAMES: [&Names; 5] =
    [&curves::NAMES, &results::NAMES, &champions::NAMES, &contest::NAMES, &profiles::NAMES];

/// How the files of figures begin, so that no other picture is taken for one.
const MARK: &str = "<!-- A figure of outflank report. -->\n";

/// A part of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

impl Page {
    /// Writes a report.
    pub fn write(material: &Material<'_>) -> Page {
        let mut figures = Figures { folder: material.folder, all: Vec::new() };
        let sections: Vec<Section> = [
            Some(summary::section(material)),
            Some(curves::section(material, &mut figures)),
            Some(results::section(material, &mut figures)),
            Some(champions::section(material, &mut figures)),
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

    /// Whether a figure of a report, or the numbers behind one, might have this name. Another's file might, too: see
    /// [`Page::has_mark`].
    pub fn is_figure(name: &str) -> bool {
        let stem = name.strip_suffix(".svg").or(name.strip_suffix(".csv"));
        stem.is_some_and(|stem| NAMES.iter().any(|names| names.has(stem)))
    }

    /// Whether a file begins as those of reports do; its first [`Page::MARK_LENGTH`] bytes are enough to know.
    pub fn has_mark(beginning: &[u8]) -> bool {
        [MARK, curves::CSV_HEAD].iter().any(|mark| beginning.starts_with(mark.as_bytes()))
    }

    /// By which a page is known as a report.
    pub const GENERATOR: &str = "outflank report";

    /// The bytes of a file that [`Page::has_mark`] has to see.
    pub const MARK_LENGTH: usize = 64;
}

/// Scripts, and anything from elsewhere, are refused by the browser itself.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

fn page(material: &Material<'_>, sections: &[Section]) -> Markup {
    let names: Vec<&str> = material.studies.iter().map(|study| study.name.as_str()).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(Page::GENERATOR);
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Outflank: " (names.join(", ")) }
                style {
                    (PreEscaped(include_str!("style.css")))
                    "@media screen and (prefers-color-scheme: dark) { " (PreEscaped(figure::dark_rules())) " }\n"
                }
            }
            body {
                h1 { "Learning to play Othello: " (names.join(", ")) }
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
    all: Vec<Figure>,
}

/// A figure before it has a name.
struct Drawing {
    /// As a file.
    file: String,
    /// As it is in the page.
    page: String,
    /// As it is in the page on a telephone, if that is another one.
    narrow: Option<String>,
    /// The numbers behind it, as CSV.
    data: Option<String>,
}

impl Drawing {
    /// The same on paper, on a screen and on a telephone.
    fn new(svg: String) -> Drawing {
        Drawing { page: svg.clone(), file: svg, narrow: None, data: None }
    }

    fn of_chart(chart: &figure::Chart) -> Drawing {
        Drawing { narrow: Some(chart.narrow()), ..Drawing::new(chart.svg()) }
    }
}

impl Figures<'_> {
    /// Adds a figure under a name without ending; what stands in the page for it. `kind` is a class of
    /// the style sheet; a `small` figure can be enlarged.
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
                    a href=(link("svg")) title={ (name) ".svg" } { "SVG" }
                    @if drawing.data.is_some() { " " a href=(link("csv")) title={ (name) ".csv" } { "CSV" } }
                    @if kind == "small" { " " a class="close" href="#champions" { "Close" } }
                }
            }
        };
        let data = drawing.data.map(|data| (format!("{name}.csv"), data));
        self.all.push(Figure {
            name: format!("{name}.svg"),
            svg: MARK.to_string() + &drawing.file,
            data,
        });
        figure
    }
}

/// Says whether a study has one run, and so no interval; tables say that once, not in each cell.
fn has_single(studies: &[Results]) -> bool {
    studies.iter().any(|study| study.runs.len() == 1)
}

/// Columns from which on a telephone shows each row as a card, and paper does.
const MANY: usize = 4;
const TOO_MANY: usize = 10;

/// A table; the first `names` columns are names. Where it is too wide it scrolls in a box of its own, and a telephone
/// shows a card for each row of it, as paper does if there are very many columns.
fn table(caption: &str, names: usize, head: &[String], rows: &[Vec<String>]) -> Markup {
    let class = |column: usize| (column < names).then_some("name");
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
