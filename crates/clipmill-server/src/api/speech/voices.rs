//! `GET …/voices`: the voices that speak texts.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::request::Voices;

use crate::app::App;
use crate::view::{Answer, Bilingual, Envelope, VoiceCatalogue, VoiceEntry};

/// Voices that `audio.voice` names. The list is empty if this service speaks no texts.
#[utoipa::path(get, path = "/open-api/v1/video-process/voices", operation_id = "listVoices", tag = "catalogues",
    security(()), responses((status = 200, description = "All voices, the default first.", body = Answer<VoiceCatalogue>)))]
pub async fn voices(State(app): State<Arc<App>>) -> Envelope<VoiceCatalogue> {
    let speech = &app.config.speech;
    let names = match speech.voices() {
        Voices::These(names) => names,
        Voices::Any | Voices::NoService => Vec::new(),
    };
    let entry = |name: String| {
        let voice = speech.espeak_voice(&name);
        VoiceEntry { name, title: voice.map(|voice| Bilingual { en: voice.title_en, zh: voice.title_zh }) }
    };
    let list: Vec<VoiceEntry> = names.into_iter().map(entry).collect();
    let prices = app.config.prices();
    Envelope(VoiceCatalogue {
        total: list.len(),
        list,
        service: speech.service(),
        points_per_thousand: prices.speech,
        transcription_service: speech.transcription().map(|settings| settings.service.name),
        points_per_minute: prices.transcription,
    })
}
