//! What papers say, in a chart: levels behind everything and hollow marks in front.

use maud::{Markup, html};

use super::super::chart::{Chart, PublishedMark};
use super::super::palette::Look;
use super::super::published::{Published, Spread};
use super::super::{Format, SOFT, at, printable};
use super::{Frame, path};

/// What papers say that can be drawn.
pub(super) fn published(chart: &Chart) -> impl Iterator<Item = (&PublishedMark, Published)> {
    let is_placed = |mark: &&PublishedMark| mark.x.is_none_or(f64::is_finite);
    let marks = chart.published.iter().filter(is_placed);
    marks.filter_map(|mark| Some((mark, mark.published.finite()?)))
}

/// The colour of a published value, and the classes of its lines and areas.
pub(super) fn published_ink(mark: &PublishedMark) -> (&'static str, String, String) {
    match mark.look.map(Look::new) {
        Some(look) => (look.colour, look.stroke_class(), look.fill_class()),
        None => (SOFT, "o-line".into(), "o-soft".into()),
    }
}

/// A hollow marker in the shape of its series.
pub(super) fn hollow(mark: &PublishedMark, x: f64, y: f64, size: f64) -> Markup {
    let (colour, class, _) = published_ink(mark);
    let look = Look::new(mark.look.unwrap_or(3));
    html! {
        g stroke=(colour) class=(class) stroke-width="1.8" {
            path d=(look.marker(x, y, size)) fill="white" class="o-paper" {}
        }
    }
}

/// Levels behind everything, or marks in front of everything.
pub(super) fn draw_published(chart: &Chart, frame: &Frame, levels: bool) -> Markup {
    let told = |mark: &PublishedMark, value: Published| {
        format!("{}\npublished: {}", printable(&mark.name), value.text(chart.y.unit))
    };
    html! {
        @for (mark, value) in published(chart).filter(|(mark, _)| mark.x.is_none() == levels) {
            @let (colour, stroke, fill) = published_ink(mark);
            @let ends = value.spread.map(|spread| spread.ends().map(|end| frame.y(end)));
            @match mark.x.map(|x| frame.x(x)) {
                None => {
                    @let (left, right) = (at(frame.left), at(frame.right));
                    @if let Some([low, high]) = ends {
                        rect x=(left) y=(at(high.min(low))) width=(at(frame.right - frame.left))
                            height=(at((low - high).abs().max(1.0))) fill=(colour) class=(fill) fill-opacity="0.13" {
                            title { (told(mark, value)) }
                        }
                    }
                    @if let Some(y) = value.value.map(|value| at(frame.y(value))) {
                        line x1=(left) x2=(right) y1=(y) y2=(y) stroke=(colour) class=(stroke) stroke-width="1.6"
                            stroke-dasharray="10 4" { title { (told(mark, value)) } }
                    }
                }
                Some(x) => {
                    @match (value.spread, ends) {
                        (Some(Spread::Range(_)), Some([low, high])) => {
                            line x1=(at(x)) x2=(at(x)) y1=(at(low)) y2=(at(high)) stroke=(colour) class=(stroke)
                                stroke-width="7" stroke-opacity="0.4" {}
                        }
                        (_, Some([low, high])) => {
                            path d={ (path([(x, low), (x, high)].into_iter()))
                                (path([(x - 4.0, low), (x + 4.0, low)].into_iter()))
                                (path([(x - 4.0, high), (x + 4.0, high)].into_iter())) } fill="none" stroke=(colour)
                                class=(stroke) stroke-width="1.8" {}
                        }
                        _ => {}
                    }
                    @if let Some(y) = value.value.map(|value| frame.y(value)) { (hollow(mark, x, y, 5.0)) }
                    @if frame.format == Format::Wide {
                        @let y = value.value.map_or(ends.map_or(frame.top, |[low, high]| (low + high) / 2.0), |value| frame.y(value));
                        circle cx=(at(x)) cy=(at(y)) r="9" fill="none" pointer-events="all" {
                            title { (told(mark, value)) }
                        }
                    }
                }
            }
        }
    }
}
