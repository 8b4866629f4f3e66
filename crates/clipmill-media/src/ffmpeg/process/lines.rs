//! Splits a stream of bytes into lines, and keeps the end of a stream, both within bounds.

/// Longer lines are truncated: no expected line is nearly as long, and a hostile one must not fill memory.
const MAX_LINE: usize = 64 << 10;

/// Splits chunks at line ends, wherever the chunks end.
#[derive(Default)]
pub struct Lines {
    partial: Vec<u8>,
}

impl Lines {
    pub fn feed(&mut self, chunk: &[u8], mut on_line: impl FnMut(&str)) {
        for line in chunk.split_inclusive(|byte| *byte == b'\n') {
            let (text, complete) = match line.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (line, false),
            };
            let room = MAX_LINE.saturating_sub(self.partial.len()).min(text.len());
            self.partial.extend(text.iter().take(room));
            if complete {
                on_line(&String::from_utf8_lossy(&self.partial));
                self.partial.clear();
            }
        }
    }

    /// Passes on a last line that has no line end.
    pub fn finish(self, mut on_line: impl FnMut(&str)) {
        if !self.partial.is_empty() {
            on_line(&String::from_utf8_lossy(&self.partial));
        }
    }
}

/// The last bytes of a stream.
pub struct Tail {
    bytes: Vec<u8>,
    limit: usize,
    cut: bool,
}

impl Tail {
    pub fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, cut: false }
    }

    pub fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        // Cutting only at twice the limit moves each byte at most once.
        if self.bytes.len() > self.limit.saturating_mul(2) {
            self.trim();
        }
    }

    /// The text from the first whole line on.
    pub fn into_text(mut self) -> String {
        self.trim();
        let text = String::from_utf8_lossy(&self.bytes);
        match text.split_once('\n') {
            Some((_, whole)) if self.cut => whole.to_owned(),
            _ => text.into_owned(),
        }
    }

    fn trim(&mut self) {
        let excess = self.bytes.len().saturating_sub(self.limit);
        self.cut |= excess > 0;
        self.bytes.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lines(chunks: &[&[u8]], expected: &[&str]) {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for chunk in chunks {
            lines.feed(chunk, |line| found.push(line.to_owned()));
        }
        lines.finish(|line| found.push(line.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_do_not_depend_on_chunk_borders() {
        check_lines(&[b"ab\ncd\n"], &["ab", "cd"]);
        check_lines(&[b"a", b"b", b"\n", b"cd"], &["ab", "cd"]);
        check_lines(&[b"\n\n"], &["", ""]);
        check_lines(&[b"\xff\n"], &["\u{fffd}"]);
        check_lines(&[], &[]);
    }

    #[test]
    fn an_endless_line_is_truncated() {
        let long = vec![b'x'; MAX_LINE];
        check_lines(&[&long, &long, b"\nnext\n"], &[&"x".repeat(MAX_LINE), "next"]);
    }

    fn check_tail(limit: usize, chunks: &[&[u8]], expected: &str) {
        let mut tail = Tail::new(limit);
        chunks.iter().for_each(|chunk| tail.push(chunk));
        assert_eq!(tail.into_text(), expected);
    }

    #[test]
    fn the_end_begins_with_a_whole_line() {
        check_tail(100, &[b"one\n", b"two\n"], "one\ntwo\n");
        check_tail(6, &[b"one\n", b"two\n"], "two\n");
        check_tail(4, &[b"0123456789"], "6789");
        check_tail(0, &[b"x"], "");
    }
}
