//! What all charts have in common: colours, the font, titles.
//!
//! In: nothing. Out: constants, and text drawn with them.

use std::error::Error;
use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::foreign;

/// Text and marks.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// Axes and what is said beside the matter.
pub(super) const FAINT_INK: RGBColor = RGBColor(110, 110, 110);
/// Lines at the marks of an axis.
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);
/// Lines between the marks.
pub(super) const FAINT_GRID: RGBColor = RGBColor(244, 244, 244);
/// The font of all text.
pub(super) const FONT: &str = "Helvetica, Arial, sans-serif";

// Told apart by readers with any colour vision (Okabe and Ito, *Color Universal Design*, 2008).
pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(super) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(super) const GREEN: RGBColor = RGBColor(0, 158, 115);
pub(super) const PURPLE: RGBColor = RGBColor(204, 121, 167);
pub(super) const SKY: RGBColor = RGBColor(86, 180, 233);
pub(super) const ORANGE: RGBColor = RGBColor(230, 159, 0);

/// A part of an image.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Why an image cannot be drawn.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// An image of this size, white where `draw` draws nothing.
pub(super) fn image(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), Failure>,
) -> io::Result<String> {
    let mut image = String::new();
    let drawn = || -> Result<(), Failure> {
        let root = SVGBackend::with_string(&mut image, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw(&root)?;
        root.present()?;
        Ok(())
    };
    drawn().map_err(io::Error::other)?;
    // Markup in a text is escaped where it is drawn; controls are no characters of XML.
    Ok(foreign::lines(&image).into_owned())
}

/// Text of this size and colour.
pub(super) fn text(size: u32, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour)
}
