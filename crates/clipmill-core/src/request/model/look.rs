//! The choice of a colour look.

use serde::{Deserialize, Serialize};

use crate::looks::CHOICES;

/// A look of the catalogue, none, or one drawn for each output: an index into [`CHOICES`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&str")]
pub struct LookChoice(usize);

impl LookChoice {
    pub const NONE: Self = Self(0);
    pub const RANDOM: Self = Self(1);
    pub const ALL: [(&str, Self); CHOICES.len()] = {
        let mut all = [("", Self::NONE); CHOICES.len()];
        let mut index = 0;
        while index < CHOICES.len() {
            all[index] = (CHOICES[index], Self(index));
            index += 1;
        }
        all
    };

    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// The value in requests.
    pub fn as_str(self) -> &'static str {
        CHOICES[self.0]
    }
}

impl TryFrom<String> for LookChoice {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|(choice, _)| *choice == name).map(|(_, choice)| choice).ok_or(name)
    }
}

impl From<LookChoice> for &'static str {
    fn from(choice: LookChoice) -> Self {
        choice.as_str()
    }
}
