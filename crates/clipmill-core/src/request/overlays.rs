//! Masks, effect and picture-in-picture: what is laid over or under a deduplicated picture.

use super::model::{Effect, Mask, Pip};
use super::names::near;
use super::reader::Fields;
use super::scalar::Range;
use crate::effects::Effect as Effects;
use crate::message;

const MAX_MASK_FILES: usize = 100;
const OPACITY: Range = Range::new(1.0, 100.0);

/// Whether the option with this switch is asked for.
pub(super) fn is_on(fields: &mut Fields, switch: &'static str) -> bool {
    fields.get(switch).boolean().unwrap_or(false)
}

/// `picMask` or `videoMask`, which differ in the name of their list.
pub(super) fn read_mask(fields: &mut Fields, list: &'static str) -> Option<Mask> {
    let on = is_on(fields, "isMask");
    let urls = if on {
        fields.need(list).array(MAX_MASK_FILES, |file| file.url())
    } else {
        fields.get(list).unread_array();
        None
    };
    let layer_count = fields.get("layerCount").integer(0..=10).unwrap_or(1);
    let opacity_percent = fields.get("trans").number(OPACITY).unwrap_or(3.0);
    if on && layer_count == 0 {
        fields.warn(message::mask_without_layers());
        return None;
    }
    Some(Mask { urls: urls?, layer_count, opacity_percent })
}

pub(super) fn read_effect(fields: &mut Fields) -> Option<Effect> {
    let name = fields.get("value");
    let named = name.value.is_some();
    let name = name.text(100).filter(|name| is_effect(fields, name));
    let strength_percent = fields.get("trans").number(OPACITY).unwrap_or(3.0);
    let duration_s = fields.get("duration").number(Range::new(0.0, 60.0)).unwrap_or(0.5);
    let position_percent = fields.get("position").number(Range::new(0.0, 100.0)).unwrap_or(0.0);
    if !named {
        fields.warn(message::effect_without_value());
    } else if duration_s == 0.0 {
        fields.warn(message::effect_without_length());
        return None;
    }
    Some(Effect { name: name?, strength_percent, duration_s, position_percent })
}

/// Refuses a name that the catalogue does not have, with those that are near.
fn is_effect(fields: &mut Fields, name: &str) -> bool {
    if Effects::find(name).is_some() {
        return true;
    }
    let all: Vec<&str> = Effects::all().iter().map(|effect| effect.name).collect();
    let near = near(name, &all);
    let message = match near.as_slice() {
        [] => message::unknown_effect(),
        near => {
            let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            message::unknown_effect_near(names.join(", "))
        }
    };
    fields.refuse("value", message, Some(all.join(", ")));
    false
}

pub(super) fn read_pip(fields: &mut Fields) -> Option<Pip> {
    let on = is_on(fields, "isPIP");
    let padding_percent = fields.get("padding").number(Range::new(1.0, 80.0)).unwrap_or(10.0);
    let fill_mode: u8 = fields.get("fillMode").integer(1..=2).unwrap_or(2);
    let fill_url = fields.get("fillVideoPath").url();
    on.then_some(Pip { padding_percent, blurred: fill_mode == 2, fill_url })
}
