//! Music and voices that are dealt out to the outputs of a task: one of each per output, all before any comes again.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::media::Facts;
use crate::request::model::{MixOptions, Track, Voice};
use crate::seed::Place;

/// The options of one output, and which entries of pools it got.
pub(crate) struct Dealt<'a> {
    pub options: Cow<'a, MixOptions>,
    music: Option<usize>,
    voice: Option<usize>,
}

/// Deals to the item of this seed. Entries that are known to be bad are left out while there are others.
pub(crate) fn dealt<'a>(options: &'a MixOptions, item_seed: u64, facts: &Facts) -> Dealt<'a> {
    let place = Place::of(item_seed);
    let music = deal(place, "backgroundMusicPool", &options.music_pool, |track| can_be_heard(track, facts));
    let voice = deal(place, "voicePool", &options.voice_pool, |voice| can_be_used(voice, facts));
    let mut options = Cow::Borrowed(options);
    if let Some(track) = music.and_then(|index| options.music_pool.get(index)).cloned() {
        options.to_mut().music = Some(track);
    }
    if let Some(Voice { audio, subtitle }) = voice.and_then(|index| options.voice_pool.get(index)).cloned() {
        let options = options.to_mut();
        (options.voice, options.subtitle) = (Some(audio), subtitle);
    }
    Dealt { options, music, voice }
}

impl Dealt<'_> {
    pub fn tell(&self, recipe: &mut Map<String, Value>) {
        for (name, index) in [("backgroundMusicPool", self.music), ("voicePool", self.voice)] {
            index.map(|index| recipe.insert(name.to_owned(), json!(index)));
        }
    }

    /// Sound files beside those of the clips.
    pub fn tracks(&self) -> impl Iterator<Item = &str> {
        [&self.options.voice, &self.options.music].into_iter().flatten().map(|track| track.url.as_str())
    }

    pub fn subtitle(&self) -> Option<&str> {
        self.options.subtitle.as_ref().map(|subtitle| subtitle.url.as_str())
    }
}

fn deal<T>(place: Place, name: &str, pool: &[T], is_good: impl Fn(&T) -> bool) -> Option<usize> {
    let good: Vec<usize> = (0..pool.len()).filter(|&index| is_good(&pool[index])).collect();
    let open = if good.is_empty() { (0..pool.len()).collect() } else { good };
    place.deal(name, open.len(), 1).first().map(|&card| open[card])
}

fn can_be_heard(track: &Track, facts: &Facts) -> bool {
    facts.media.get(&track.url).is_none_or(|info| info.as_ref().is_ok_and(|info| info.audio.is_some()))
}

fn can_be_used(voice: &Voice, facts: &Facts) -> bool {
    let reads = |url: &String| facts.subtitles.get(url).is_none_or(Result::is_ok);
    can_be_heard(&voice.audio, facts) && voice.subtitle.iter().all(|subtitle| reads(&subtitle.url))
}
