//! Box plots: the runs of each case, their median, quartiles and mean, beside what a paper says.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::palette::Look;
use super::published::Published;
use super::scale::Scale;
use super::{
    Axis, AxisUnit, Format, SOFT, at, document, fitted, note_lines, printable, text_width,
    title_lines,
};
use crate::text::csv_cell;
use outflank_lab::mean_interval;

/// A box for each case, over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// What it shows; may be empty.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// From top to bottom.
    pub cases: Vec<BoxCase>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// The runs of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxCase {
    /// Its name.
    pub name: String,
    /// The look, as for a series of a chart.
    pub look: usize,
    /// One value for each run. Values that are not finite are left out.
    pub values: Vec<f64>,
    /// What a paper says about it.
    pub published: Option<Published>,
}

/// The numbers of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxNumbers {
    /// The lower quartile, the median and the upper quartile, by linear interpolation between
    /// values (as R and NumPy do).
    pub quartiles: [f64; 3],
    /// The furthest values within 1.5 times the distance of the quartiles from the box.
    pub whiskers: [f64; 2],
}

impl BoxNumbers {
    /// The box of these values; none if no value is finite.
    pub fn of(values: &[f64]) -> Option<BoxNumbers> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let quantile = |share: f64| {
            let place = share * last as f64;
            let below = sorted[place.floor() as usize];
            below + (sorted[place.ceil() as usize] - below) * place.fract()
        };
        let quartiles = [0.25, 0.5, 0.75].map(quantile);
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let lowest = sorted.iter().find(|&&value| value >= quartiles[0] - reach);
        let highest = sorted.iter().rfind(|&&value| value <= quartiles[2] + reach);
        // A quartile between two values may be outside of all values within reach.
        let whiskers = [
            lowest.map_or(quartiles[0], |value| value.min(quartiles[0])),
            highest.map_or(quartiles[2], |value| value.max(quartiles[2])),
        ];
        Some(BoxNumbers { quartiles, whiskers })
    }
}

/// The height of a row, and of the name above it on a phone.
const ROW: f64 = 62.0;
const NAME: f64 = 18.0;
const NAMES: f64 = 190.0;
/// Where dots, box and mean are in a row.
const DOTS: f64 = 14.0;
const BOX: f64 = 33.0;
const MEAN: f64 = 50.0;

impl BoxPlot {
    /// The boxes as an SVG document.
    pub fn svg(&self) -> String {
        self.draw(Format::Wide)
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        self.draw(Format::Narrow)
    }

    /// Every value as CSV.
    pub fn csv(&self) -> String {
        let mut text = "case,run,value\n".to_string();
        for case in &self.cases {
            for (run, value) in case.values.iter().enumerate().filter(|(_, v)| v.is_finite()) {
                let _ = writeln!(text, "{},{},{value:.6}", csv_cell(&case.name), run + 1);
            }
        }
        text
    }

    fn draw(&self, format: Format) -> String {
        let (title, below_title) = title_lines(&self.title, format);
        let (font, width) = (format.font(), format.width());
        let widest = self.cases.iter().map(|case| font * text_width(&printable(&case.name)));
        let (left, row, ticks) = match format {
            Format::Wide => (widest.fold(0.0, f64::max).min(NAMES) + 26.0, ROW, 7.0),
            Format::Narrow => (22.0, ROW + NAME, 3.5),
        };
        let top = below_title + 10.0;
        let bottom = top + row * self.cases.len() as f64;
        let scale = Scale::new(&self.x, self.numbers(), ticks, [left, width - 34.0]);
        let (legend, below) = self.draw_legend(bottom + 20.0 + 2.9 * font, format);
        let (note, end) = note_lines(&self.note, below, format);
        let body = html! {
            (title)
            g font-size=(at(font)) {
                @if format == Format::Wide { (scale.grid(top, bottom)) }
                (scale.numbers(bottom + 18.0))
                (scale.label(&self.x.label, bottom + 20.0 + 1.35 * font, font, width - 30.0))
                @for (index, case) in self.cases.iter().enumerate() {
                    @let from = top + row * index as f64;
                    // No line runs through a name.
                    @if format == Format::Narrow { (scale.grid(from + NAME + 3.0, from + row)) }
                    (draw_name(case, format, from))
                    (self.draw_case(case, &scale, from + row - ROW, format))
                }
                @if self.cases.is_empty() {
                    text x=(at(scale.middle())) y=(at(top)) text-anchor="middle" fill=(SOFT) class="o-soft" { "no data" }
                }
                (legend)
            }
            (note)
        };
        document([width, end + 6.0], &printable(&self.title), &body)
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.cases.iter().flat_map(|case| {
            let mean = self.mean(case).into_iter();
            let mean =
                mean.flat_map(|(mean, ends)| [mean].into_iter().chain(ends.into_iter().flatten()));
            let published = case.published.into_iter().flat_map(Published::numbers);
            case.values.iter().copied().chain(mean).chain(published)
        })
    }

    /// The mean and its interval, within what is possible: a share cannot leave 0 to 100%, and a
    /// count cannot be below 0.
    fn mean(&self, case: &BoxCase) -> Option<(f64, Option<[f64; 2]>)> {
        let finite: Vec<f64> = case.values.iter().copied().filter(|v| v.is_finite()).collect();
        let (mean, interval) = mean_interval(&finite);
        let [least, most] = match self.x.unit {
            AxisUnit::Plain => [f64::NEG_INFINITY, f64::INFINITY],
            AxisUnit::Count => [0.0, f64::INFINITY],
            AxisUnit::Percent => [0.0, 1.0],
        };
        let interval = interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
        (!finite.is_empty())
            .then(|| (mean, interval.map(|ends| ends.map(|end| end.clamp(least, most)))))
    }

    fn draw_case(&self, case: &BoxCase, scale: &Scale, y: f64, format: Format) -> Markup {
        let look = Look::new(case.look);
        let dots: String = jittered(&case.values)
            .map(|(value, up)| format!("M{} {}h0", at(scale.x(value)), at(y + DOTS + up)))
            .collect();
        html! {
            (draw_published(case, scale, y))
            path d=(dots) fill="none" stroke=(look.colour) class=(look.stroke_class()) stroke-width="5"
                stroke-linecap="round" stroke-opacity="0.55" {}
            @if let Some(numbers) = BoxNumbers::of(&case.values) { (draw_box(&numbers, &look, scale, y)) }
            @if let Some((mean, interval)) = self.mean(case) {
                @let (x, middle) = (scale.x(mean), y + MEAN);
                @if let Some(ends) = interval {
                    @let [low, high] = ends.map(|end| scale.x(end));
                    path d={ "M" (at(low)) " " (at(middle)) "H" (at(high)) "M" (at(low)) " " (at(middle - 3.0)) "v6M"
                        (at(high)) " " (at(middle - 3.0)) "v6" } fill="none" stroke="#1c1c1c" class="o-axis"
                        stroke-width="1.3" {}
                }
                path d={ "M" (at(x)) " " (at(middle - 5.0)) "l5 5l-5 5l-5 -5Z" } fill="#1c1c1c" class="o-ink" {}
                @if format == Format::Wide {
                    rect x=(at(x - 9.0)) y=(at(y + 22.0)) width="18" height="38" fill="none" pointer-events="all" {
                        title { (self.told(case)) }
                    }
                }
            }
        }
    }

    fn told(&self, case: &BoxCase) -> String {
        let unit = self.x.unit;
        let mut text = printable(&case.name);
        if let Some((mean, interval)) = self.mean(case) {
            let _ = write!(text, "\nmean: {}", unit.value(mean));
            if let Some([low, high]) = interval {
                let _ = write!(text, " ({} to {})", unit.value(low), unit.value(high));
            }
        }
        if let Some(BoxNumbers { quartiles: [low, median, high], .. }) =
            BoxNumbers::of(&case.values)
        {
            let [low, median, high] = [low, median, high].map(|value| unit.value(value));
            let _ = write!(text, "\nmedian: {median}, quartiles: {low} and {high}");
        }
        let runs = case.values.iter().filter(|value| value.is_finite()).count();
        let _ = write!(text, "\nn = {runs}");
        if let Some(published) = case.published.and_then(Published::finite) {
            let _ = write!(text, "\npublished: {}", published.text(unit));
        }
        text
    }

    /// What the marks mean, from this height, and where that ends.
    fn draw_legend(&self, y: f64, format: Format) -> (Markup, f64) {
        let font = format.font() - 1.0;
        let has_published = self.cases.iter().any(|case| case.published.is_some());
        let mut words =
            vec!["dot: a run", "box: quartiles and median", "diamond: mean, 95% interval"];
        if has_published {
            words.push("dashed line, grey: published value, range");
        }
        let text = words.join("; ");
        let lines = super::wrapped(&text, font, format.width() - 20.0);
        let legend = html! {
            g fill=(SOFT) class="o-soft" font-size=(at(font)) {
                @for (number, line) in lines.iter().enumerate() {
                    text x="10" y=(at(y + 1.3 * font * (number as f64 + 0.8))) { (line) }
                }
            }
        };
        (legend, y + 1.3 * font * lines.len() as f64)
    }
}

/// Values with heights that depend only on their number: the golden ratio spreads neighbours.
fn jittered(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    finite
        .enumerate()
        .map(|(number, value)| (value, 14.0 * ((0.618_034 * number as f64 + 0.5).fract() - 0.5)))
}

fn draw_box(numbers: &BoxNumbers, look: &Look, scale: &Scale, y: f64) -> Markup {
    let [low, median, high] = numbers.quartiles.map(|value| scale.x(value));
    let [first, last] = numbers.whiskers.map(|value| scale.x(value));
    let (middle, top) = (at(y + BOX), y + BOX - 8.0);
    html! {
        g stroke=(look.colour) class=(look.stroke_class()) stroke-width="1.5" {
            path d={ "M" (at(first)) " " (middle) "H" (at(low)) "M" (at(high)) " " (middle) "H" (at(last))
                "M" (at(first)) " " (at(top + 4.0)) "v8M" (at(last)) " " (at(top + 4.0)) "v8" } fill="none" {}
            rect x=(at(low)) y=(at(top)) width=(at(high - low)) height="16" fill=(look.colour)
                class={ (look.fill_class()) " " (look.stroke_class()) } fill-opacity="0.2" {}
            path d={ "M" (at(median)) " " (at(top)) "v16" } fill="none" stroke-width="3" {}
        }
    }
}

/// A band for a range or an interval, and a line for a value.
fn draw_published(case: &BoxCase, scale: &Scale, y: f64) -> Markup {
    let Some(published) = case.published.and_then(Published::finite) else { return html! {} };
    html! {
        @if let Some(spread) = published.spread {
            @let [low, high] = spread.ends().map(|end| scale.x(end));
            rect x=(at(low.min(high))) y=(at(y + 3.0)) width=(at((high - low).abs().max(1.0))) height=(at(ROW - 6.0))
                fill=(SOFT) class="o-soft" fill-opacity="0.2" {}
        }
        @if let Some(value) = published.value {
            @let x = at(scale.x(value));
            line x1=(x) x2=(x) y1=(at(y + 3.0)) y2=(at(y + ROW - 3.0)) stroke=(SOFT) class="o-line"
                stroke-width="2" stroke-dasharray="5 3" {}
        }
    }
}

fn draw_name(case: &BoxCase, format: Format, from: f64) -> Markup {
    let name = printable(&case.name);
    let (y, width) = match format {
        Format::Wide => (from + BOX + 4.5, NAMES),
        Format::Narrow => (from + NAME - 2.0, format.width() - 20.0),
    };
    html! {
        text x="10" y=(at(y)) { (fitted(&name, format.font(), width)) title { (name) } }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_r() {
        // quantile(c(1, 2, 3, 4, 10)) and boxplot.stats of the same.
        let numbers = BoxNumbers::of(&[10.0, 1.0, f64::NAN, 3.0, 2.0, 4.0]).unwrap();
        assert_eq!(numbers.quartiles.to_vec(), [2.0, 3.0, 4.0]);
        assert_eq!(numbers.whiskers.to_vec(), [1.0, 4.0]);
        let numbers = BoxNumbers::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(numbers.quartiles.to_vec(), [1.75, 2.5, 3.25]);
        assert_eq!(BoxNumbers::of(&[f64::NAN]), None);
        assert_eq!(BoxNumbers::of(&[5.0]).unwrap().whiskers.to_vec(), [5.0, 5.0]);
    }

    #[test]
    fn whiskers_never_end_inside_the_box() {
        let numbers = BoxNumbers::of(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 9.0]).unwrap();
        assert!(numbers.whiskers[1] >= numbers.quartiles[2], "{numbers:?}");
    }

    fn plot() -> BoxPlot {
        let case = |name: &str, look, values: &[f64], published| BoxCase {
            name: name.into(),
            look,
            values: values.to_vec(),
            published,
        };
        BoxPlot {
            title: "Final <values>".into(),
            x: Axis::new("share of games won", AxisUnit::Percent),
            cases: vec![
                case("a&b", 0, &[0.7, 0.71, 0.8, f64::NAN], Some(Published::range([0.6, 0.65]))),
                case("one", 1, &[0.6], Some(Published::value(0.9))),
                case("none", 2, &[f64::INFINITY], Some(Published::value(f64::NAN))),
            ],
            note: String::new(),
        }
    }

    #[test]
    fn every_run_is_a_dot_and_what_is_published_is_beside_it() {
        for svg in [plot().svg(), plot().narrow()] {
            assert_eq!(svg.matches("h0").count(), 4);
            assert_eq!(svg.matches("fill-opacity=\"0.2\"").count(), 3, "two boxes and a range");
            assert_eq!(svg.matches("stroke-dasharray=\"5 3\"").count(), 1);
            assert!(svg.contains("a&amp;b") && svg.contains("Final &lt;values&gt;"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
        assert!(plot().svg().contains("published: 60.00% to 65.00%"));
        let nothing = BoxPlot { cases: Vec::new(), ..plot() };
        assert!(nothing.svg().contains("no data") && !nothing.svg().contains("NaN"));
        assert_eq!(plot().csv().lines().count(), 5);
        assert_eq!(plot().csv().lines().nth(3), Some("a&b,3,0.800000"));
    }

    #[test]
    fn the_same_runs_have_the_same_places() {
        let of = |values: &[f64]| jittered(values).collect::<Vec<_>>();
        assert_eq!(of(&[0.1, 0.2]), of(&[0.1, f64::NAN, 0.2]));
        assert!(of(&[0.1; 100]).iter().all(|(_, up)| up.abs() <= 7.0));
    }
}
