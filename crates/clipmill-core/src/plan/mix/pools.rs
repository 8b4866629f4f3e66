//! Music, voices and other entries of pools, dealt to the outputs of a task: all are used before any repeats.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::error::TaskError;
use crate::looks::Look;
use crate::media::{AudioInfo, Facts, MediaInfo, VideoInfo};
use crate::plan::build::{Builder, usable_video};
use crate::plan::mix::images::{ImagePosition, Motions, image_frames};
use crate::plan::mix::shot::{ClipAdjustments, Shot};
use crate::plan::timeline::Timeline;
use crate::plan::video::excerpt::Excerpt;
use crate::random::RandomStream;
use crate::request::model::{
    Bumper, Clip, ImageMotion, LookChoice, MixLength, MixOptions, OverlayContent, Subtitle, Track,
    TranscribedAudio, Voice,
};
use crate::seed::Place;
use crate::time::{Fps, Frames};
use crate::transitions::Transition;

/// The options of one output, and which entries of pools were dealt to it.
pub(crate) struct DrawnOptions<'a> {
    pub options: Cow<'a, MixOptions>,
    seed: u64,
    music: Option<usize>,
    voice: Option<usize>,
    /// For each overlay with several texts, the index of the one dealt to the output.
    texts: Vec<Option<usize>>,
    intro: Option<(usize, &'a str)>,
    outro: Option<(usize, &'a str)>,
    pub motions: Motions,
    /// The motion drawn for an intro and an outro that are images.
    drawn: [Option<Value>; 2],
}

/// Deals to the item with this seed. Entries known to be bad are skipped while there are others.
pub(crate) fn draw_options<'a>(options: &'a MixOptions, item_seed: u64, facts: &Facts) -> DrawnOptions<'a> {
    let place = Place::of(item_seed);
    let music = deal(place, "backgroundMusicPool", &options.music_pool, |track| can_be_heard(track, facts));
    let voice = deal(place, "voicePool", &options.voice_pool, |voice| can_be_used(voice, facts));
    let bumper = |name, pool: &'a [Bumper]| {
        let index = deal(place, name, pool, |bumper| can_be_shown(bumper, facts))?;
        pool.get(index).map(|bumper| (index, bumper.url.as_str()))
    };
    let (intro, outro) = (bumper("introPool", &options.intro_pool), bumper("outroPool", &options.outro_pool));
    let motions = Motions::new(place, options.image_motion);
    let bumper_motions = |spot, bumper: Option<(usize, &str)>| motions.bumper_recipe(spot, bumper?.1, facts);
    let bumper_motions =
        [bumper_motions(ImagePosition::Intro, intro), bumper_motions(ImagePosition::Outro, outro)];
    let mut options = Cow::Borrowed(options);
    if let Some(track) = music.and_then(|index| options.music_pool.get(index)).cloned() {
        options.to_mut().music = Some(track);
    }
    if let Some(Voice { audio, subtitle }) = voice.and_then(|index| options.voice_pool.get(index)).cloned() {
        let options = options.to_mut();
        // Texts of scenes are shown with every voice.
        options.subtitle = subtitle.or(options.subtitle.take());
        options.voice = Some(audio);
    }
    let texts = deal_texts(place, &mut options);
    DrawnOptions {
        texts,
        options,
        seed: item_seed,
        music,
        voice,
        intro,
        outro,
        motions,
        drawn: bumper_motions,
    }
}

impl<'a> DrawnOptions<'a> {
    /// The URLs of the intro and the outro.
    pub fn bumpers(&self) -> [Option<&'a str>; 2] {
        [self.intro, self.outro].map(|bumper| bumper.map(|(_, url)| url))
    }

    /// A transition for each of `changes` changes of clips: all are used before any repeats, and none occurs twice in a
    /// row.
    pub fn transitions(&self, changes: usize) -> Vec<&'static Transition> {
        let names = self.options.transition.as_ref().map_or(&[] as &[_], |transition| &transition.names);
        let mut order: Vec<usize> = Vec::new();
        for round in 0..changes.div_ceil(names.len().max(1)) {
            let mut deck: Vec<usize> = (0..names.len()).collect();
            RandomStream::stream(self.seed, &format!("transition {round}")).shuffle(&mut deck);
            if deck.len() > 1 && order.last() == deck.first() {
                deck.swap(0, 1);
            }
            order.extend(deck);
        }
        order.into_iter().take(changes).map(|index| names[index].0).collect()
    }

    /// Adds the transitions between this many clips to the recipe.
    pub fn add_transitions(&self, clips: usize, recipe: &mut Map<String, Value>) {
        let names: Vec<&str> = self.transitions(clips.saturating_sub(1)).iter().map(|one| one.name).collect();
        if !names.is_empty() {
            recipe.insert("transitions".to_owned(), json!(names));
        }
    }

    pub fn add_to_recipe(&self, recipe: &mut Map<String, Value>) {
        let (intro, outro) = (self.intro.map(|(index, _)| index), self.outro.map(|(index, _)| index));
        let pools = ["backgroundMusicPool", "voicePool", "introPool", "outroPool"];
        for (name, index) in pools.into_iter().zip([self.music, self.voice, intro, outro]) {
            index.map(|index| recipe.insert(name.to_owned(), json!(index)));
        }
        if self.texts.iter().any(Option::is_some) {
            recipe.insert("overlayTexts".to_owned(), json!(self.texts));
        }
        for (name, motion) in ["introMotion", "outroMotion"].into_iter().zip(&self.drawn) {
            motion.clone().map(|motion| recipe.insert(name.to_owned(), motion));
        }
    }

    /// The audio files of the options: music, voices and sounds.
    pub fn tracks(&self) -> impl Iterator<Item = &str> {
        let tracks = [&self.options.voice, &self.options.music].into_iter().flatten();
        let sounds = self.options.sounds.iter().map(|sound| sound.url.as_str());
        tracks.map(|track| track.url.as_str()).chain(sounds)
    }

    /// How the output treats a clip with this video.
    pub fn adjustments(&self, clip: &Clip, video: &VideoInfo) -> ClipAdjustments {
        let look = match self.look_of(clip) {
            LookChoice::NONE => None,
            LookChoice::RANDOM => drawn_look(Place::of(self.seed)),
            named => Some(named.as_str()),
        };
        let speed_permille = clip.speed_permille.filter(|_| !video.still).unwrap_or(1000);
        ClipAdjustments { volume_percent: clip.volume_percent.unwrap_or(100), look, speed_permille }
    }

    fn look_of(&self, clip: &Clip) -> LookChoice {
        clip.look.unwrap_or(self.options.look)
    }

    /// Adds the look that was drawn for the output to the recipe, if one of its clips has it.
    pub fn add_look<'c>(&self, clips: impl IntoIterator<Item = &'c Clip>, recipe: &mut Map<String, Value>) {
        if clips.into_iter().any(|clip| self.look_of(clip) == LookChoice::RANDOM) {
            recipe.insert("look".to_owned(), json!(drawn_look(Place::of(self.seed))));
        }
    }

    /// The URL of the captions, if they come from a file.
    pub fn subtitle(&self) -> Option<&str> {
        self.options.subtitle.as_ref().and_then(Subtitle::url)
    }

    /// The URL of the voice whose length determines the times of captions, or that of the output.
    pub fn timing_voice(&self) -> Option<&str> {
        let is_timed = |subtitle: &Subtitle| subtitle.text().is_some() || is_of_voice(subtitle);
        let is_timed = self.options.subtitle.as_ref().is_some_and(is_timed);
        let is_needed = is_timed || self.options.length == MixLength::Voice;
        self.options.voice.as_ref().filter(|_| is_needed).map(|voice| voice.url.as_str())
    }

    /// The URL of a voice that captions follow, if it is usable and not searched for pauses yet.
    pub fn unsearched_voice(&self, facts: &Facts) -> Option<&str> {
        let is_synthesized = self.options.voice.as_ref().is_some_and(|voice| voice.url.speech().is_some());
        let follows =
            |subtitle: &Subtitle| subtitle.follows_voice() || is_synthesized && is_of_voice(subtitle);
        let follows = self.options.subtitle.as_ref().is_some_and(follows);
        let voice = self.timing_voice().filter(|url| follows && !facts.pauses.contains_key(*url))?;
        let info = facts.media.get(voice)?.as_ref().ok()?;
        info.audio.is_some().then_some(voice)
    }
}

/// Whether captions are what the voice says.
fn is_of_voice(subtitle: &Subtitle) -> bool {
    subtitle.transcribed() == Some(TranscribedAudio::Voice)
}

/// The shots of the intro and the outro.
pub(crate) struct Bumpers<'a>([Option<Shot<'a>>; 2]);

impl<'a> Bumpers<'a> {
    pub fn of(dealt: &DrawnOptions<'a>, fps: Fps, builder: &Builder<'a>) -> Result<Self, TaskError> {
        let [intro, outro] = dealt.bumpers();
        let bumper = |url: Option<&'a str>, spot| {
            url.map(|url| shot(url, dealt.motions.of(spot, None), fps, builder)).transpose()
        };
        Ok(Self([bumper(intro, ImagePosition::Intro)?, bumper(outro, ImagePosition::Outro)?]))
    }

    pub fn frames(&self) -> Frames {
        self.0.iter().flatten().map(|shot| shot.frames).sum()
    }

    pub fn around(self, timeline: Timeline<'a>) -> Timeline<'a> {
        let [intro, outro] = self.0;
        timeline.between(intro, outro)
    }
}

/// A bumper is shown in full; an image for the usual duration.
fn shot<'a>(
    url: &'a str,
    motion: ImageMotion,
    fps: Fps,
    builder: &Builder<'a>,
) -> Result<Shot<'a>, TaskError> {
    let info = builder.media(url)?;
    let video = usable_video(info).map_err(|error| error.input(url))?;
    let excerpt = Excerpt::default();
    let natural = match video.still {
        true => image_frames(&Clip::default(), fps),
        false => excerpt.frames(video, 1.0, fps),
    };
    Ok(Shot {
        url,
        info,
        video,
        excerpt,
        natural,
        frames: natural,
        looped: false,
        motion,
        adjustments: ClipAdjustments::NONE,
        second: None,
    })
}

/// The look drawn for an output: all are used before any repeats.
pub(crate) fn drawn_look(place: Place) -> Option<&'static str> {
    let all = Look::all();
    let index = place.deal("look", all.len(), 1).first().copied()?;
    Some(all[index].name)
}

/// The place of a voice-over in the request. One that was dealt from a pool is found by its value.
pub(crate) fn voice_path(options: &MixOptions, voice: &Track) -> String {
    match options.voice_pool.iter().position(|pooled| pooled.audio == *voice) {
        Some(index) => format!("/params/options/voicePool/{index}/audio"),
        None => "/params/options/audio".to_owned(),
    }
}

fn deal<T>(place: Place, name: &str, pool: &[T], is_good: impl Fn(&T) -> bool) -> Option<usize> {
    let good: Vec<usize> = (0..pool.len()).filter(|&index| is_good(&pool[index])).collect();
    let open = if good.is_empty() { (0..pool.len()).collect() } else { good };
    place.deal(name, open.len(), 1).first().map(|&card| open[card])
}

/// Reduces each overlay with several texts to one text, and returns its index.
fn deal_texts(place: Place, options: &mut Cow<MixOptions>) -> Vec<Option<usize>> {
    let counts: Vec<usize> = options.overlays.iter().map(|overlay| overlay.texts().len()).collect();
    let deal = |(index, count): (usize, usize)| {
        let order = (count > 1).then(|| place.deal(&format!("overlays {index}"), count, 1))?;
        let card = *order.first()?;
        if let Some(OverlayContent::Text { texts, .. }) =
            options.to_mut().overlays.get_mut(index).map(|one| &mut one.shown)
        {
            texts.swap(0, card);
            texts.truncate(1);
        }
        Some(card)
    };
    counts.into_iter().enumerate().map(deal).collect()
}

fn can_be_shown(bumper: &Bumper, facts: &Facts) -> bool {
    let shows = |info: &MediaInfo| usable_video(info).is_ok();
    facts.media.get(&bumper.url).is_none_or(|info| info.as_ref().is_ok_and(shows))
}

fn can_be_heard(track: &Track, facts: &Facts) -> bool {
    let is_heard = |audio: &AudioInfo| track.from_s.unwrap_or(0.0) < audio.duration_s;
    let info = facts.media.get(track.url.as_str());
    info.is_none_or(|info| info.as_ref().is_ok_and(|info| info.audio.as_ref().is_some_and(is_heard)))
}

fn can_be_used(voice: &Voice, facts: &Facts) -> bool {
    let reads = |url: &str| facts.subtitles.get(url).is_none_or(Result::is_ok);
    can_be_heard(&voice.audio, facts) && voice.subtitle.iter().filter_map(Subtitle::url).all(reads)
}
