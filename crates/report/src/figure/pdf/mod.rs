//! Figures as PDF pages, for papers.
//!
//! Figures are SVG with few elements, which this writes as they are: `svg2pdf`, made for any SVG,
//! brings some 80 crates with it and needs fonts of the machine. Text stays text, in a font that
//! comes with the program and is embedded, as publishers demand, so that a figure has the same
//! bytes everywhere. Letters that the font does not have become boxes.

mod font;
mod path;
mod style;

use std::collections::BTreeMap;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{LineCapStyle, LineJoinStyle, TextRenderingMode};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};
use roxmltree::{Document, Node};

use font::Face;
use path::Pen;
use style::{Anchor, Style, numbers};

/// The beginning of a page of ours, so that no other is taken for one.
pub const MARK: &[u8] = b"%PDF-1.7\n%\xCF\xF4\xE8\xE5";

/// A figure as a PDF document with a page of its size.
///
/// # Panics
///
/// Panics if the text is not well-formed XML, as all figures are.
pub fn pdf(svg: &str) -> Vec<u8> {
    let document = Document::parse(svg).expect("figures are well-formed");
    let root = document.root_element();
    let view = numbers(root.attribute("viewBox").unwrap_or("0 0 1 1"));
    let [left, top, width, height] = <[f64; 4]>::try_from(view).unwrap_or([0.0, 0.0, 1.0, 1.0]);
    let wide = root.attribute("width").and_then(points).unwrap_or(0.75 * width);
    let scale = wide / width;
    let mut canvas = Canvas { content: Content::new(), alphas: BTreeMap::new(), used: [false; 2] };
    // SVG counts down from the top left corner, PDF up from the bottom left one.
    let place = [scale, 0.0, 0.0, -scale, -left * scale, (top + height) * scale];
    canvas.content.transform(place.map(|number| number as f32));
    canvas.draw(root, &Style::default());
    let title = root.attribute("aria-label").unwrap_or_default();
    canvas.finish([wide, height * scale], title)
}

/// A length in points. Pixels are a 96th of an inch.
fn points(length: &str) -> Option<f64> {
    let unit = length.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(length.len());
    let (number, unit) = length.split_at(unit);
    let number: f64 = number.parse().ok()?;
    match unit {
        "cm" => Some(number * 72.0 / 2.54),
        _ => Some(number * 0.75),
    }
}

/// A page that is being drawn.
struct Canvas {
    content: Content,
    /// Opacities of areas and lines in thousandths, with their numbers.
    alphas: BTreeMap<[u16; 2], usize>,
    /// Which faces are used.
    used: [bool; 2],
}

impl Canvas {
    fn draw(&mut self, node: Node<'_, '_>, inherited: &Style) {
        let style = inherited.of(node);
        if let Some(matrix) = node.attribute("transform").and_then(style::matrix) {
            self.content.save_state();
            self.content.transform(matrix.map(|number| number as f32));
        }
        match node.tag_name().name() {
            "svg" | "g" => node.children().for_each(|child| self.draw(child, &style)),
            "text" => self.write(node, &style),
            name => {
                if let Some(data) = outline(name, node) {
                    self.outline(&data, &style);
                }
            }
        }
        if node.has_attribute("transform") {
            self.content.restore_state();
        }
    }

    /// Fills and strokes a path.
    fn outline(&mut self, data: &str, style: &Style) {
        let (fill, stroke) = (style.fill, style.stroke.filter(|_| style.width > 0.0));
        if (fill.is_none() && stroke.is_none()) || data.is_empty() {
            return;
        }
        self.content.save_state();
        self.set(style);
        path::draw(data, &mut Pen(&mut self.content));
        match (fill, stroke) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            _ => self.content.stroke(),
        };
        self.content.restore_state();
    }

    /// Sets colours, opacities and lines.
    fn set(&mut self, style: &Style) {
        if let Some([red, green, blue]) = style.fill {
            self.content.set_fill_rgb(red, green, blue);
        }
        if let Some([red, green, blue]) = style.stroke {
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(style.width as f32);
            if style.round_caps {
                self.content.set_line_cap(LineCapStyle::RoundCap);
            }
            if style.round_joins {
                self.content.set_line_join(LineJoinStyle::RoundJoin);
            }
            if !style.dashes.is_empty() {
                self.content.set_dash_pattern(style.dashes.iter().map(|&dash| dash as f32), 0.0);
            }
        }
        let alpha = style.alpha.map(|alpha| (1000.0 * alpha).round() as u16);
        if alpha != [1000, 1000] {
            let next = self.alphas.len();
            let number = *self.alphas.entry(alpha).or_insert(next);
            self.content.set_parameters(Name(format!("A{number}").as_bytes()));
        }
    }

    /// Writes the runs of a text one after another.
    fn write(&mut self, node: Node<'_, '_>, style: &Style) {
        let number = |name: &str| node.attribute(name).and_then(|text| text.parse().ok());
        let (x, y): (f64, f64) = (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0));
        let runs: Vec<(Style, &str)> = node
            .children()
            .filter_map(|child| match child.tag_name().name() {
                "tspan" => Some((style.of(child), child.text()?)),
                // What is between elements; a title is a tooltip.
                "" => Some((style.clone(), child.text()?)),
                _ => None,
            })
            .collect();
        let face = Face::new(style.is_bold);
        let width: f64 = runs.iter().map(|(_, text)| style.size * face.width(text)).sum();
        let mut at = match style.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        for (style, text) in runs {
            self.used[usize::from(style.is_bold)] = true;
            // A halo is behind the letters.
            if style.stroke.is_some() {
                self.run(text, &style, &face, [at, y], TextRenderingMode::Stroke);
            }
            if style.fill.is_some() {
                self.run(text, &style, &face, [at, y], TextRenderingMode::Fill);
            }
            at += style.size * face.width(text);
        }
    }

    fn run(
        &mut self,
        text: &str,
        style: &Style,
        face: &Face,
        [x, y]: [f64; 2],
        mode: TextRenderingMode,
    ) {
        self.content.save_state();
        self.set(style);
        self.content.begin_text();
        self.content.set_font(Name(face.key()), style.size as f32);
        self.content.set_text_rendering_mode(mode);
        self.content.set_text_matrix([1.0, 0.0, 0.0, -1.0, x as f32, y as f32]);
        self.content.show(Str(&face.glyphs(text)));
        self.content.end_text();
        self.content.restore_state();
    }

    /// The document.
    fn finish(self, [width, height]: [f64; 2], title: &str) -> Vec<u8> {
        let mut ids = (1..).map(Ref::new);
        let mut next = || ids.next().unwrap_or(Ref::new(1));
        let [catalog, tree, page_id, content_id, info] = [(); 5].map(|()| next());
        let mut pdf = Pdf::new();
        pdf.set_version(1, 7);
        pdf.set_binary_marker(&[0xCF, 0xF4, 0xE8, 0xE5]);
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree).kids([page_id]).count(1);
        pdf.document_info(info).title(TextStr(title)).producer(TextStr("outflank"));
        let faces: Vec<Face> = [false, true]
            .into_iter()
            .filter(|&bold| self.used[usize::from(bold)])
            .map(Face::new)
            .collect();
        let fonts: Vec<Ref> = faces.iter().map(|face| face.embed(&mut pdf, &mut next)).collect();
        let states: Vec<Ref> = self.alphas.iter().map(|_| next()).collect();
        for (&[fill, stroke], &number) in &self.alphas {
            let mut state = pdf.ext_graphics(states[number]);
            state.non_stroking_alpha(f32::from(fill) / 1000.0);
            state.stroking_alpha(f32::from(stroke) / 1000.0);
        }
        let mut page = pdf.page(page_id);
        page.media_box(Rect::new(0.0, 0.0, width as f32, height as f32));
        page.parent(tree).contents(content_id);
        let mut resources = page.resources();
        let mut names = resources.fonts();
        for (face, &font) in faces.iter().zip(&fonts) {
            names.pair(Name(face.key()), font);
        }
        names.finish();
        let mut names = resources.ext_g_states();
        for (number, &state) in states.iter().enumerate() {
            names.pair(Name(format!("A{number}").as_bytes()), state);
        }
        names.finish();
        resources.finish();
        page.finish();
        let data = compress_to_vec_zlib(&self.content.finish(), 9);
        pdf.stream(content_id, &data).filter(Filter::FlateDecode);
        pdf.finish()
    }
}

/// The path of an element.
fn outline(name: &str, node: Node<'_, '_>) -> Option<String> {
    let number =
        |name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    match name {
        "path" => node.attribute("d").map(String::from),
        "line" => {
            Some(format!("M{} {}L{} {}", number("x1"), number("y1"), number("x2"), number("y2")))
        }
        "rect" => {
            let (x, y, width, height) =
                (number("x"), number("y"), number("width"), number("height"));
            Some(format!("M{x} {y}h{width}v{height}h{}Z", -width))
        }
        "circle" => {
            let (x, y, r) = (number("cx"), number("cy"), number("r"));
            let (left, whole) = (x - r, 2.0 * r);
            Some(format!("M{left} {y}a{r} {r} 0 1 0 {whole} 0a{r} {r} 0 1 0 {} 0Z", -whole))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(body: &str) -> String {
        format!(
            "<svg width=\"8.5cm\" viewBox=\"0 10 200 100\" aria-label=\"a &amp; b\">{body}</svg>"
        )
    }

    /// The operators of a page.
    fn operators(pdf: &[u8]) -> String {
        let find = |from: usize, text: &[u8]| {
            pdf[from..].windows(text.len()).position(|window| window == text).map(|at| from + at)
        };
        // The page is the last stream of a document.
        let mut start = 0;
        while let Some(at) = find(start, b"\nstream\n") {
            start = at + 8;
        }
        let end = find(start, b"\nendstream").unwrap();
        let data = miniz_oxide::inflate::decompress_to_vec_zlib(&pdf[start..end]).unwrap();
        String::from_utf8_lossy(&data).into_owned()
    }

    #[test]
    fn a_page_has_the_size_of_its_figure() {
        let pdf = pdf(&svg(""));
        assert!(pdf.starts_with(MARK));
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/MediaBox [0 0 240.94489 120.47244]"), "{text}");
        assert!(text.contains("(a & b)") && !text.contains("FontFile2"), "no text, no font");
        assert!((points("860").unwrap() - 645.0).abs() < 1e-9 && points("x").is_none());
    }

    #[test]
    fn elements_become_operators() {
        let text = operators(&pdf(&svg(
            "<g fill=\"#f00\" stroke=\"none\"><rect x=\"1\" y=\"2\" width=\"3\" height=\"4\"/></g>\
             <line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" stroke=\"#000\" stroke-dasharray=\"7 3\" \
             stroke-opacity=\"0.5\"/><circle cx=\"5\" cy=\"5\" r=\"2\" fill=\"none\"/>",
        )));
        assert!(text.contains("1 0 0 rg\n1 2 m\n4 2 l\n4 6 l\n1 6 l\nh\nf"), "{text}");
        assert!(text.contains("[7 3] 0 d\n/A0 gs\n1 2 m\n3 4 l"), "{text}");
        assert!(!text.contains(" c\n"), "what is only there for tooltips is not drawn");
    }

    #[test]
    fn text_is_text_and_tooltips_are_not() {
        let figure = svg(
            "<text x=\"100\" y=\"20\" font-size=\"10\" text-anchor=\"end\">ab<title>long</title></text>\
             <text transform=\"rotate(-90 3 4)\" font-weight=\"bold\">ś</text>",
        );
        let pdf = pdf(&figure);
        let text = operators(&pdf);
        assert_eq!(text.matches(" Tj").count(), 2, "{text}");
        let x = 100.0 - 10.0 * Face::new(false).width("ab");
        assert!(text.contains(&format!("1 0 0 -1 {} 20 Tm", x as f32)), "{text}");
        let all = String::from_utf8_lossy(&pdf);
        assert_eq!(all.matches("/FontFile2").count(), 2);
    }

    #[test]
    fn the_same_figure_has_the_same_bytes() {
        let figure = svg("<text>a</text>");
        assert_eq!(pdf(&figure), pdf(&figure));
    }
}
