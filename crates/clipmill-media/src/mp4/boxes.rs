//! Boxes, the elements of an MP4, each with a length and a name.

/// A box in memory.
#[derive(Clone, Copy)]
pub struct Mp4Box<'a> {
    pub kind: [u8; 4],
    pub whole: &'a [u8],
    pub body: &'a [u8],
}

/// Iterates over adjacent boxes; ends where there is no complete box.
pub struct Boxes<'a>(pub &'a [u8]);

impl<'a> Iterator for Boxes<'a> {
    type Item = Mp4Box<'a>;

    fn next(&mut self) -> Option<Mp4Box<'a>> {
        let size = u32_at(self.0, 0)? as usize;
        let kind = *self.0.get(4..)?.first_chunk()?;
        let whole = self.0.get(..size)?;
        let body = whole.get(8..)?;
        self.0 = &self.0[size..];
        Some(Mp4Box { kind, whole, body })
    }
}

/// The content of the first box with this path.
pub fn inside<'a>(body: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter().try_fold(body, |body, kind| {
        Boxes(body).find(|mp4_box| mp4_box.kind == **kind).map(|mp4_box| mp4_box.body)
    })
}

pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}

pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_be_bytes(*bytes))
}

pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

/// Makes a box of these parts.
pub fn boxed(kind: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [(8 + body.len() as u32).to_be_bytes().as_slice(), kind, &body].concat()
}

/// Makes a box whose content begins with a version (0) and flags.
pub fn full(kind: &[u8; 4], flags: u32, parts: &[&[u8]]) -> Vec<u8> {
    boxed(kind, &[&flags.to_be_bytes(), &parts.concat()])
}

/// Writes numbers one after another.
pub fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_be_bytes).collect()
}
