//! Sources drawn pixel by pixel, so that every frame identifies itself and the position of its corners.

use super::{Fixture, ffmpeg};

/// Arguments that convert drawn frames to BT.709 and tag them so.
pub const BT709: &str = "-vf format=gbrp,zscale=matrixin=gbr:rangein=full:matrix=709:range=limited,format=yuv420p \
                         -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// x264 at a quality that preserves colours.
pub const X264: &str = "-c:v libx264 -preset ultrafast -qp 4";

pub const RED: [u8; 3] = [200, 40, 40];
pub const GREEN: [u8; 3] = [40, 180, 40];
pub const BLUE: [u8; 3] = [40, 40, 205];
pub const YELLOW: [u8; 3] = [205, 195, 60];

/// A rate and as many frames.
#[derive(Clone, Copy)]
pub struct TestVideo {
    pub size: (u32, u32),
    pub rate: &'static str,
    pub frames: usize,
}

impl TestVideo {
    pub const fn new(width: u32, height: u32, rate: &'static str, frames: usize) -> Self {
        Self { size: (width, height), rate, frames }
    }
}

/// The grey of step `n` of a stair, 0 to 12.
pub const fn stair(n: usize) -> u8 {
    24 + 17 * (n % 13) as u8
}

/// The step that a mean luma (limited range) belongs to.
pub fn step_of(luma: u8) -> usize {
    let grey = (f64::from(luma) - 16.0) * 255.0 / 219.0;
    ((grey - 24.0) / 17.0).round().max(0.0) as usize
}

impl Fixture {
    /// Makes a source of frames drawn by `pixel(frame, x, y)`; `args` follow the input.
    pub async fn drawn(
        &mut self,
        name: &str,
        film: TestVideo,
        args: &str,
        pixel: impl Fn(usize, u32, u32) -> [u8; 3],
    ) -> String {
        let (width, height) = film.size;
        let mut bytes = Vec::with_capacity(film.frames * (width * height * 3) as usize);
        for (frame, y) in (0..film.frames).flat_map(|frame| (0..height).map(move |y| (frame, y))) {
            (0..width).for_each(|x| bytes.extend(pixel(frame, x, y)));
        }
        let raw_file = self.folder.path().join(format!("{name}.rgb"));
        std::fs::write(&raw_file, bytes).unwrap();
        let input = format!(
            "-f rawvideo -pix_fmt rgb24 -video_size {width}x{height} -framerate {} -i {}",
            film.rate,
            raw_file.display()
        );
        let path = self.folder.path().join(name);
        ffmpeg(&format!("{input} {args}"), &path).await;
        std::fs::remove_file(&raw_file).unwrap();
        self.learn(name, &path).await
    }

    /// A source whose quarters are red and green above blue and yellow.
    pub async fn quarters(&mut self, name: &str, film: TestVideo, args: &str) -> String {
        let (width, height) = film.size;
        let colour = move |_, x, y| match (2 * x < width, 2 * y < height) {
            (true, true) => RED,
            (false, true) => GREEN,
            (true, false) => BLUE,
            (false, false) => YELLOW,
        };
        self.drawn(name, film, args, colour).await
    }

    /// A source whose frame n is as bright as step n of the stair.
    pub async fn counted(&mut self, name: &str, film: TestVideo, args: &str) -> String {
        self.drawn(name, film, args, |frame, _, _| [stair(frame); 3]).await
    }

    /// A source of one colour.
    pub async fn plain(&mut self, name: &str, film: TestVideo, colour: [u8; 3], args: &str) -> String {
        self.drawn(name, film, args, |_, _, _| colour).await
    }
}
