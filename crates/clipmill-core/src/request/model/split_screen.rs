//! Two clips at once.

use crate::named_enum;
use serde::{Deserialize, Serialize};

use super::Clip;

/// The clip that is shown beside another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SplitScreen {
    pub layout: SplitLayout,
    /// Only its URL and its excerpt are set; everything else is that of the clip beside it.
    pub second: Box<Clip>,
}

named_enum! {
    /// The halves of the frame, the first clip's half first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SplitLayout {
        LeftRight = "left-right",
        TopBottom = "top-bottom",
    }
}
