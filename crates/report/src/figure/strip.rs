//! Strips: every value as a dot in the row of its group, with the mean and its interval.

use maud::{Markup, html};

use super::axis::{Ends, Ticks};
use super::palette::Look;
use super::{
    Axis, Format, SOFT, at, document, fitted, note_lines, printable, text_width, title_lines,
};

/// Rows of dots over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// What it shows.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// Values that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the group.
    pub name: String,
    /// The look, as for a series of a chart.
    pub look: usize,
    /// One dot each. Values that are not finite are left out.
    pub values: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
}

/// The height of a row, and of the name above it on a phone.
const ROW: f64 = 44.0;
const NAME: f64 = 18.0;
const NAMES: f64 = 190.0;
/// The distance between dots; dots that would touch are stacked.
const DOT: f64 = 7.0;

impl Strip {
    /// The strips as an SVG document.
    pub fn svg(&self) -> String {
        self.draw(Format::Wide)
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        self.draw(Format::Narrow)
    }

    fn draw(&self, format: Format) -> String {
        let (title, below_title) = title_lines(&self.title, format);
        let (font, width) = (format.font(), format.width());
        let widest = self.rows.iter().map(|row| font * text_width(&printable(&row.name)));
        let beside = widest.fold(0.0, f64::max).min(NAMES) + 26.0;
        let (left, height, ticks) = match format {
            Format::Wide => (beside, ROW, 7.0),
            Format::Narrow => (22.0, ROW + NAME, 3.5),
        };
        let (top, right) = (below_title + 10.0, width - 34.0);
        let bottom = top + height * self.rows.len() as f64;
        let x = Ticks::new(self.x.unit, self.extent(), ticks, Ends::AtTicks);
        let place =
            |value: f64| left + (right - left) * (value - x.range[0]) / (x.range[1] - x.range[0]);
        let (note, end) = note_lines(&self.note, bottom + 3.9 * font, format);
        let body = html! {
            (title)
            g font-size=(at(font)) {
                g stroke="#ddd" class="o-grid" {
                    @for &value in &x.values {
                        @let x = at(place(value));
                        line x1=(x) x2=(x) y1=(at(top)) y2=(at(bottom)) {}
                    }
                }
                g fill=(SOFT) class="o-soft" text-anchor="middle" {
                    @for &value in &x.values {
                        text x=(at(place(value))) y=(at(bottom + 18.0)) { (x.text(value)) }
                    }
                    text x=(at((left + right) / 2.0)) y=(at(bottom + 20.0 + 1.35 * font)) {
                        (printable(&self.x.label))
                    }
                }
                @for (index, row) in self.rows.iter().enumerate() {
                    @let from = top + height * index as f64;
                    (draw_name(row, format, from))
                    (self.draw_row(row, &place, from + height - ROW / 2.0))
                }
            }
            (note)
        };
        document([width, end + 6.0], &printable(&self.title), &body)
    }

    fn extent(&self) -> [f64; 2] {
        let of_row = |row: &Row| -> Vec<f64> {
            let interval = row.interval.into_iter().flatten();
            row.values.iter().copied().chain([row.mean]).chain(interval).collect()
        };
        let all = self.rows.iter().flat_map(of_row).chain(self.x.shows.clone());
        all.filter(|value| value.is_finite())
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            })
    }

    /// The dots of a row around a height, and below them the mean with its interval.
    fn draw_row(&self, row: &Row, place: &impl Fn(f64) -> f64, y: f64) -> Markup {
        let (look, below) = (Look::new(row.look), y + 14.0);
        let y = y - 5.0;
        // With round line ends, a line without length is a dot.
        let dots: String =
            heaped(&row.values.iter().map(|&value| place(value)).collect::<Vec<_>>())
                .into_iter()
                .map(|[x, up]| format!("M{} {}h0", at(x), at(y - up)))
                .collect();
        let unit = self.x.unit;
        let interval = row.interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
        let told = interval.map_or(String::new(), |[low, high]| {
            format!(" ({} to {})", unit.value(low), unit.value(high))
        });
        html! {
            path d=(dots) fill="none" stroke=(look.colour) class=(look.stroke_class())
                stroke-width=(DOT) stroke-linecap="round" stroke-opacity="0.6" {}
            @if row.mean.is_finite() {
                g stroke=(look.colour) class=(look.stroke_class()) stroke-width="2" {
                    @if let Some([low, high]) = interval {
                        line x1=(at(place(low))) x2=(at(place(high))) y1=(at(below)) y2=(at(below)) {}
                    }
                    line x1=(at(place(row.mean))) x2=(at(place(row.mean))) y1=(at(below - 5.0))
                        y2=(at(below + 5.0)) stroke-width="3" {}
                }
                circle cx=(at(place(row.mean))) cy=(at(below)) r="8" fill="none" pointer-events="all" {
                    title { (printable(&row.name)) "\nmean: " (unit.value(row.mean)) (told) }
                }
            }
        }
    }
}

fn draw_name(row: &Row, format: Format, from: f64) -> Markup {
    let name = printable(&row.name);
    let (x, y, width) = match format {
        Format::Wide => (10.0, from + ROW / 2.0 + 4.5, NAMES),
        Format::Narrow => (10.0, from + NAME, format.width() - 20.0),
    };
    html! {
        text x=(at(x)) y=(at(y)) { (fitted(&name, format.font(), width)) title { (name) } }
    }
}

/// Places with their heights: dots that would cover each other are stacked around the middle.
fn heaped(places: &[f64]) -> Vec<[f64; 2]> {
    let mut sorted: Vec<f64> = places.iter().copied().filter(|place| place.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (mut heap, mut start) = (0, f64::NEG_INFINITY);
    let mut heaped = Vec::new();
    for place in sorted {
        if place - start >= DOT {
            (heap, start) = (0, place);
        }
        // 0, 1, -1, 2, -2 and then again from 0: no stack is higher than a row.
        let step = heap % 5;
        let up = f64::from((step + 1) / 2) * if step % 2 == 1 { 1.0 } else { -1.0 };
        heaped.push([place, 5.0 * up]);
        heap += 1;
    }
    heaped
}

#[cfg(test)]
mod tests {
    use super::super::AxisUnit;
    use super::*;

    fn strip() -> Strip {
        let row = |name: &str, look, values: &[f64]| Row {
            name: name.into(),
            look,
            values: values.to_vec(),
            mean: 0.75,
            interval: Some([0.7, 0.8]),
        };
        Strip {
            title: "Final <values>".into(),
            x: Axis::new("share of games won", AxisUnit::Percent),
            rows: vec![row("a&b", 0, &[0.7, 0.7, 0.8, f64::NAN]), row("two", 1, &[0.6])],
            note: "each dot is a run".into(),
        }
    }

    #[test]
    fn every_value_is_a_dot_and_a_group_has_its_mean() {
        for svg in [strip().svg(), strip().narrow()] {
            assert_eq!(svg.matches("h0").count(), 4);
            assert_eq!(svg.matches("mean: 75.00% (70.00% to 80.00%)").count(), 2);
            assert!(svg.contains("a&amp;b") && svg.contains("Final &lt;values&gt;"));
            assert!(!svg.contains("NaN"));
        }
        let nothing = Strip { rows: Vec::new(), ..strip() };
        assert!(!nothing.svg().contains("NaN"));
    }

    #[test]
    fn dots_do_not_hide_each_other() {
        let places = heaped(&[10.0, 10.0, 11.0, 30.0]);
        assert_eq!(places, [[10.0, 0.0], [10.0, 5.0], [11.0, -5.0], [30.0, 0.0]]);
    }
}
