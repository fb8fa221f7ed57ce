//! How a forest plot becomes SVG: rows of values, their differences, and the legend above.

use maud::{Markup, html};

use super::super::palette::Look;
use super::super::published::{Published, Spread};
use super::super::scale::Scale;
use super::super::{
    Axis, AxisUnit, Format, SOFT, at, document, fitted, note_lines, printable, text_width,
    title_lines,
};
use super::{ForestGroup, ForestPlot, ForestRow, Verdict};

/// The height of a row, and of its label above it on a phone.
pub(super) const ROW: f64 = 24.0;
const LABEL: f64 = 17.0;
const LABELS: f64 = 250.0;
/// From the middle of a row up to what is published and down to what is ours.
const APART: f64 = 4.5;

/// Where the columns of a figure are.
struct Columns {
    format: Format,
    labels: f64,
    values: [f64; 2],
    /// None on a phone, where differences are numbers.
    differences: Option<[f64; 2]>,
}

impl Columns {
    fn new(plot: &ForestPlot, format: Format) -> Columns {
        let (font, width) = (format.font(), format.width());
        let rows = plot.groups.iter().flat_map(|group| &group.rows);
        let widest = rows.map(|row| font * text_width(&printable(&row.label))).fold(60.0, f64::max);
        let labels = widest.min(LABELS);
        match format {
            Format::Wide => Columns {
                format,
                labels,
                values: [labels + 34.0, 530.0],
                differences: Some([574.0, 734.0]),
            },
            Format::Narrow => Columns {
                format,
                labels: width - 110.0,
                values: [24.0, width - 26.0],
                differences: None,
            },
        }
    }

    /// The height of a row.
    fn row(&self) -> f64 {
        if self.differences.is_some() { ROW } else { ROW + LABEL }
    }

    /// The height of a group.
    fn group(&self, group: &ForestGroup) -> f64 {
        let font = self.format.font();
        2.0 * font + self.row() * group.rows.len() as f64 + 3.6 * font + 14.0
    }
}

impl Verdict {
    /// The shape, also told apart without colour.
    fn look(self) -> Look {
        Look::new(match self {
            Verdict::Agrees => 2,
            Verdict::SameOrder => 0,
            Verdict::Differs => 1,
            Verdict::NotComparable => 5,
        })
    }

    /// The colour on paper, and the classes of lines and areas.
    fn ink(self) -> (&'static str, String, String) {
        match self {
            Verdict::NotComparable => (SOFT, "o-line".into(), "o-soft".into()),
            _ => (self.look().colour, self.look().stroke_class(), self.look().fill_class()),
        }
    }

    fn marker(self, x: f64, y: f64) -> Markup {
        let (colour, _, class) = self.ink();
        html! { path d=(self.look().marker(x, y, 4.2)) fill=(colour) class=(class) {} }
    }
}

impl ForestRow {
    /// Ours minus published.
    fn gap(&self) -> Option<f64> {
        Some(self.ours?.value - self.published.value?)
    }

    /// All numbers on the scale of values.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let ours = self.ours.into_iter();
        let ours = ours.flat_map(|found| {
            [found.value].into_iter().chain(found.interval.into_iter().flatten())
        });
        self.published.numbers().chain(ours)
    }
}

impl ForestPlot {
    pub(super) fn draw(&self, format: Format) -> String {
        let (title, below_title) = title_lines(&self.title, format);
        let columns = Columns::new(self, format);
        let (legend, mut y) = self.draw_legend(below_title + 6.0, format);
        let mut groups = Vec::new();
        for group in &self.groups {
            groups.push(draw_group(group, &columns, y));
            y += columns.group(group);
        }
        let (note, end) = note_lines(&self.note, y, format);
        let body = html! {
            (title)
            g font-size=(at(format.font())) {
                (legend)
                @for group in &groups { (group) }
                @if groups.is_empty() { text x="10" y=(at(y)) fill=(SOFT) class="o-soft" { "no data" } }
            }
            (note)
        };
        document([format.width(), end + 6.0], &printable(&self.title), &body)
    }

    /// What the marks mean, with the number of rows; and where that ends.
    fn draw_legend(&self, top: f64, format: Format) -> (Markup, f64) {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let count = |verdict: Verdict| rows().filter(|row| row.verdict == verdict).count();
        let words: Vec<(Option<Verdict>, String)> = [(None, "published".to_string())]
            .into_iter()
            .chain(Verdict::ALL.into_iter().filter(|&verdict| count(verdict) > 0).map(|verdict| {
                (Some(verdict), format!("ours: {} ({})", verdict.word(), count(verdict)))
            }))
            .collect();
        let (font, mut x, mut y) = (format.font(), 16.0, top + 8.0);
        let mut places = Vec::new();
        for (_, text) in &words {
            let width = 14.0 + font * text_width(text);
            if x > 16.0 && x + width > format.width() - 10.0 {
                (x, y) = (16.0, y + 20.0);
            }
            places.push([x, y]);
            x += width + 18.0;
        }
        let legend = html! {
            @for ((verdict, text), [x, y]) in words.iter().zip(places) {
                @match verdict {
                    Some(verdict) => { (verdict.marker(x, y)) }
                    None => { (hollow(x, y)) }
                }
                text x=(at(x + 10.0)) y=(at(y + 0.35 * font)) { (text) }
            }
        };
        (legend, y + 16.0)
    }
}

/// The mark of a published value.
fn hollow(x: f64, y: f64) -> Markup {
    html! {
        path d=(Look::new(3).marker(x, y, 3.6)) fill="white" class="o-disc" stroke="#444" stroke-width="1.4" {}
    }
}

fn draw_group(group: &ForestGroup, columns: &Columns, top: f64) -> Markup {
    let (font, width) = (columns.format.font(), columns.format.width());
    let rows: Vec<ForestRow> = group.rows.iter().map(ForestRow::finite).collect();
    let [from, to] = [top + 2.0 * font, top + 2.0 * font + columns.row() * rows.len() as f64];
    let ticks = if columns.differences.is_some() { [4.0, 3.0] } else { [3.5, 0.0] };
    let scale =
        Scale::new(&group.axis, rows.iter().flat_map(ForestRow::numbers), ticks[0], columns.values);
    let gaps = rows.iter().flat_map(|row| {
        row.gap().into_iter().chain(row.gap().and(row.difference).into_iter().flatten())
    });
    // A difference in counts may be below 0, and is not of one kind with them.
    let unit = if group.axis.unit == AxisUnit::Count { AxisUnit::Plain } else { group.axis.unit };
    let apart = Axis::new("ours − published", unit).showing([0.0]);
    let apart = columns.differences.map(|ends| (Scale::new(&apart, gaps, ticks[1], ends), ends));
    let [labels_y, numbers_y] = [to + 18.0 + 1.4 * font, to + 18.0];
    html! {
        text x="10" y=(at(top + 1.2 * font)) font-weight="bold" {
            (fitted(&printable(&group.heading), 1.06 * font, width - 20.0))
        }
        @if apart.is_some() { (scale.grid(from, to)) }
        (scale.numbers(numbers_y))
        (scale.label(&group.axis.label, labels_y, font, columns.values[1] - columns.values[0] + 20.0))
        @if let Some((apart, _)) = &apart {
            (apart.grid(from, to)) (apart.numbers(numbers_y))
            (apart.label("ours − published", labels_y, font, 190.0))
            @let zero = at(apart.x(0.0));
            line x1=(zero) x2=(zero) y1=(at(from)) y2=(at(to)) stroke="#333" class="o-axis" stroke-width="1.2" {}
        }
        @for (index, row) in rows.iter().enumerate() {
            @let y = from + columns.row() * index as f64;
            // No line runs through a label.
            @if apart.is_none() { (scale.grid(y + LABEL + 2.0, y + columns.row())) }
            (draw_label(row, unit, columns, y))
            (draw_values(row, group.axis.unit, &scale, y + columns.row() - ROW / 2.0, columns.format))
            @if let (Some((apart, _)), Some(gap)) = (&apart, row.gap()) {
                (draw_gap(row, gap, apart, y + ROW / 2.0))
            }
        }
    }
}

/// The label of a row and its verdict; on a phone with the difference.
fn draw_label(row: &ForestRow, unit: AxisUnit, columns: &Columns, y: f64) -> Markup {
    let (font, width) = (columns.format.font(), columns.format.width());
    let label = printable(&row.label);
    let (_, _, class) = row.verdict.ink();
    let (colour, _, _) = row.verdict.ink();
    let is_wide = columns.differences.is_some();
    let line = if is_wide { y + ROW / 2.0 + 0.35 * font } else { y + LABEL - 2.0 };
    let (x, anchor, word) = match row.gap() {
        _ if is_wide => (748.0, "start", row.verdict.word().to_string()),
        Some(gap) => (width - 10.0, "end", signed(unit, gap)),
        None => (width - 10.0, "end", "–".into()),
    };
    html! {
        text x="10" y=(at(line)) { (fitted(&label, font, columns.labels)) title { (label) } }
        // Light colours are hard to read as text, so a mark before the word has the colour.
        text x=(at(x)) y=(at(line)) text-anchor=(anchor) fill=(SOFT) class="o-soft" { (word) }
        @if is_wide {
            path d=(row.verdict.look().marker(x - 8.0, line - 0.35 * font, 3.0)) fill=(colour) class=(class) {}
        }
    }
}

fn signed(unit: AxisUnit, gap: f64) -> String {
    let text = unit.value(gap);
    if gap > 0.0 { format!("+{text}") } else { text.replace('-', "−") }
}

fn draw_values(row: &ForestRow, unit: AxisUnit, scale: &Scale, y: f64, format: Format) -> Markup {
    let [above, below] = [y - APART, y + APART];
    let (colour, class, _) = row.verdict.ink();
    html! {
        @match row.published.spread {
            Some(Spread::Interval(ends)) => { (whisker(ends.map(|end| scale.x(end)), above, SOFT, "o-line")) }
            Some(Spread::Range(ends)) => {
                @let [low, high] = ends.map(|end| scale.x(end));
                line x1=(at(low)) x2=(at(high)) y1=(at(above)) y2=(at(above)) stroke=(SOFT) class="o-line"
                    stroke-width="6" stroke-opacity="0.35" {}
            }
            None => {}
        }
        @if let Some(value) = row.published.value { (hollow(scale.x(value), above)) }
        @if let Some(found) = row.ours {
            @if let Some(ends) = found.interval { (whisker(ends.map(|end| scale.x(end)), below, colour, &class)) }
            (row.verdict.marker(scale.x(found.value), below))
        }
        @let numbers: Vec<f64> = row.numbers().map(|value| scale.x(value)).collect();
        @if format == Format::Wide && !numbers.is_empty() {
            @let low = numbers.iter().copied().fold(f64::INFINITY, f64::min) - 7.0;
            @let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 7.0;
            rect x=(at(low)) y=(at(y - 10.0)) width=(at(high - low)) height="20" fill="none" pointer-events="all" {
                title { (told(row, unit)) }
            }
        }
    }
}

fn told(row: &ForestRow, unit: AxisUnit) -> String {
    let ours = row.ours.map_or("–".into(), |found| {
        let spread = found.interval.map(Spread::Interval);
        Published { value: Some(found.value), spread }.text(unit)
    });
    let (label, published) = (printable(&row.label), row.published.text(unit));
    format!("{label}\npublished: {published}\nours: {ours}\n{}", row.verdict.word())
}

fn draw_gap(row: &ForestRow, gap: f64, scale: &Scale, y: f64) -> Markup {
    let (colour, class, _) = row.verdict.ink();
    html! {
        @if let Some(ends) = row.difference { (whisker(ends.map(|end| scale.x(end)), y, colour, &class)) }
        (row.verdict.marker(scale.x(gap), y))
    }
}

fn whisker([low, high]: [f64; 2], y: f64, colour: &str, class: &str) -> Markup {
    html! {
        path d={ "M" (at(low)) " " (at(y)) "H" (at(high)) "M" (at(low)) " " (at(y - 2.5)) "v5M" (at(high)) " "
            (at(y - 2.5)) "v5" } fill="none" stroke=(colour) class=(class) stroke-width="1.3" {}
    }
}
