//! Figures as papers want them: without a title, and in a width in centimetres.

/// A figure without its title: the lines are taken out, and what is below moves up.
pub fn untitled(svg: &str) -> String {
    let (mut text, mut cut) = (String::new(), None::<f64>);
    let mut rest = svg;
    while let Some(at) = rest.find("<text ") {
        let (before, element) = rest.split_at(at);
        text += before;
        let (Some(head), Some(end)) = (element.find('>'), element.find("</text>")) else { break };
        let end = end + "</text>".len();
        let tag = &element[..head];
        if tag.contains("class=\"o-title\"") {
            let number = |name| attribute(tag, name).and_then(|text| text.parse::<f64>().ok());
            // The room for what hangs below the last line becomes the margin.
            let bottom = number("y").unwrap_or(0.0);
            cut = Some(cut.map_or(bottom, |cut: f64| cut.max(bottom)));
        } else {
            text += &element[..end];
        }
        rest = &element[end..];
    }
    text += rest;
    match (cut, view(&text)) {
        (Some(cut), Some([left, top, width, height])) => {
            let height = height - cut;
            let view = [left, top + cut, width, height].map(super::at).join(" ");
            let text = with(&text, "viewBox", &view);
            with(&text, "height", &super::at(height))
        }
        _ => text,
    }
}

/// A figure in a width in centimetres.
pub fn sized(svg: &str, centimetres: f64) -> String {
    let Some([_, _, width, height]) = view(svg) else { return svg.into() };
    let length = |number: f64| format!("{}cm", (1000.0 * number).round() / 1000.0);
    let text = with(svg, "width", &length(centimetres));
    with(&text, "height", &length(centimetres * height / width))
}

/// The first tag of a figure.
fn head(svg: &str) -> Option<std::ops::Range<usize>> {
    let start = svg.find("<svg ")?;
    Some(start..start + svg[start..].find('>')?)
}

fn view(svg: &str) -> Option<[f64; 4]> {
    let view = attribute(&svg[head(svg)?], "viewBox")?;
    let numbers: Vec<f64> = view.split(' ').filter_map(|number| number.parse().ok()).collect();
    numbers.try_into().ok()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()
}

/// The figure with another value of an attribute.
fn with(svg: &str, name: &str, value: &str) -> String {
    let Some(head) = head(svg) else { return svg.into() };
    let tag = &svg[head.clone()];
    let Some(old) = attribute(tag, name) else { return svg.into() };
    let tag = tag.replacen(&format!(" {name}=\"{old}\""), &format!(" {name}=\"{value}\""), 1);
    format!("{}{tag}{}", &svg[..head.start], &svg[head.end..])
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, AxisUnit, BoardFigure, Chart, Detail};
    use super::*;

    #[test]
    fn a_title_leaves_no_room_behind() {
        let axis = || Axis::new("games", AxisUnit::Count);
        let svg = Chart::new("A title of this chart", axis(), axis()).svg();
        let found = untitled(&svg);
        assert!(!found.contains(">A title") && found.contains("aria-label=\"A title"));
        let [_, top, _, height] = view(&found).unwrap();
        let [_, _, _, before] = view(&svg).unwrap();
        assert!(top > 20.0 && (before - top - height).abs() < 0.11, "{top} {height} {before}");
        assert_eq!(untitled(&found), found, "once is enough");
        let board =
            BoardFigure { title: "lr2006".into(), weights: [0.0; 64], detail: Detail::Numbers };
        assert!(!untitled(&board.svg()).contains(">lr2006<"));
    }

    #[test]
    fn a_figure_has_its_width_on_paper() {
        let axis = || Axis::new("games", AxisUnit::Count);
        let svg = sized(&Chart::new("a", axis(), axis()).narrow(), 8.5);
        assert!(svg.contains("width=\"8.5cm\" height=\""), "{}", &svg[..200]);
        assert!(svg.contains("viewBox=\"0 0 380 "));
        assert_eq!(sized("no figure", 3.0), "no figure");
    }
}
