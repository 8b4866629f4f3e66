//! Cuts lines into runs of one font each, and keeps the list of those fonts.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::font::{FontMetrics, Substitute, is_invisible};
use super::pixels::thousandths;
use super::view::{FontUse, Run};
use super::wrap::{EMOJI_ADVANCE, Line};

/// The caption font and the substitute fonts so far; `descents` are in em, one for each font.
pub struct FontTable<'a> {
    font: &'a dyn FontMetrics,
    em: f64,
    pub used: Vec<FontUse>,
    pub descents: Vec<f64>,
}

impl<'a> FontTable<'a> {
    pub fn new(font: &'a dyn FontMetrics, em: f64) -> Self {
        let main = Substitute {
            family: font.family().to_owned(),
            identity: font.identity().to_owned(),
            em_to_ass: font.em_to_ass(),
            descent: font.descent(),
        };
        let mut fonts = Self { font, em, used: Vec::new(), descents: Vec::new() };
        fonts.index_of(main);
        fonts.used.iter_mut().for_each(|used| used.file = font.file().cloned());
        fonts
    }

    fn index_of(&mut self, font: Substitute) -> usize {
        let existing =
            self.used.iter().position(|used| used.family == font.family && used.identity == font.identity);
        existing.unwrap_or_else(|| {
            let size = thousandths(self.em * font.em_to_ass);
            self.used.push(FontUse { family: font.family, identity: font.identity, file: None, size });
            self.descents.push(font.descent);
            self.used.len() - 1
        })
    }

    /// Splits a line where its font changes, between grapheme clusters. Each emoji becomes a gap.
    pub fn runs(&mut self, line: &Line) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut from = 0;
        for (own, _) in &line.emoji {
            self.add_runs(line, from..own.start, &mut runs);
            let gap = Some(thousandths(EMOJI_ADVANCE * self.em));
            let text = line.text.get(own.clone()).unwrap_or_default().to_owned();
            runs.push(Run { font: runs.last().map_or(0, |run| run.font), text, gap });
            from = own.end;
        }
        self.add_runs(line, from..line.text.len(), &mut runs);
        runs
    }

    fn add_runs(&mut self, line: &Line, part: Range<usize>, runs: &mut Vec<Run>) {
        let from = part.start;
        for (at, grapheme) in line.text.get(part).unwrap_or_default().grapheme_indices(true) {
            let is_western = line.western.binary_search(&(from + at)).is_ok();
            let mark = grapheme.chars().next().filter(|_| is_western);
            let western = mark.and_then(|c| self.font.western(c));
            let font = western.map(|font| self.index_of(font)).or_else(|| self.font_of(grapheme));
            match runs.last_mut() {
                Some(run) if run.gap.is_none() && font.is_none_or(|font| font == run.font) => {
                    run.text.push_str(grapheme)
                }
                _ => runs.push(Run { font: font.unwrap_or(0), text: grapheme.to_owned(), gap: None }),
            }
        }
    }

    /// `None` for invisible characters and lone marks, which take the font of the text before them.
    fn font_of(&mut self, grapheme: &str) -> Option<usize> {
        if grapheme.is_ascii() {
            return Some(0);
        }
        let is_unseen = |c: char| !c.is_ascii() && (is_invisible(c) || self.font.advance(c) == Some(0.0));
        if grapheme.chars().all(is_unseen) {
            return None;
        }
        match self.font.substitute_for(grapheme) {
            Some(substitute) => Some(self.index_of(substitute)),
            None => Some(0),
        }
    }
}
