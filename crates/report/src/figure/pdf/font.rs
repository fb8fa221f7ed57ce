//! The two faces of figures: their widths, their glyphs, and how they are embedded.

use std::sync::LazyLock;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, Str};
use ttf_parser::{Face as Parsed, GlyphId};

/// DejaVu Sans Condensed, cut to what figures need; see `font/LICENSE`.
static FILES: [&[u8]; 2] = [include_bytes!("font/regular.ttf"), include_bytes!("font/bold.ttf")];

static PARSED: [LazyLock<Parsed<'static>>; 2] = [
    LazyLock::new(|| Parsed::parse(FILES[0], 0).expect("the font comes with the program")),
    LazyLock::new(|| Parsed::parse(FILES[1], 0).expect("the font comes with the program")),
];

/// The files as they are embedded; packing them takes longer than all the rest of a page.
static PACKED: [LazyLock<Vec<u8>>; 2] = [
    LazyLock::new(|| compress_to_vec_zlib(FILES[0], 9)),
    LazyLock::new(|| compress_to_vec_zlib(FILES[1], 9)),
];

const SYSTEM: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A face of the font.
pub struct Face {
    parsed: &'static Parsed<'static>,
    is_bold: bool,
}

impl Face {
    pub fn new(is_bold: bool) -> Face {
        Face { parsed: &PARSED[usize::from(is_bold)], is_bold }
    }

    /// Its name on a page.
    pub fn key(&self) -> &'static [u8] {
        if self.is_bold { b"B" } else { b"R" }
    }

    fn name(&self) -> &'static [u8] {
        if self.is_bold { b"DejaVuSansCondensed-Bold" } else { b"DejaVuSansCondensed" }
    }

    /// The glyph of a letter; a box if there is none.
    fn glyph(&self, letter: char) -> GlyphId {
        let same = match letter {
            // Spaces without a line break, or thin.
            '\u{a0}' | '\u{2009}' | '\u{202f}' => ' ',
            letter => letter,
        };
        self.parsed.glyph_index(same).unwrap_or(GlyphId(0))
    }

    /// The width of a text in units of its size.
    pub fn width(&self, text: &str) -> f64 {
        let width = |letter: char| f64::from(self.advance(self.glyph(letter)));
        text.chars().map(width).sum::<f64>() / 1000.0
    }

    /// In thousandths of the size.
    fn advance(&self, glyph: GlyphId) -> f32 {
        self.thousandths(f32::from(self.parsed.glyph_hor_advance(glyph).unwrap_or(0)))
    }

    fn thousandths(&self, units: f32) -> f32 {
        1000.0 * units / f32::from(self.parsed.units_per_em())
    }

    /// The numbers of the glyphs, two bytes each.
    pub fn glyphs(&self, text: &str) -> Vec<u8> {
        text.chars().flat_map(|letter| self.glyph(letter).0.to_be_bytes()).collect()
    }

    /// Puts the font into a document.
    pub fn embed(&self, pdf: &mut Pdf, next: &mut impl FnMut() -> Ref) -> Ref {
        let [font, cid, descriptor, letters, file] = [(); 5].map(|()| next());
        let name = Name(self.name());
        pdf.type0_font(font)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(letters);
        let mut about = pdf.cid_font(cid);
        about.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM);
        about.font_descriptor(descriptor).cid_to_gid_map_predefined(Name(b"Identity"));
        let all = 0..self.parsed.number_of_glyphs();
        about.widths().consecutive(0, all.map(|glyph| self.advance(GlyphId(glyph))));
        about.finish();
        let face = self.parsed;
        let bounds = face.global_bounding_box();
        let [left, low, right, high] = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]
            .map(|end| self.thousandths(f32::from(end)));
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(left, low, right, high))
            .italic_angle(0.0)
            .ascent(self.thousandths(f32::from(face.ascender())))
            .descent(self.thousandths(f32::from(face.descender())))
            .cap_height(self.thousandths(f32::from(face.capital_height().unwrap_or(1493))))
            .stem_v(if self.is_bold { 140.0 } else { 80.0 })
            .font_file2(file);
        pdf.cmap(letters, &self.letters());
        let mut stream = pdf.stream(file, &PACKED[usize::from(self.is_bold)]);
        stream.filter(Filter::FlateDecode);
        stream.pair(Name(b"Length1"), FILES[usize::from(self.is_bold)].len() as i32);
        stream.finish();
        font
    }

    /// Which glyph is which letter, for whoever copies text.
    fn letters(&self) -> Vec<u8> {
        let mut cmap = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
        let letters = ('\u{20}'..='\u{ffff}').filter(|&letter| letter != '\u{a0}');
        for letter in letters {
            if let Some(GlyphId(glyph)) = self.parsed.glyph_index(letter) {
                cmap.pair(glyph, letter);
            }
        }
        cmap.finish().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::text_width;

    #[test]
    fn the_font_has_what_figures_write() {
        for is_bold in [false, true] {
            let face = Face::new(is_bold);
            for letter in "az09 ±–…½×≤≥≈−→←µαβεισλéśŁő“”%\u{a0}\u{2009}".chars()
            {
                assert_ne!(face.glyph(letter), GlyphId(0), "{letter:?}");
            }
            assert_eq!(face.glyph('将'), GlyphId(0));
        }
    }

    #[test]
    fn text_has_the_room_that_it_needs() {
        for text in ["mean expected utility", "2cel-rs-epsilon-0.15", "100.0%", "ALL WWW MMM"] {
            assert!(Face::new(false).width(text) <= text_width(text), "{text}");
            assert!(Face::new(true).width(text) <= 1.06 * text_width(text), "{text}");
        }
    }
}
