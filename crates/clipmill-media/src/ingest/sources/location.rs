//! Where the file of a URL is.

use std::path::PathBuf;
use std::sync::Arc;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_core::message;
use clipmill_core::speech::{Speech, transcribed_url};
use clipmill_core::subtitle::Transcript;
use url::Url;

/// The captions of previews where transcripts are not known.
const EXAMPLE: &str = "Captions appear here · 字幕显示在这里";

/// The location of the file of a URL.
#[derive(Debug, Clone)]
pub enum SourceLocation {
    /// A file to be downloaded.
    Remote(Url),
    /// A file in the input folder.
    Stored(ContentHash),
    /// A local file, used in place (command line only).
    Local(PathBuf),
    /// Silence of so many seconds, in place of a text that was not spoken yet.
    Silence(f64),
    /// What is spoken in a file.
    Transcript(Arc<Transcript>),
    /// What is spoken in a file, by the key of its sidecar.
    StoredTranscript(ContentHash),
}

impl SourceLocation {
    /// A web address, or an upload or a spoken text with known content. Other texts are silent, and transcripts
    /// without a known key are an example.
    pub fn of(url: &str, content: Option<ContentHash>) -> Result<Self, TaskError> {
        if transcribed_url(url).is_some() {
            let example = || Self::Transcript(Arc::new(Transcript::untimed(EXAMPLE)));
            return Ok(content.map_or_else(example, Self::StoredTranscript));
        }
        match (content, Speech::of_url(url)) {
            (Some(content), _) => Ok(Self::Stored(content)),
            (None, Some(speech)) => Ok(Self::Silence(speech.estimated_s())),
            (None, None) => Self::remote(url),
        }
    }

    /// A web address as a client wrote it.
    pub fn remote(url: &str) -> Result<Self, TaskError> {
        let not_a_web_address = |_| TaskError::new(ErrorCode::UrlScheme, message::not_a_web_address());
        Url::parse(url).map(Self::Remote).map_err(not_a_web_address)
    }
}
