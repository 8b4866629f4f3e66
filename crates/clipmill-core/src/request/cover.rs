//! Rules for the cover of an output that a row cannot express.

use super::mix_overlays::{OF_CAPTIONS, is_for_captions};
use super::model::{Cover, CoverTitle};
use super::reader::Fields;
use crate::message;
use crate::subtitle::{MAX_EMOJI, count_emoji};

pub(super) fn check_cover(fields: &mut Fields, cover: Option<Cover>) -> Option<Cover> {
    if fields.has("at") && fields.has("url") {
        fields.refuse("url", message::one_of_both("at"), None);
        return None;
    }
    if !["at", "url", "title"].into_iter().any(|name| fields.has(name)) {
        fields.warn(message::cover_without_effect());
        return None;
    }
    cover
}

pub(super) fn check_title(fields: &mut Fields, title: Option<CoverTitle>) -> Option<CoverTitle> {
    let title = title?;
    let emoji = count_emoji(&title.text);
    if emoji > MAX_EMOJI {
        fields.refuse("text", message::too_many_emoji(emoji, MAX_EMOJI), None);
        return None;
    }
    let of_captions = OF_CAPTIONS.into_iter().any(|name| fields.member_of("style", name).is_some());
    if of_captions && title.style.as_ref().is_some_and(is_for_captions) {
        fields.warn_of("style", message::not_of_cover_titles());
    }
    Some(title)
}
