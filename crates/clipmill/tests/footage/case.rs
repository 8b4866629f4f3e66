//! A case: how its file is made, how it is rendered, and what the comparison takes into account.

use serde_json::{Value, json};

/// One step towards the file `out` in the case's own folder.
#[derive(Clone)]
pub enum Step {
    /// Arguments of ffmpeg, separated by spaces.
    Ffmpeg(String),
    /// Creates a file.
    Write(&'static str, Vec<u8>),
    /// Concatenates files as bytes; each except the first without this many leading bytes.
    Join(&'static [&'static str], usize),
    /// Keeps this part of the file.
    Cut(f64),
    /// Adds bytes at the end.
    Append(Vec<u8>),
    /// Sets the display matrix (a, b, c, d) of the first track.
    Turn([i32; 4]),
    /// Replaces the first such bytes.
    Patch(Vec<u8>, Vec<u8>),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// A clip of a mix.
    Video,
    /// A voice over an image.
    Audio,
}

/// Whether the item must have a warning.
#[derive(Clone, Copy, PartialEq)]
pub enum Warning {
    Never,
    Allowed,
    Required,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Addition {
    None,
    Overlay,
    Transition,
    Mask,
    PictureInPicture,
}

/// The options that a case is rendered with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Render {
    pub fps: u32,
    pub mode: &'static str,
    pub background: &'static str,
    pub addition: Addition,
}

impl Render {
    pub const PLAIN: Self = Self { fps: 30, mode: "none", background: "black", addition: Addition::None };

    pub const TRANSITION_S: f64 = 0.2;

    /// Whether the output keeps the size of its source.
    pub fn is_deduplication(&self) -> bool {
        matches!(self.addition, Addition::Mask | Addition::PictureInPicture)
    }

    /// A request for these uploads; `extra` is an image for overlays and masks.
    pub fn request(&self, urls: &[&str], extra: &str) -> Value {
        if self.is_deduplication() {
            let videos = urls.iter().map(|url| json!({ "filename": url, "duration": 3 }));
            let mut options = json!({ "preset": "draft", "fps": self.fps });
            match self.addition {
                Addition::Mask => {
                    options["picMask"] = json!({ "isMask": true, "picFiles": [extra], "trans": 1 })
                }
                _ => options["PIP"] = json!({ "isPIP": true, "padding": 10 }),
            }
            let params = json!({ "seed": 1, "videoList": videos.collect::<Vec<_>>(), "options": options });
            return json!({ "taskType": "videoDeduplication", "params": params });
        }
        let showings = if self.addition == Addition::Transition { 2 } else { 1 };
        let group = |url: &&str| json!({ "videos": vec![json!({ "url": url }); showings] });
        let mut options = json!({ "preset": "draft", "resolution": "720:720", "fps": self.fps,
            "resolutionMode": self.mode, "background": self.background });
        match self.addition {
            Addition::Overlay => {
                options["overlays"] = json!([{ "type": "image", "url": extra, "place": "middle" }])
            }
            Addition::Transition => {
                options["transition"] = json!({ "names": ["fade"], "duration": Self::TRANSITION_S })
            }
            _ => {}
        }
        let groups: Vec<_> = urls.iter().map(group).collect();
        json!({ "taskType": "baseVideoMix", "params": { "seed": 1, "videoList": groups, "options": options } })
    }
}

/// Where the source's frame is in the output: left, top, width, height as parts of the output.
#[derive(Clone, Copy, PartialEq)]
pub enum Region {
    /// The area that is not black.
    Detected,
    At([f64; 4]),
}

#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub extension: &'static str,
    pub steps: Vec<Step>,
    pub kind: Kind,
    pub render: Render,
    pub region: Region,
    pub warning: Warning,
    /// The matrix that players assume for this file, which has no colour tags.
    pub matrix: Option<&'static str>,
    /// Whether it was joined from two recordings. The exact beginning of the second one is ambiguous.
    pub is_joined: bool,
}

impl Case {
    pub fn new(name: String, extension: &'static str, steps: Vec<Step>) -> Self {
        Self {
            name,
            extension,
            steps,
            kind: Kind::Video,
            render: Render::PLAIN,
            region: Region::Detected,
            warning: Warning::Never,
            matrix: None,
            is_joined: false,
        }
    }

    /// A case of a single run of ffmpeg.
    pub fn made(name: String, extension: &'static str, args: String) -> Self {
        Self::new(name, extension, vec![Step::Ffmpeg(args)])
    }

    pub fn audio(self) -> Self {
        Self { kind: Kind::Audio, ..self }
    }

    pub fn warns(self, warning: Warning) -> Self {
        Self { warning, ..self }
    }

    pub fn joined(self) -> Self {
        Self { is_joined: true, ..self }
    }

    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    pub fn file_name(&self) -> String {
        format!("{}.{}", self.name.replace('/', " of "), self.extension)
    }

    /// Whether the case is one of the tenth that `make test` runs.
    pub fn in_tenth(&self) -> bool {
        /// Any number; another one selects another tenth.
        const SEED: u64 = 0xcbf2_9ce4_8422_2325;
        let hash =
            self.name.bytes().fold(SEED, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        (hash >> 32) % 10 == 0
    }
}
