//! Masks, effect, rotation and picture-in-picture: options that need more than reading the values of their rows.

use serde_json::{Map, Value};

use super::form::{Form, Member};
use super::model::{Effect, Mask, Pip, Rotation, Span};
use super::names::near;
use super::reader::Fields;
use crate::effects::Effect as Effects;
use crate::message;

/// `picMask` or `videoMask`, which differ only in the name of their list.
impl Member for Option<Mask> {
    /// The option's name, and the name of its list.
    type Names = (&'static str, &'static str);

    fn take(fields: &mut Fields, (name, list): Self::Names) -> Option<Self> {
        Some(fields.get(name).object(|fields| read_mask(fields, list)).flatten())
    }

    fn put(&self, (name, list): Self::Names, object: &mut Map<String, Value>) {
        let Some(mask) = self else { return };
        let mut option = Map::new();
        option.insert("isMask".to_owned(), true.into());
        option.insert(list.to_owned(), mask.urls.as_slice().into());
        mask.layer_count.put("layerCount", &mut option);
        mask.opacity_percent.put("trans", &mut option);
        object.insert(name.to_owned(), Value::Object(option));
    }
}

fn read_mask(fields: &mut Fields, list: &'static str) -> Option<Mask> {
    fields.switch("isMask");
    let urls = if fields.on {
        fields.need(list);
        fields.list(list, |file| file.url()).filter(|urls| !urls.is_empty())
    } else {
        fields.get(list).unread_array();
        None
    };
    let layer_count = fields.take("layerCount")?;
    let opacity_percent = fields.take("trans")?;
    if fields.on && layer_count == 0 {
        fields.warn(message::mask_without_layers());
        return None;
    }
    Some(Mask { urls: urls?, layer_count, opacity_percent })
}

pub(super) fn check_effect(fields: &mut Fields, effect: Option<Effect>) -> Option<Effect> {
    if !fields.has("value") {
        fields.warn(message::effect_without_value());
    }
    let effect = effect?;
    if !is_effect(fields, &effect.name) {
        return None;
    }
    if effect.duration_s == 0.0 {
        fields.warn(message::effect_without_length());
        return None;
    }
    Some(effect)
}

/// Rejects a name that is not in the catalogue, and suggests similar ones.
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
    fields.refuse("value", message, Some(message::allowed_values(all.join(", "))));
    false
}

impl Form for Rotation {
    fn read_fields(fields: &mut Fields) -> Option<Self> {
        fields.switch("isRotate");
        let clockwise = fields.get("direction").choice(&[("clockwise", true), ("counterclockwise", false)]);
        let angle = fields.take::<Span>(("minAngle", "maxAngle"))?;
        fields.on.then_some(Self { clockwise: clockwise.unwrap_or(true), angle })
    }

    fn write_fields(&self, object: &mut Map<String, Value>) {
        object.insert("isRotate".to_owned(), true.into());
        let direction = if self.clockwise { "clockwise" } else { "counterclockwise" };
        object.insert("direction".to_owned(), direction.into());
        self.angle.put(("minAngle", "maxAngle"), object);
    }
}

impl Form for Pip {
    fn read_fields(fields: &mut Fields) -> Option<Self> {
        fields.switch("isPIP");
        let padding_percent = fields.take("padding");
        let fill_mode: Option<u32> = fields.take("fillMode");
        let fill_url = fields.take("fillVideoPath")?;
        let pip = Self { padding_percent: padding_percent?, blurred: fill_mode? == 2, fill_url };
        fields.on.then_some(pip)
    }

    fn write_fields(&self, object: &mut Map<String, Value>) {
        object.insert("isPIP".to_owned(), true.into());
        self.padding_percent.put("padding", object);
        object.insert("fillMode".to_owned(), if self.blurred { 2 } else { 1 }.into());
        self.fill_url.put("fillVideoPath", object);
    }
}
