//! How the champion of a run changed: pictures side by side, or one after the other in a film.
//!
//! All pictures have the same scale of colours. A film is an SVG file without a script: CSS shows
//! one picture at a time. Where there is no CSS, no motion is wanted or the page is printed, the
//! last picture is shown.

use maud::{Markup, PreEscaped, html};
use outflank_game::model::Portrait;

use super::board::{colour_key, painted};
use super::network::{Scene, Shades, scene, shown_nodes};
use super::{AxisUnit, SOFT, at, count_text, document, fitted, largest_weight, printable};

/// The champions of a run.
#[derive(Clone, Debug)]
pub struct HistoryFigure {
    /// The name of the run.
    pub title: String,
    /// The first champion first.
    pub pictures: Vec<Picture>,
}

/// The champion at one moment of a run.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Training games by then.
    pub games: u64,
    /// What is drawn.
    pub inside: Inside,
}

/// What a champion consists of.
#[derive(Clone, Debug)]
pub enum Inside {
    /// The weights of a WPC, from a1 to h8.
    Board(Box<[f32; 64]>),
    /// A network.
    Network(Portrait),
}

/// The width of a square of a WPC, before scaling.
const CELL: f64 = 10.0;
/// Beside all that is drawn.
const MARGIN: f64 = 14.0;
/// Between the pictures of a strip.
const GAP: f64 = 12.0;
/// Where the pictures begin; titles and the meaning of the colours are above.
const TOP: f64 = 72.0;
/// A strip makes networks small, and thin links would be lost.
const BOLD: f64 = 2.8;
/// The explanation of the colours needs this width.
const LEAST_WIDTH: f64 = 470.0;

impl HistoryFigure {
    /// The pictures side by side as an SVG document.
    pub fn strip(&self) -> String {
        let reel = Reel::new(&self.pictures, BOLD);
        let (most, width) = if reel.has_networks { (4, 200.0) } else { (8, 94.0) };
        let rows = self.pictures.len().div_ceil(most).max(1);
        let columns = self.pictures.len().div_ceil(rows).max(1);
        let side = reel.fitting(width);
        let captions = if reel.has_networks { 32.0 } else { 18.0 };
        let pitch = [width + GAP, side[1] + captions + GAP];
        let pictures = pitch[0] * columns as f64 - GAP;
        let all = (pictures + 2.0 * MARGIN).max(LEAST_WIDTH);
        let left = (all - pictures) / 2.0;
        let place = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            [left + pitch[0] * column as f64, TOP + pitch[1] * row as f64]
        };
        let body = html! {
            (self.head(all, "below each picture: training games; all have the same scale of colours"))
            g text-anchor="middle" {
                @for (index, picture) in self.pictures.iter().enumerate() {
                    @let ([x, y], middle) = (place(index), place(index)[0] + width / 2.0);
                    (reel.draw(index, [x, y], width))
                    text x=(at(middle)) y=(at(y + side[1] + 14.0)) font-size="12" {
                        (count(picture.games))
                    }
                    @if let Some(size) = size_of(picture) {
                        text x=(at(middle)) y=(at(y + side[1] + 28.0)) font-size="11" fill=(SOFT)
                            class="o-soft o-fine" { (size) }
                    }
                }
            }
        };
        let height = TOP + pitch[1] * rows as f64;
        document([all, height], &format!("growth of {}", printable(&self.title)), &body)
    }

    /// The pictures one after the other as an animated SVG document.
    pub fn film(&self) -> String {
        let reel = Reel::new(&self.pictures, 1.2);
        let width = if reel.has_networks { 720.0 } else { 400.0 };
        let all = (width + 2.0 * MARGIN).max(LEAST_WIDTH);
        let (left, bottom) = ((all - width) / 2.0, TOP + reel.fitting(width)[1]);
        let timing = Timing::new(self.pictures.len());
        let end = self.pictures.last().map_or(0, |picture| picture.games);
        let along = |games: u64| left + width * games as f64 / end.max(1) as f64;
        let bar = bottom + 40.0;
        let body = html! {
            (PreEscaped(timing.style()))
            (self.head(all, "all pictures have the same scale of colours"))
            line x1=(at(left)) x2=(at(left + width)) y1=(at(bar)) y2=(at(bar)) stroke="#ddd" class="o-grid"
                stroke-width="4" stroke-linecap="round" {}
            g text-anchor="middle" {
                @for (index, picture) in self.pictures.iter().enumerate() {
                    @let is_last = index + 1 == self.pictures.len();
                    // The attribute is for programs without CSS, which show the last picture.
                    g class=(if is_last { "o-last" } else { "o-frame" }) style=[timing.delay(index)]
                        visibility=[(!is_last).then_some("hidden")] {
                        (reel.draw(index, [left, TOP], width))
                        text x=(at(all / 2.0)) y=(at(bottom + 26.0)) font-size="16" {
                            (count(picture.games)) " training games"
                            @if let Some(size) = size_of(picture) { ": " (size) }
                        }
                        line x1=(at(left)) x2=(at(along(picture.games))) y1=(at(bar)) y2=(at(bar))
                            stroke=(SOFT) class="o-line" stroke-width="4" stroke-linecap="round" {}
                    }
                }
            }
        };
        let label = format!("growth of {}, as a film", printable(&self.title));
        document([all, bar + MARGIN], &label, &body)
    }

    /// The title, what the colours mean, and a note.
    fn head(&self, width: f64, note: &str) -> Markup {
        let name = printable(&self.title);
        let title = fitted(&name, 18.0, width - 8.0);
        html! {
            g text-anchor="middle" {
                text x=(at(width / 2.0)) y="23" font-size="18" class="o-title" {
                    (title) @if title != name { title { (name) } }
                }
                (colour_key(width / 2.0, 42.0))
                text x=(at(width / 2.0)) y="59" font-size="12" fill=(SOFT) class="o-soft o-fine" { (note) }
            }
        }
    }
}

/// Pictures that were drawn, so that the same thing is at the same place in all.
struct Reel {
    scenes: Vec<Scene>,
    /// Left, top, right and bottom of all of them, as seen from their anchors.
    bounds: [f64; 4],
    has_networks: bool,
}

impl Reel {
    fn new(pictures: &[Picture], bold: f64) -> Reel {
        let (mut largest, mut shades, mut nodes) = (0f32, Shades::default(), Vec::new());
        for picture in pictures {
            match &picture.inside {
                Inside::Board(weights) => largest = largest.max(largest_weight(weights)),
                Inside::Network(portrait) => {
                    shades = shades.join(Shades::of(portrait));
                    // Of the last one: its most important nodes are followed.
                    nodes = shown_nodes(portrait);
                }
            }
        }
        let draw = |picture: &Picture| match &picture.inside {
            Inside::Board(weights) => board(weights, largest),
            Inside::Network(portrait) => scene(portrait, &nodes, shades.bolder(bold)),
        };
        let scenes: Vec<Scene> = pictures.iter().map(draw).collect();
        let seen = |Scene { anchor: [x, y], bounds: [left, top, right, bottom], .. }: &Scene| {
            [left - x, top - y, right - x, bottom - y]
        };
        let join = |a: [f64; 4], b: [f64; 4]| {
            [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
        };
        let bounds = scenes.iter().map(seen).reduce(join).unwrap_or([0.0, 0.0, 1.0, 1.0]);
        let has_networks =
            pictures.iter().any(|picture| matches!(picture.inside, Inside::Network(_)));
        Reel { scenes, bounds, has_networks }
    }

    /// The size of a picture in this width.
    fn fitting(&self, width: f64) -> [f64; 2] {
        let [left, top, right, bottom] = self.bounds;
        [width, (bottom - top) * width / (right - left)]
    }

    /// A picture in this width.
    fn draw(&self, index: usize, [x, y]: [f64; 2], width: f64) -> Markup {
        let ([left, top, right, _], scene) = (self.bounds, &self.scenes[index]);
        let scale = width / (right - left);
        let [dx, dy] = [x - scale * (scene.anchor[0] + left), y - scale * (scene.anchor[1] + top)];
        html! {
            g transform={ "translate(" (at(dx)) " " (at(dy)) ") scale(" (format!("{scale:.4}")) ")" } {
                (scene.body)
            }
        }
    }
}

fn board(weights: &[f32; 64], largest: f32) -> Scene {
    let side = 8.0 * CELL;
    let corner = |index: i32| [f64::from(index % 8), f64::from(index / 8)].map(|at| CELL * at);
    let squares = weights.iter().zip(0..64).map(|(&weight, index)| (corner(index), weight));
    let inner = 1..8;
    let lines: String = inner
        .map(|line| line * CELL as i32)
        .fold(String::new(), |path, line| path + &format!("M0 {line}h{side}M{line} 0v{side}"));
    Scene {
        body: html! {
            (painted(squares, CELL, largest))
            path d={ (lines) "M0 0h" (side) "v" (side) "h-" (side) "z" } fill="none" stroke="#888"
                class="o-edge" stroke-width="0.3" {}
        },
        anchor: [0.0, 0.0],
        bounds: [0.0, 0.0, side, side],
    }
}

/// When the pictures of a film are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Timing {
    pictures: usize,
    /// Seconds of each picture but the last.
    step: f64,
}

/// Seconds until the last picture, unless there are very few or very many.
const SECONDS: f64 = 8.0;
/// Seconds of the last picture.
const HOLD: f64 = 3.0;

impl Timing {
    fn new(pictures: usize) -> Timing {
        let step = SECONDS / pictures.saturating_sub(1).max(1) as f64;
        Timing { pictures, step: step.clamp(0.08, 1.0) }
    }

    /// Seconds from the beginning to the last picture, and to the end.
    fn length(self) -> [f64; 2] {
        let last = self.step * self.pictures.saturating_sub(1) as f64;
        [last, last + HOLD]
    }

    /// The rules that show one picture after the other. All but the last run the same animation,
    /// each behind the one before.
    fn style(self) -> String {
        let [last, end] = self.length();
        if self.pictures < 2 {
            return String::new();
        }
        // Rounded up: pictures may overlap for a moment, but there is never none.
        let share = |seconds: f64| (1000.0 * 100.0 * seconds / end).ceil() / 1000.0;
        let from = (1000.0 * 100.0 * last / end).floor() / 1000.0;
        format!(
            "<style>@keyframes o-frame{{0%{{visibility:visible}}{}%,100%{{visibility:hidden}}}}\
             @keyframes o-last{{0%{{visibility:hidden}}{from}%,100%{{visibility:visible}}}}\
             @media screen and (prefers-reduced-motion:no-preference){{\
             .o-frame{{animation:o-frame {end:.3}s step-end infinite}}\
             .o-last{{animation:o-last {end:.3}s step-end infinite}}}}</style>",
            share(self.step)
        )
    }

    /// How far the animation of a picture is at the beginning. A negative delay begins at once, in
    /// the middle; with a positive one, the last picture would be seen before the first.
    fn delay(self, index: usize) -> Option<String> {
        let is_behind = index > 0 && index + 1 < self.pictures;
        let behind = self.step * index as f64 - self.length()[1];
        is_behind.then(|| format!("animation-delay:{behind:.3}s"))
    }
}

fn count(games: u64) -> String {
    AxisUnit::Count.value(games as f64)
}

/// `9 hidden nodes, 522 connections`; nothing for a WPC.
fn size_of(picture: &Picture) -> Option<String> {
    let Inside::Network(portrait) = &picture.inside else { return None };
    let hidden = count_text(portrait.hidden_count(), "hidden node");
    Some(format!("{hidden}, {}", count_text(portrait.connections.len(), "connection")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(number: u64) -> HistoryFigure {
        let picture = |index: u64| {
            let mut weights = [0.5f32; 64];
            weights[0] = (index + 1) as f32;
            Picture { games: 1000 * (index + 1), inside: Inside::Board(Box::new(weights)) }
        };
        HistoryFigure { title: "<runs>&1".into(), pictures: (0..number).map(picture).collect() }
    }

    /// The numbers after `translate(` of all pictures.
    fn places(svg: &str) -> Vec<[f64; 2]> {
        let numbers = |text: &str| -> Vec<f64> {
            text.split([' ', ')']).filter_map(|number| number.parse().ok()).collect()
        };
        let after = svg.split("translate(").skip(1);
        after
            .map(|text| {
                let found = numbers(text);
                [found[0], found[1]]
            })
            .collect()
    }

    #[test]
    fn a_strip_has_rows_of_the_same_length() {
        let places = places(&boards(12).strip());
        assert_eq!(places.len(), 12);
        let row = |y: f64| places.iter().filter(|place| (place[1] - y).abs() < 1e-9).count();
        assert_eq!((row(places[0][1]), row(places[11][1])), (6, 6));
        assert!(places[1][0] - places[0][0] >= 94.0 && (places[6][0] - places[0][0]).abs() < 1e-9);
    }

    #[test]
    fn all_pictures_have_one_scale_of_colours() {
        let svg = boards(3).strip();
        // The corner is the largest weight in the last picture only.
        assert_eq!(svg.matches("rgb(0,109,44)").count(), 1 + 1, "and in the explanation");
        assert_eq!(svg.matches("o-w16\"").count(), 1);
    }

    #[test]
    fn names_are_escaped_and_there_is_no_script() {
        for svg in [boards(2).strip(), boards(2).film(), boards(1).film(), boards(0).strip()] {
            assert!(svg.contains("&lt;runs&gt;&amp;1") && !svg.contains("<runs>"));
            assert!(!svg.contains("<script") && !svg.contains("NaN") && !svg.contains("inf "));
            assert_eq!(svg.matches("http").count(), 1, "the namespace and nothing else");
        }
        assert!(!boards(1).film().contains("keyframes"), "one picture does not move");
    }

    #[test]
    fn a_still_film_is_its_last_picture() {
        let svg = boards(3).film();
        assert_eq!(svg.matches("visibility=\"hidden\"").count(), 2);
        let last = svg.split("<g class=\"o-last\"").nth(1).unwrap();
        assert!(!last.contains("visibility=") && last.contains(">3,000 training games<"));
        let (_, rules) = svg.split_once("(prefers-reduced-motion:no-preference){").unwrap();
        assert!(rules.starts_with(".o-frame{animation:"), "only where motion is wanted");
        assert_eq!(svg.matches("animation:").count(), 2);
    }

    #[test]
    fn one_picture_follows_the_other_and_the_last_one_stays() {
        for pictures in [2, 3, 8, 40, 200, 1000] {
            let timing = Timing::new(pictures);
            let [last, end] = timing.length();
            assert!((end - last - HOLD).abs() < 1e-9);
            // The phase of a picture at a time, as CSS has it; it is seen in the first step.
            let sees = |index: usize, time: f64| {
                let delay = timing.delay(index).map_or(0.0, |text| {
                    let number = text.trim_start_matches("animation-delay:").trim_end_matches('s');
                    number.parse::<f64>().unwrap()
                });
                (time - delay).rem_euclid(end) < timing.step
            };
            for moment in 0..pictures - 1 {
                let time = timing.step * (moment as f64 + 0.5);
                let seen: Vec<usize> = (0..pictures - 1).filter(|&i| sees(i, time)).collect();
                assert_eq!(seen, [moment], "{pictures}");
            }
            assert!(!(0..pictures - 1).any(|index| sees(index, last + HOLD / 2.0)));
        }
        let style = Timing::new(41).style();
        assert!(style.contains("{0%{visibility:visible}1.819%,100%{"), "{style}");
        assert!(style.contains("{0%{visibility:hidden}72.727%,100%{"), "{style}");
        assert!(style.contains("o-frame 11.000s step-end infinite"), "{style}");
    }
}
