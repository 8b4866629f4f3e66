//! Which places of a request name which file.

use clipmill_core::request::model::{Clip, DedupParams, Mask, MixOptions, Params, Scene, TaskRequest};

const SCHEME: &str = "upload://";

/// Every `upload://ID` of a request: JSON Pointer, url, id.
pub fn upload_refs(request: &TaskRequest) -> Vec<(String, &str, &str)> {
    let uploads = urls(request).into_iter();
    uploads.filter_map(|(path, url)| Some((path, url, url.strip_prefix(SCHEME)?))).collect()
}

/// Every url of a request, with its JSON Pointer.
pub fn urls(request: &TaskRequest) -> Vec<(String, &str)> {
    match &request.params {
        Params::VideoDeduplication(params) => in_dedup(params),
        Params::BaseVideoMix(params) => {
            let groups = params.groups.iter().enumerate();
            let clips = groups.flat_map(|(i, group)| {
                in_clips(format!("/params/videoList/{i}/videos"), "url", &group.videos)
            });
            clips.chain(in_options(&params.options)).collect()
        }
        Params::ProVideoMix(params) => {
            let scenes = params.scenes.iter().enumerate().flat_map(|(i, scene)| in_scene(i, scene));
            scenes.chain(in_options(&params.options)).collect()
        }
    }
}

type Place<'a> = (String, &'a str);

fn in_clips<'a>(list: String, field: &'a str, clips: &'a [Clip]) -> impl Iterator<Item = Place<'a>> {
    clips.iter().enumerate().map(move |(i, clip)| (format!("{list}/{i}/{field}"), clip.url.as_str()))
}

fn in_dedup(params: &DedupParams) -> Vec<Place<'_>> {
    let options = &params.options;
    let masks = [
        ("/params/options/picMask/picFiles", &options.pic_mask),
        ("/params/options/videoMask/videoFiles", &options.video_mask),
    ];
    let masks = masks.into_iter().filter_map(|(list, mask)| Some(in_mask(list, mask.as_ref()?))).flatten();
    let fill = options.pip.iter().filter_map(|pip| pip.fill_url.as_deref());
    let fill = fill.map(|url| ("/params/options/PIP/fillVideoPath".to_owned(), url));
    in_clips("/params/videoList".to_owned(), "filename", &params.videos).chain(masks).chain(fill).collect()
}

fn in_mask<'a>(list: &'a str, mask: &'a Mask) -> impl Iterator<Item = Place<'a>> {
    mask.urls.iter().enumerate().map(move |(i, url)| (format!("{list}/{i}"), url.as_str()))
}

fn in_scene(index: usize, scene: &Scene) -> impl Iterator<Item = Place<'_>> {
    let at = format!("/params/scenes/{index}");
    let clips = in_clips(format!("{at}/resources"), "url", &scene.resources);
    let audio = scene.audio.iter().enumerate();
    clips.chain(audio.map(move |(i, audio)| (format!("{at}/audioResources/{i}/url"), audio.url.as_str())))
}

fn in_options(options: &MixOptions) -> impl Iterator<Item = Place<'_>> {
    let places = [
        ("backgroundMusic", options.music.as_ref().map(|track| track.url.as_str())),
        ("audio", options.voice.as_ref().map(|track| track.url.as_str())),
        ("subtitle", options.subtitle.as_ref().map(|subtitle| subtitle.url.as_str())),
    ];
    places.into_iter().filter_map(|(name, url)| Some((format!("/params/options/{name}/url"), url?)))
}
