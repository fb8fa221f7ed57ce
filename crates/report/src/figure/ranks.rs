//! Diagrams of many methods on one axis, with bars that join those that do not differ (critical
//! difference diagrams; Demšar 2006, section 3.2.2).

use std::fmt::Write as _;

use maud::{Markup, html};

use super::axis::{Ends, Ticks};
use super::scale::extent;
use super::{
    Axis, Format, SOFT, at, document, fitted, note_lines, printable, text_width, title_lines,
};
use crate::text::csv_cell;

/// Methods by their means or mean ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct RankDiagram {
    /// What it shows; may be empty.
    pub title: String,
    /// The axis above: means, or mean ranks.
    pub axis: Axis,
    /// Which end of the axis is the better one.
    pub better: Better,
    /// In any order. Those whose mean is not finite are left out.
    pub methods: Vec<RankedMethod>,
    /// Groups of methods that do not differ, by their places in `methods`; see
    /// [`RankDiagram::groups_of`].
    pub groups: Vec<Vec<usize>>,
    /// The smallest difference that counts, if it is the same for all pairs.
    pub critical: Option<f64>,
    /// A note on how it is drawn; may be empty.
    pub note: String,
}

/// A method and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedMethod {
    /// Its name.
    pub name: String,
    /// Its mean or mean rank.
    pub mean: f64,
}

/// Which values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// High ones, such as scores.
    High,
    /// Low ones, such as ranks.
    Low,
}

/// From one name to the next, and from one bar to the next.
const LINE: f64 = 20.0;
const BAR: f64 = 9.0;

/// Where everything is.
struct Frame {
    format: Format,
    left: f64,
    right: f64,
    axis: f64,
    ticks: Ticks,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        let [low, high] = self.ticks.range;
        self.left + (self.right - self.left) * (value - low) / (high - low)
    }
}

impl RankDiagram {
    /// Groups from letters, as `Comparison::groups` gives them: methods that share a letter do not
    /// differ. A letter is a character, or a number in brackets.
    pub fn groups_of<T: AsRef<str>>(letters: &[T]) -> Vec<Vec<usize>> {
        let mut names: Vec<String> = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (method, letters) in letters.iter().enumerate() {
            let mut rest = letters.as_ref();
            while let Some(first) = rest.chars().next() {
                let end = match first {
                    '(' => rest.find(')').map_or(rest.len(), |end| end + 1),
                    first => first.len_utf8(),
                };
                let (letter, after) = rest.split_at(end);
                rest = after;
                let known = names.iter().position(|name| name == letter);
                let group = known.unwrap_or_else(|| {
                    names.push(letter.into());
                    groups.push(Vec::new());
                    names.len() - 1
                });
                groups[group].push(method);
            }
        }
        groups
    }

    /// The diagram as an SVG document.
    pub fn svg(&self) -> String {
        self.draw(Format::Wide)
    }

    /// The same for a phone.
    pub fn narrow(&self) -> String {
        self.draw(Format::Narrow)
    }

    /// The methods as CSV, with the numbers of their groups.
    pub fn csv(&self) -> String {
        let mut text = "method,mean,groups\n".to_string();
        for index in self.order() {
            let method = &self.methods[index];
            let groups = self.groups.iter().enumerate().filter(|(_, group)| group.contains(&index));
            let groups: Vec<String> = groups.map(|(number, _)| (number + 1).to_string()).collect();
            let (name, groups) = (csv_cell(&method.name), groups.join(" "));
            let _ = writeln!(text, "{name},{:.6},{groups}", method.mean);
        }
        text
    }

    /// The methods that can be drawn, from low to high.
    fn order(&self) -> Vec<usize> {
        let is_finite = |&index: &usize| self.methods[index].mean.is_finite();
        let mut order: Vec<usize> = (0..self.methods.len()).filter(is_finite).collect();
        order.sort_by(|&a, &b| self.methods[a].mean.total_cmp(&self.methods[b].mean));
        order
    }

    fn draw(&self, format: Format) -> String {
        let (title, below_title) = title_lines(&self.title, format);
        let (font, width) = (format.font(), format.width());
        let order = self.order();
        let names = order.iter().map(|&index| font * text_width(&self.label(index)));
        let most = if format == Format::Wide { 230.0 } else { 156.0 };
        let side = names.fold(0.0, f64::max).min(most) + 16.0;
        let critical = self.critical.filter(|value| value.is_finite() && *value > 0.0);
        let axis = below_title + 3.6 * font + if critical.is_some() { 26.0 } else { 0.0 };
        let means = order.iter().map(|&index| self.methods[index].mean);
        let range = extent(means.chain(self.axis.shows.iter().copied()));
        let ticks = if format == Format::Wide { 7.0 } else { 3.0 };
        let ticks = Ticks::new(self.axis.unit, range, ticks, Ends::AtTicks);
        // A phone has room for names on one side only.
        let left = if format == Format::Wide { side + 14.0 } else { 26.0 };
        let frame = Frame { format, left, right: width - side - 14.0, axis, ticks };
        let bars = self.bars(&frame);
        let levels = bars.iter().map(|bar| bar.level + 1).max().unwrap_or(0);
        let first = axis + 14.0 + BAR * levels as f64 + 12.0;
        let rows = order.len() - on_the_left(&order, format);
        let (note, end) = note_lines(&self.note, first + LINE * rows as f64 + 4.0, format);
        let body = html! {
            (title)
            g font-size=(at(font)) {
                (self.draw_axis(&frame))
                @if let Some(critical) = critical { (self.draw_critical(&frame, critical)) }
                @if order.is_empty() {
                    text x=(at(width / 2.0)) y=(at(first)) text-anchor="middle" fill=(SOFT) class="o-soft" { "no data" }
                }
                (self.draw_methods(&frame, &order, first, side))
                (draw_bars(&bars, axis + 14.0))
            }
            (note)
        };
        document([width, end + 6.0], &printable(&self.title), &body)
    }

    /// The name of a method with its mean.
    fn label(&self, index: usize) -> String {
        printable(&self.methods[index].name)
    }

    fn draw_axis(&self, frame: &Frame) -> Markup {
        let font = frame.format.font();
        let better = match self.better {
            Better::High => format!("{} (better →)", printable(&self.axis.label)),
            Better::Low => format!("(← better) {}", printable(&self.axis.label)),
        };
        let y = frame.axis;
        html! {
            g stroke="#333" class="o-axis" stroke-width="1.3" {
                line x1=(at(frame.left)) x2=(at(frame.right)) y1=(at(y)) y2=(at(y)) {}
                @for &value in &frame.ticks.values {
                    @let x = at(frame.x(value));
                    line x1=(x) x2=(x) y1=(at(y - 6.0)) y2=(at(y)) {}
                }
            }
            g fill=(SOFT) class="o-soft" text-anchor="middle" {
                @for &value in &frame.ticks.values {
                    text x=(at(frame.x(value))) y=(at(y - 10.0)) { (frame.ticks.text(value)) }
                }
                text x=(at((frame.left + frame.right) / 2.0)) y=(at(y - 12.0 - 1.3 * font)) {
                    (fitted(&better, font, frame.format.width() - 20.0))
                }
            }
        }
    }

    /// A line as long as the critical difference.
    fn draw_critical(&self, frame: &Frame, critical: f64) -> Markup {
        let [low, high] = frame.ticks.range;
        let length = (frame.right - frame.left) * critical / (high - low);
        let (x, y) = (frame.left, frame.axis - 3.6 * frame.format.font() - 4.0);
        // A difference wider than the axis would leave the figure.
        let length = length.min(frame.right - frame.left);
        html! {
            path d={ "M" (at(x)) " " (at(y)) "h" (at(length)) "M" (at(x)) " " (at(y - 4.0)) "v8M" (at(x + length)) " "
                (at(y - 4.0)) "v8" } fill="none" stroke="#333" class="o-axis" stroke-width="1.5" {}
            text x=(at(x + length + 7.0)) y=(at(y + 4.5)) {
                "critical difference " (self.axis.unit.value(critical))
            }
        }
    }

    /// The lower half to the left, the others to the right; the outermost on top, so that no leader
    /// crosses another.
    fn draw_methods(&self, frame: &Frame, order: &[usize], first: f64, side: f64) -> Markup {
        let (font, width) = (frame.format.font(), frame.format.width());
        let left = on_the_left(order, frame.format);
        let unit = self.axis.unit;
        let leader = |place: usize| {
            let index = order[place];
            let x = frame.x(self.methods[index].mean);
            let is_left = place < left;
            let row = if is_left { place } else { order.len() - 1 - place };
            let y = first + LINE * row as f64;
            let (end, anchor, text) = match is_left {
                true => (side, "end", side - 5.0),
                false => (width - side, "start", width - side + 5.0),
            };
            let name = fitted(&self.label(index), font, side - 9.0);
            html! {
                path d={ "M" (at(x)) " " (at(frame.axis)) "V" (at(y)) "H" (at(end)) } fill="none" stroke=(SOFT)
                    class="o-line" stroke-width="1" {}
                text x=(at(text)) y=(at(y + 0.35 * font)) text-anchor=(anchor) {
                    (name)
                    title { (self.label(index)) ": " (unit.value(self.methods[index].mean)) }
                }
            }
        };
        html! { @for place in 0..order.len() { (leader(place)) } }
    }

    /// A bar for each group of two or more, in the highest level where there is room.
    fn bars(&self, frame: &Frame) -> Vec<Bar> {
        let mut members: Vec<Vec<f64>> = self
            .groups
            .iter()
            .map(|group| {
                let means = group.iter().filter_map(|&index| self.methods.get(index));
                let places = means.map(|method| method.mean).filter(|mean| mean.is_finite());
                let mut places: Vec<f64> = places.map(|mean| frame.x(mean)).collect();
                places.sort_by(f64::total_cmp);
                places
            })
            .filter(|places| places.len() > 1)
            .collect();
        members.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut ends: Vec<f64> = Vec::new();
        members
            .into_iter()
            .map(|places| {
                let last = places[places.len() - 1];
                let free = ends.iter().position(|&end| end + 14.0 <= places[0]);
                let level = free.unwrap_or(ends.len());
                if level == ends.len() {
                    ends.push(last)
                } else {
                    ends[level] = last
                }
                Bar { places, level }
            })
            .collect()
    }
}

/// The number of methods whose names are on the left.
fn on_the_left(order: &[usize], format: Format) -> usize {
    if format == Format::Wide { order.len() / 2 } else { 0 }
}

/// Methods that do not differ: where they are, and how far down their bar is.
#[derive(Debug, PartialEq)]
struct Bar {
    places: Vec<f64>,
    level: usize,
}

/// Dots are the members: a group need not have all methods between its ends.
fn draw_bars(bars: &[Bar], top: f64) -> Markup {
    html! {
        @for bar in bars {
            @let y = at(top + BAR * bar.level as f64);
            @let [from, to] = [bar.places[0], bar.places[bar.places.len() - 1]].map(at);
            g stroke="#0072B2" class="o-s0" fill="none" stroke-linecap="round" {
                path d={ "M" (from) " " (y) "H" (to) } stroke-width="3.5" {}
                path d=(bar.places.iter().map(|&x| format!("M{} {y}h0", at(x))).collect::<String>()) stroke-width="7" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::AxisUnit;
    use super::*;

    fn diagram(means: &[f64], letters: &[&str]) -> RankDiagram {
        let method =
            |(index, &mean): (usize, &f64)| RankedMethod { name: format!("<m{index}>"), mean };
        RankDiagram {
            title: "Methods".into(),
            axis: Axis::new("mean rank", AxisUnit::Plain),
            better: Better::Low,
            methods: means.iter().enumerate().map(method).collect(),
            groups: RankDiagram::groups_of(letters),
            critical: Some(0.5),
            note: String::new(),
        }
    }

    #[test]
    fn letters_are_groups() {
        assert_eq!(
            RankDiagram::groups_of(&["a", "ab", "b(27)", "(27)"]),
            [vec![0, 1], vec![1, 2], vec![2, 3]]
        );
        assert_eq!(RankDiagram::groups_of::<&str>(&[]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn bars_join_groups_and_do_not_cover_each_other() {
        let figure = diagram(&[1.0, 2.0, 3.0, 9.0, 10.0], &["a", "ab", "b", "c", "c"]);
        let ticks = Ticks::new(AxisUnit::Plain, [0.0, 10.0], 5.0, Ends::AtTicks);
        let frame = Frame { format: Format::Wide, left: 0.0, right: 100.0, axis: 0.0, ticks };
        let bars: Vec<(Vec<f64>, usize)> =
            figure.bars(&frame).into_iter().map(|bar| (bar.places, bar.level)).collect();
        assert_eq!(bars, [(vec![10.0, 20.0], 0), (vec![20.0, 30.0], 1), (vec![90.0, 100.0], 0)]);
        assert_eq!(figure.svg().matches("stroke-width=\"3.5\"").count(), 3);
    }

    #[test]
    fn every_method_has_its_name_and_leaders_do_not_cross() {
        let figure = diagram(&[3.0, 1.0, 2.0, 4.0], &["a", "a", "a", "b"]);
        let svg = figure.svg();
        assert_eq!(svg.matches("&lt;m").count(), 8, "names and tooltips");
        assert!(!svg.contains("<m0>"));
        // From low to high: left top, left below, right below, right top.
        let rows: Vec<f64> = ["m1", "m2", "m0", "m3"]
            .iter()
            .map(|name| {
                let text = &svg[..svg.find(&format!("&lt;{name}&gt;")).unwrap()];
                let y = &text[text.rfind(" y=\"").unwrap() + 4..];
                y[..y.find('"').unwrap()].parse().unwrap()
            })
            .collect();
        assert!(rows[0] < rows[1] && rows[2] > rows[3], "{rows:?}");
        assert!((rows[0] - rows[3]).abs() < 1e-9);
    }

    #[test]
    fn odd_input_is_drawn_without_a_nan() {
        let mut wrong = diagram(&[1.0, f64::NAN], &["a", "a"]);
        wrong.groups.push(vec![0, 17]);
        for figure in [diagram(&[], &[]), diagram(&[2.0], &["a"]), wrong] {
            for svg in [figure.svg(), figure.narrow()] {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
        assert!(diagram(&[], &[]).svg().contains("no data"));
        assert_eq!(
            diagram(&[2.0, 1.0], &["a", "ab"]).csv(),
            "method,mean,groups\n<m1>,1.000000,1 2\n<m0>,2.000000,1\n"
        );
    }
}
