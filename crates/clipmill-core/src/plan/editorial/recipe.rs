//! A request with the choices that were made when it was planned. Which entries are drawn depends on the files that could
//! be used then, and some of them may be gone.

use serde_json::Value;

use crate::request::model::{
    ClipShowing, ClipStart, MixOptions, OverlayContent, Params, ProMixParams, TaskRequest,
};

/// The request with the choices of one output, and with the rows of all. `recipes` are those of the outputs in order.
pub fn as_planned(request: &TaskRequest, recipes: &[&Value], item_no: u32) -> TaskRequest {
    let mut request = request.clone();
    let Some(recipe) = (item_no as usize).checked_sub(1).and_then(|index| recipes.get(index)) else {
        return request;
    };
    if let Some(options) = request.params.mix_options_mut() {
        fix_options(options, recipe);
    }
    if let Params::ProVideoMix(params) = &mut request.params {
        fix_rows(params, recipes, recipe);
    }
    request
}

/// Reduces each pool to the entry that was dealt.
fn fix_options(options: &mut MixOptions, recipe: &Value) {
    keep(&mut options.music_pool, &recipe["backgroundMusicPool"]);
    keep(&mut options.voice_pool, &recipe["voicePool"]);
    keep(&mut options.intro_pool, &recipe["introPool"]);
    keep(&mut options.outro_pool, &recipe["outroPool"]);
    for (index, overlay) in options.overlays.iter_mut().enumerate() {
        if let OverlayContent::Text { texts, .. } = &mut overlay.shown {
            keep(texts, &recipe["overlayTexts"][index]);
        }
    }
}

/// Keeps one entry of a list, if there is such an index.
fn keep<T>(list: &mut Vec<T>, index: &Value) {
    let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
    if let Some(index) = index.filter(|index| *index < list.len()) {
        list.swap(0, index);
        list.truncate(1);
    }
}

/// Gives each output its row. One that has none, because it could not be planned, gets that of this output.
fn fix_rows(params: &mut ProMixParams, recipes: &[&Value], recipe: &Value) {
    let Some(own_row) = row(&recipe["combination"]) else { return };
    let recipes = recipes.iter().take(params.generate_count as usize);
    params.combinations =
        recipes.clone().map(|one| row(&one["combination"]).unwrap_or_else(|| own_row.clone())).collect();
    params.options.clip_start = ClipStart::Begin;
    params.scenes.iter_mut().for_each(|scene| scene.clip_start = None);
    let starts = |recipe: &Value| -> Option<Vec<f64>> {
        recipe["starts"].as_array()?.iter().map(Value::as_f64).collect()
    };
    params.starts = match starts(recipe) {
        Some(own) => recipes.clone().map(|one| starts(one).unwrap_or_else(|| own.clone())).collect(),
        None => Vec::new(),
    };
    params.fill = match fill(&recipe["fill"]) {
        Some(_) => recipes.map(|one| fill(&one["fill"]).unwrap_or_default()).collect(),
        None => Vec::new(),
    };
    for (number, scene) in params.scenes.iter_mut().enumerate() {
        keep(&mut scene.audio, &recipe["audioResources"][number]);
    }
}

fn row(value: &Value) -> Option<Vec<u32>> {
    let index = |value: &Value| value.as_u64().and_then(|index| u32::try_from(index).ok());
    value.as_array()?.iter().map(index).collect()
}

fn fill(value: &Value) -> Option<Vec<Vec<ClipShowing>>> {
    let showing = |value: &Value| {
        let resource = value["resource"].as_u64().and_then(|index| u32::try_from(index).ok())?;
        Some(ClipShowing {
            resource,
            start_s: value["start"].as_f64()?,
            length_s: value["seconds"].as_f64()?,
        })
    };
    let scene = |value: &Value| value.as_array()?.iter().map(showing).collect::<Option<Vec<_>>>();
    value.as_array()?.iter().map(scene).collect()
}
