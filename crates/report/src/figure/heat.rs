//! Heat maps: a number for each pair of values of two keys, as a grid of colours.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::axis::{Ends, Ticks};
use super::scale::extent;
use super::theme::{STEPS, light_shade, step_class, step_text_class, text_on};
use super::{
    Axis, AxisUnit, Format, SOFT, at, document, fitted, note_lines, printable, text_width,
    title_lines,
};
use crate::text::csv_cell;

/// A grid over the values of two keys.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What it shows; may be empty.
    pub title: String,
    /// The key of the columns.
    pub columns: HeatKey,
    /// The key of the rows, from top to bottom.
    pub rows: HeatKey,
    /// What the cells measure.
    pub measure: Axis,
    /// A list for each row, with a cell for each column. What is missing, or whose mean is not
    /// finite, is hatched.
    pub cells: Vec<Vec<Option<HeatCell>>>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// A key and its values, as they are written.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatKey {
    /// The key.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// The runs with one pair of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatCell {
    /// Their mean.
    pub mean: f64,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
    /// How many there are.
    pub n: usize,
}

/// The largest and the smallest text in a cell.
const LARGEST: f64 = 13.0;
const SMALLEST: f64 = 8.0;
/// The distance of the lines in an empty cell.
const HATCH: f64 = 7.0;

/// Where the cells are.
struct Grid {
    left: f64,
    top: f64,
    cell: [f64; 2],
}

impl HeatMap {
    /// The map as an SVG document.
    pub fn svg(&self) -> String {
        self.draw(Format::Wide)
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        self.draw(Format::Narrow)
    }

    /// The cells as CSV: the values of both keys, mean, interval and number of runs.
    pub fn csv(&self) -> String {
        let (row, column) = (csv_cell(&self.rows.name), csv_cell(&self.columns.name));
        let mut text = format!("{row},{column},mean,low,high,n\n");
        for (row, column, cell) in self.all() {
            let Some(cell) = cell else { continue };
            let [low, high] = cell
                .interval
                .map_or([String::new(), String::new()], |ends| ends.map(|end| format!("{end:.6}")));
            let (row, column) = (&self.rows.values[row], &self.columns.values[column]);
            let (row, column, mean, n) = (csv_cell(row), csv_cell(column), cell.mean, cell.n);
            let _ = writeln!(text, "{row},{column},{mean:.6},{low},{high},{n}");
        }
        text
    }

    /// Every pair of a row and a column, with its cell if it can be drawn.
    fn all(&self) -> impl Iterator<Item = (usize, usize, Option<HeatCell>)> {
        let columns = self.columns.values.len();
        (0..self.rows.values.len() * columns).map(move |index| {
            let (row, column) = (index / columns, index % columns);
            let cell = self.cells.get(row).and_then(|cells| cells.get(column)).copied().flatten();
            let interval = |cell: &HeatCell| {
                cell.interval.filter(|ends| ends.iter().all(|end| end.is_finite()))
            };
            let cell = cell.filter(|cell| cell.mean.is_finite());
            (row, column, cell.map(|cell| HeatCell { interval: interval(&cell), ..cell }))
        })
    }

    fn means(&self) -> impl Iterator<Item = f64> {
        self.all().filter_map(|(_, _, cell)| cell.map(|cell| cell.mean))
    }

    fn draw(&self, format: Format) -> String {
        let (title, below_title) = title_lines(&self.title, format);
        let (font, width) = (format.font(), format.width());
        let widest = widest(&self.rows.values, font).min(width / 4.0);
        let (left, top) = (16.0 + 1.4 * font + widest, below_title + 14.0);
        let [columns, rows] = [&self.columns, &self.rows].map(|key| key.values.len().max(1) as f64);
        let across = ((width - 14.0 - left) / columns).min(90.0);
        let grid = Grid { left, top, cell: [across, (0.75 * across).clamp(20.0, 44.0)] };
        let bottom = top + rows * grid.cell[1];
        let is_upright = widest_of(&self.columns.values, font) > across - 4.0;
        let names = match is_upright {
            true => widest_of(&self.columns.values, font).min(90.0) + 8.0,
            false => 1.5 * font,
        };
        let bar = bottom + names + 2.3 * font + 8.0;
        let range = extent(self.means());
        let (note, end) = note_lines(&self.note, bar + 12.0 + 3.9 * font, format);
        let body = html! {
            (title)
            g font-size=(at(font)) {
                (self.draw_rows(&grid, font, widest))
                (self.draw_columns(&grid, bottom, font, is_upright))
                (self.key_name(&self.columns.name, [grid.left + across * columns / 2.0, bottom + names + 1.2 * font], None))
                (self.key_name(&self.rows.name, [8.0 + font, (top + bottom) / 2.0], Some(bottom - top)))
                (self.draw_cells(&grid, range, format))
                @if self.means().next().is_some() { (self.draw_bar(left, bar, range, format)) }
                @else {
                    text x=(at(width / 2.0)) y=(at(bar + 12.0)) text-anchor="middle" fill=(SOFT) class="o-soft" {
                        "no data"
                    }
                }
            }
            (note)
        };
        document([width, end + 6.0], &printable(&self.title), &body)
    }

    /// The name of a key; that of the rows is upright, along this length.
    fn key_name(&self, name: &str, [x, y]: [f64; 2], upright: Option<f64>) -> Markup {
        let name = printable(name);
        let (x, y) = (at(x), at(y));
        let turned = upright.map(|_| format!("rotate(-90 {x} {y})"));
        let shown = upright.map_or(name.clone(), |length| fitted(&name, 13.0, length + 30.0));
        html! {
            text x=(x) y=(y) text-anchor="middle" fill=(SOFT) class="o-soft" transform=[turned] {
                (shown)
            }
        }
    }

    fn draw_rows(&self, grid: &Grid, font: f64, most: f64) -> Markup {
        html! {
            g text-anchor="end" {
                @for (row, value) in self.rows.values.iter().enumerate() {
                    @let y = grid.top + (row as f64 + 0.5) * grid.cell[1] + 0.35 * font;
                    text x=(at(grid.left - 6.0)) y=(at(y)) { (fitted(&printable(value), font, most + 1.0)) }
                }
            }
        }
    }

    fn draw_columns(&self, grid: &Grid, bottom: f64, font: f64, is_upright: bool) -> Markup {
        html! {
            g text-anchor=(if is_upright { "end" } else { "middle" }) {
                @for (column, value) in self.columns.values.iter().enumerate() {
                    @let middle = grid.left + (column as f64 + 0.5) * grid.cell[0];
                    @if is_upright {
                        @let (x, y) = (at(middle + 0.35 * font), at(bottom + 7.0));
                        text x=(x) y=(y) transform={ "rotate(-90 " (x) " " (y) ")" } {
                            (fitted(&printable(value), font, 91.0))
                        }
                    } @else {
                        text x=(at(middle)) y=(at(bottom + 1.3 * font)) { (printable(value)) }
                    }
                }
            }
        }
    }

    fn draw_cells(&self, grid: &Grid, range: [f64; 2], format: Format) -> Markup {
        let unit = self.measure.unit;
        let written = Written::new(unit, self.means().collect(), grid.cell);
        let [width, height] = grid.cell;
        let place = |row: usize, column: usize| {
            [grid.left + column as f64 * width, grid.top + row as f64 * height]
        };
        html! {
            g stroke="#888" class="o-edge" stroke-width="0.8" {
                @for (row, column, cell) in self.all() {
                    @let [x, y] = place(row, column);
                    @match cell {
                        Some(cell) => {
                            @let step = step(cell.mean, range);
                            @let [red, green, blue] = light_shade(step);
                            rect x=(at(x)) y=(at(y)) width=(at(width)) height=(at(height))
                                fill={ "rgb(" (red) "," (green) "," (blue) ")" } class=(step_class(step)) {
                                @if format == Format::Wide { title { (self.told(row, column, &cell)) } }
                            }
                        }
                        None => {
                            rect x=(at(x)) y=(at(y)) width=(at(width)) height=(at(height)) fill="none" {}
                            path d=(hatched([x, y], grid.cell)) fill="none" stroke-width="0.6" {}
                        }
                    }
                }
            }
            @if let Some(written) = written {
                g text-anchor="middle" font-size=(at(written.font)) pointer-events="none" {
                    @for (row, column, cell) in self.all() {
                        @if let Some(cell) = cell {
                            @let ([x, y], step) = (place(row, column), step(cell.mean, range));
                            text x=(at(x + width / 2.0)) y=(at(y + height / 2.0 + 0.35 * written.font))
                                fill=(text_on(light_shade(step))) class=(step_text_class(step)) {
                                (written.text(cell.mean))
                            }
                        }
                    }
                }
            }
        }
    }

    fn told(&self, row: usize, column: usize, cell: &HeatCell) -> String {
        let unit = self.measure.unit;
        let interval = cell.interval.map_or(String::new(), |[low, high]| {
            format!(" ± {} ({} to {})", half(unit, low, high), unit.value(low), unit.value(high))
        });
        format!(
            "{} = {}\n{} = {}\n{}: {}{interval}\nn = {}",
            printable(&self.rows.name),
            printable(&self.rows.values[row]),
            printable(&self.columns.name),
            printable(&self.columns.values[column]),
            printable(&self.measure.label),
            unit.value(cell.mean),
            cell.n
        )
    }

    /// The colours and what they mean.
    fn draw_bar(&self, left: f64, y: f64, range: [f64; 2], format: Format) -> Markup {
        let (font, room) = (format.font(), format.width() - 24.0 - left);
        let width = room.min(340.0);
        let part = width / f64::from(STEPS + 1);
        let ticks = Ticks::new(self.measure.unit, range, 4.0, Ends::WithData);
        let place = |value: f64| {
            left + width * (value - ticks.range[0]) / (ticks.range[1] - ticks.range[0])
        };
        let label = fitted(&printable(&self.measure.label), font, format.width() - 20.0);
        let wide = font * text_width(&label);
        // A label that is longer than its bar begins further left.
        let middle =
            (left + width / 2.0).min(format.width() - 10.0 - wide / 2.0).max(10.0 + wide / 2.0);
        html! {
            @for step in 0..=STEPS {
                @let [red, green, blue] = light_shade(step);
                // A little wider, so that there are no gaps.
                rect x=(at(left + part * f64::from(step))) y=(at(y)) width=(at(part + 0.4)) height="12"
                    fill={ "rgb(" (red) "," (green) "," (blue) ")" } class=(step_class(step)) {}
            }
            rect x=(at(left)) y=(at(y)) width=(at(width)) height="12" fill="none" stroke="#888" class="o-edge"
                stroke-width="0.8" {}
            g fill=(SOFT) class="o-soft" text-anchor="middle" {
                @for &value in &ticks.values {
                    text x=(at(place(value))) y=(at(y + 14.0 + 1.1 * font)) { (ticks.text(value)) }
                }
                text x=(at(middle)) y=(at(y + 14.0 + 2.5 * font)) { (label) }
            }
        }
    }
}

fn widest(values: &[String], font: f64) -> f64 {
    widest_of(values, font).max(font)
}

fn widest_of(values: &[String], font: f64) -> f64 {
    values.iter().map(|value| font * text_width(&printable(value))).fold(0.0, f64::max)
}

/// The colour of a mean; the middle one if all are equal.
fn step(mean: f64, [low, high]: [f64; 2]) -> i32 {
    let share = if high > low { (mean - low) / (high - low) } else { 0.5 };
    (f64::from(STEPS) * share).round() as i32
}

/// Half the width of an interval; of shares, in points.
fn half(unit: AxisUnit, low: f64, high: f64) -> String {
    unit.value((high - low) / 2.0).trim_end_matches('%').into()
}

/// How the means are written in their cells: with as many decimals and as large as fits, the same
/// for all.
struct Written {
    unit: AxisUnit,
    decimals: usize,
    font: f64,
}

impl Written {
    /// None if not even the smallest text without decimals fits.
    fn new(unit: AxisUnit, means: Vec<f64>, [width, height]: [f64; 2]) -> Option<Written> {
        let most = match unit {
            AxisUnit::Percent => 2,
            AxisUnit::Count => 1,
            AxisUnit::Plain => 3,
        };
        // Of numbers all below 1, digits are more important than large text.
        let least = match unit {
            AxisUnit::Plain if means.iter().all(|mean| mean.abs() < 10.0) => 1,
            _ => 0,
        };
        let fits = |written: &Written| {
            let widest =
                means.iter().map(|&mean| text_width(&written.text(mean))).fold(0.0, f64::max);
            written.font * widest <= width - 3.0 && written.font <= height - 4.0
        };
        let fonts = |decimals| {
            let sizes = (SMALLEST as u32..=LARGEST as u32).rev().map(f64::from);
            sizes.map(move |font| Written { unit, decimals, font })
        };
        // Small text with decimals only as long as it can be read.
        let readable = |written: &Written| written.decimals == least || written.font >= 10.0;
        (least..=most).rev().flat_map(fonts).find(|written| readable(written) && fits(written))
    }

    fn text(&self, mean: f64) -> String {
        let mean = if self.unit == AxisUnit::Percent { 100.0 * mean } else { mean };
        if self.unit == AxisUnit::Count && mean.abs() >= 100.0 {
            return self.unit.value(mean.round());
        }
        let text = format!("{mean:.*}", self.decimals);
        match text.strip_prefix('-') {
            Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.into(),
            _ => text,
        }
    }
}

/// Parallel lines through a rectangle.
fn hatched([x, y]: [f64; 2], [width, height]: [f64; 2]) -> String {
    let lines = ((width + height) / HATCH).ceil() as u32;
    let mut text = String::new();
    for sum in (1..lines).map(|line| f64::from(line) * HATCH).filter(|&sum| sum < width + height) {
        // Where x + y is this sum: from the left or lower edge to the upper or right one.
        let from = [(sum - height).max(0.0), sum.min(height)];
        let to = [sum.min(width), (sum - width).max(0.0)];
        let _ = write!(
            text,
            "M{} {}L{} {}",
            at(x + from[0]),
            at(y + from[1]),
            at(x + to[0]),
            at(y + to[1])
        );
    }
    text
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn map(columns: usize, rows: usize) -> HeatMap {
        let cell = |row: usize, column: usize| {
            let mean = 0.6 + 0.3 * ((row * 3 + column * 5) % 17) as f64 / 17.0;
            (row != 1 || column != 1).then_some(HeatCell {
                mean,
                interval: Some([mean - 0.0123, mean + 0.0123]),
                n: 30,
            })
        };
        let key = |name: &str, step: f64, number: usize| HeatKey {
            name: name.into(),
            values: (1..=number).map(|index| format!("{:.2}", index as f64 * step)).collect(),
        };
        HeatMap {
            title: "Expected utility by <learning> rate & mutation".into(),
            columns: key("local.alpha", 0.05, columns),
            rows: key("search.sigma", 0.25, rows),
            measure: Axis::new("expected utility", AxisUnit::Percent),
            cells: (0..rows)
                .map(|row| (0..columns).map(|column| cell(row, column)).collect())
                .collect(),
            note: "Mean of 30 runs in each cell. Hatched: not tried.".into(),
        }
    }

    #[test]
    fn every_cell_has_its_number_and_what_is_missing_is_hatched() {
        let svg = map(4, 3).svg();
        assert_eq!(svg.matches("n = 30").count(), 11);
        assert_eq!(svg.matches("fill=\"none\" stroke-width=\"0.6\"").count(), 1);
        assert!(svg.contains(">60.00<") && svg.contains("± 1.23 (58.77% to 61.23%)"), "{svg}");
        assert!(svg.contains("&lt;learning&gt;") && !svg.contains("<learning>"));
        assert!(!map(4, 3).narrow().contains("n = 30"));
    }

    #[test]
    fn numbers_fit_their_cells_up_to_20_by_20() {
        for columns in [1, 5, 12, 20] {
            let means = vec![0.6012, 0.9];
            for width in [760.0 / columns as f64, 310.0 / columns as f64] {
                let written =
                    Written::new(AxisUnit::Percent, means.clone(), [width, 20.0]).unwrap();
                let text = written.text(0.6012);
                assert!(text_width(&text) * written.font <= width, "{columns} {text}");
            }
        }
        assert_eq!(Written::new(AxisUnit::Percent, vec![0.5], [6.0, 20.0]).map(|w| w.font), None);
    }

    #[test]
    fn odd_input_is_drawn_without_a_nan() {
        let mut map = map(3, 2);
        map.cells[0][0] = Some(HeatCell { mean: f64::NAN, interval: None, n: 1 });
        map.cells[0][1] = Some(HeatCell { mean: 0.5, interval: Some([f64::NAN, 1.0]), n: 1 });
        map.cells[1].clear();
        let mut empty = map.clone();
        empty.cells.clear();
        let nothing = HeatMap {
            columns: HeatKey { values: Vec::new(), ..map.columns.clone() },
            rows: HeatKey { values: Vec::new(), ..map.rows.clone() },
            ..empty.clone()
        };
        let one = HeatMap { cells: vec![vec![map.cells[0][1]]], ..map.clone() };
        for figure in [&map, &empty, &nothing, &one] {
            for svg in [figure.svg(), figure.narrow()] {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
        assert!(empty.svg().contains("no data") && !one.svg().contains("no data"));
        assert_eq!(one.csv().lines().count(), 2);
        assert_eq!(one.csv().lines().nth(1), Some("0.25,0.05,0.500000,,,1"));
    }

    #[test]
    fn lines_of_an_empty_cell_stay_in_it() {
        for number in hatched([10.0, 20.0], [30.0, 12.0]).split(['M', 'L']).skip(1) {
            let (x, y) = number.split_once(' ').unwrap();
            assert!((10.0..=40.0).contains(&x.parse::<f64>().unwrap()), "{number}");
            assert!((20.0..=32.0).contains(&y.parse::<f64>().unwrap()), "{number}");
        }
    }
}
