//! Measures streams from their packets, one packet at a time.

use clipmill_core::time::Fps;
use serde::Deserialize;
use std::collections::BTreeMap;

/// ffprobe writes times in microseconds, so a difference of two may be off by one.
const EXACT_S: f64 = 2e-6;

/// From here on, a step of decoding times is a jump: ffmpeg's own limits (`dts_delta_threshold`, and a tenth of a second
/// backwards).
const JUMP_S: f64 = 10.0;
const STEP_BACK_S: f64 = 0.1;

/// Totals of the packets of each stream.
#[derive(Debug, Default, PartialEq)]
pub struct Packets {
    tracks: BTreeMap<u32, Track>,
}

/// Totals of the packets of one stream; times are in seconds on the container's clock.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Track {
    /// Packets that are displayed; others are only there to be decoded.
    pub shown: u64,
    /// The earliest display time.
    pub first: f64,
    /// The latest start of a packet.
    pub last: f64,
    /// The length of the packet at `last`, if it has one.
    pub last_duration: Option<f64>,
    /// Samples at the start and at the end that decoders discard (an encoder's delay and padding).
    pub skipped: u64,
    pub padding: u64,
    /// The longest time from one packet to the next, or of one packet.
    pub gap: f64,
    /// How often the decoding time goes back, or jumps ahead by more than [`JUMP_S`]. ffmpeg treats both as the start
    /// of another recording.
    pub jumps: u64,
    last_decoding: Option<f64>,
    /// How long after its decoding time the first packet is displayed.
    delay: Option<f64>,
    /// Whether a packet has no time but that of its decoding, as most reference frames of an MPEG program stream.
    undated: bool,
    order: Order,
}

/// Determines whether packets can be used unchanged.
#[derive(Debug, Default, Clone, PartialEq)]
struct Order {
    packets: u64,
    /// Whether a packet was not a whole frame by itself: displayed, at a time of its own, without side data that a decoder
    /// needs, and not before the first one.
    broken: bool,
    /// For each of [`Fps::ALLOWED`], whether a packet is off its grid.
    off_grid: [bool; Fps::ALLOWED.len()],
    /// The packets since the last keyframe, and the most from one keyframe to the next.
    group: u64,
    longest_group: u64,
}

impl Packets {
    pub fn add(&mut self, packet: &Packet) {
        self.tracks.entry(packet.stream).or_default().add(packet);
    }

    pub fn track(&self, stream: u32) -> Option<&Track> {
        self.tracks.get(&stream).filter(|track| track.shown > 0)
    }

    /// The latest end in any stream.
    pub fn end(&self) -> Option<f64> {
        self.tracks.values().filter(|track| track.shown > 0).map(Track::end).reduce(f64::max)
    }
}

impl Track {
    /// The end of the packet that is shown last; one without a length counts as long as the others on average. The
    /// lengths of earlier packets do not matter: in ffprobe 9, those of an MP4 are the times between decoding one
    /// packet and the next.
    pub fn end(&self) -> f64 {
        self.last + self.last_duration.or_else(|| self.mean_interval()).unwrap_or(0.0)
    }

    /// The average time from one packet to the next; `None` for fewer than two packets.
    pub fn mean_interval(&self) -> Option<f64> {
        let intervals = self.shown.saturating_sub(1);
        (intervals > 0 && self.last > self.first).then(|| (self.last - self.first) / intervals as f64)
    }

    /// The most packets from one keyframe to the next, or to the end.
    pub fn longest_group(&self) -> u64 {
        self.order.longest_group
    }

    /// Frames per second, if all packets are frames that follow each other at a rate that outputs have. A stream that ends
    /// with a keyframe does not qualify: decoders distinguish two keyframes in a row from one by marks that only their
    /// encoder sets.
    pub fn exact_rate(&self) -> Option<u32> {
        let order = &self.order;
        let plain = !order.broken && order.packets == self.shown && order.group > 1;
        let steps = self.shown.saturating_sub(1) as f64;
        let fits = |(rate, off): &(u32, bool)| {
            !off && ((self.last - self.first) * f64::from(*rate) - steps).abs() < 0.5
        };
        let (rate, _) = Fps::ALLOWED.into_iter().zip(order.off_grid).find(fits).filter(|_| plain)?;
        Some(rate)
    }

    fn add(&mut self, packet: &Packet) {
        self.order.add(packet, if self.shown == 0 { packet.time } else { Some(self.first) });
        if let (Some(last), Some(now)) = (self.last_decoding, packet.decoding) {
            self.jumps += u64::from(now < last - STEP_BACK_S || now > last + JUMP_S);
        }
        self.last_decoding = packet.decoding.or(self.last_decoding);
        let Some(time) = packet.time.filter(|_| !packet.discard) else { return };
        if self.shown == 0 {
            (self.first, self.last) = (time, time);
            self.last_duration = packet.duration;
            self.skipped = packet.skipped;
            self.delay = packet.decoding.map(|decoding| time - decoding);
        }
        self.undated |= !packet.dated;
        self.shown += 1;
        self.first = self.first.min(time);
        self.gap = self.gap.max(time - self.last).max(packet.duration.unwrap_or(0.0));
        if time >= self.last {
            (self.last, self.last_duration) = (time, packet.duration);
            self.padding = packet.padding;
        }
        // The last frame to be displayed may be one that was decoded earlier, at an unknown time.
        if let Some(decoding) = packet.decoding.filter(|_| self.undated)
            && let Some(latest) =
                self.delay.map(|delay| decoding + delay).filter(|latest| *latest > self.last)
        {
            (self.last, self.last_duration) = (latest, packet.duration);
        }
    }
}

impl Order {
    /// `first` is the time of the first packet.
    fn add(&mut self, packet: &Packet, first: Option<f64>) {
        self.group = if packet.key { 1 } else { self.group + 1 };
        self.longest_group = self.longest_group.max(self.group);
        self.packets += 1;
        let since = packet.time.zip(first).map(|(time, first)| time - first);
        let begins = self.packets > 1 || packet.key;
        let Some(since) = since.filter(|since| begins && *since >= 0.0 && !packet.discard && !packet.beside)
        else {
            self.broken = true;
            return;
        };
        for (off, rate) in self.off_grid.iter_mut().zip(Fps::ALLOWED.map(f64::from)) {
            *off |= (since - (since * rate).round() / rate).abs() > EXACT_S;
        }
    }
}

/// One packet.
pub struct Packet {
    stream: u32,
    /// The presentation time, or the decoding time if the container has no other.
    time: Option<f64>,
    decoding: Option<f64>,
    /// Whether it has a presentation time.
    dated: bool,
    duration: Option<f64>,
    key: bool,
    discard: bool,
    /// Whether it has side data, such as other parameters.
    beside: bool,
    skipped: u64,
    padding: u64,
}

impl Packet {
    /// Reads one object of ffprobe's JSON; `None` if it is another object.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let record: PacketRecord = serde_json::from_slice(json).ok()?;
        let last = |field: fn(&SideData) -> Option<u64>| record.side_data_list.iter().rev().find_map(field);
        let (shown, decoding) = (record.pts_time.and_then(seconds), record.dts_time.and_then(seconds));
        Some(Self {
            stream: record.stream_index,
            time: shown.or(decoding),
            decoding,
            dated: shown.is_some(),
            duration: record.duration_time.and_then(seconds).filter(|duration| *duration > 0.0),
            key: record.flags.contains('K'),
            // Theora repeats a frame by an empty packet, which contains no frame.
            discard: record.flags.contains('D') || record.size == Some("0"),
            beside: !record.side_data_list.is_empty(),
            skipped: last(|beside| beside.skip_samples).unwrap_or(0),
            padding: last(|beside| beside.discard_padding).unwrap_or(0),
        })
    }
}

/// A packet as ffprobe writes it.
#[derive(Deserialize)]
struct PacketRecord<'a> {
    stream_index: u32,
    pts_time: Option<&'a str>,
    dts_time: Option<&'a str>,
    duration_time: Option<&'a str>,
    size: Option<&'a str>,
    #[serde(default)]
    flags: &'a str,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

/// Side data of a packet; some harmless kinds have none of these fields.
#[derive(Deserialize)]
struct SideData {
    skip_samples: Option<u64>,
    discard_padding: Option<u64>,
}

/// `None` for `N/A` and for other text that is not a number.
pub fn seconds(text: &str) -> Option<f64> {
    text.parse().ok().filter(|seconds: &f64| seconds.is_finite())
}

/// Reads packets in short form for tests: fields as `name=value|name=value`, one packet a line.
#[cfg(test)]
pub fn in_short(lines: &str) -> Packets {
    let mut packets = Packets::default();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let (mut fields, mut beside) = (serde_json::Map::new(), serde_json::Map::new());
        for (name, value) in line.trim().split('|').filter_map(|field| field.split_once('=')) {
            let number = value.parse::<u64>().map(serde_json::Value::from);
            match name {
                "stream_index" => drop(fields.insert(name.into(), number.unwrap())),
                "skip_samples" | "discard_padding" => drop(beside.insert(name.into(), number.unwrap())),
                "side_data_type" => drop(beside.insert(name.into(), value.into())),
                _ => drop(fields.insert(name.into(), value.into())),
            }
        }
        if !beside.is_empty() {
            fields.insert("side_data_list".into(), vec![serde_json::Value::from(beside)].into());
        }
        packets.add(&Packet::parse(serde_json::Value::from(fields).to_string().as_bytes()).unwrap());
    }
    packets
}

#[cfg(test)]
mod tests {
    use super::in_short as measure;
    use super::*;

    /// In an MPEG program stream, only some frames have presentation times; the last frame displayed may be none of them.
    #[test]
    fn frames_without_times_count() {
        let packets = measure(
            "stream_index=0|pts_time=0.54|dts_time=0.50|duration_time=0.04|flags=K_
             stream_index=0|dts_time=0.54|duration_time=0.04|flags=K_
             stream_index=0|pts_time=0.58|dts_time=0.58|duration_time=0.04|flags=__
             stream_index=0|pts_time=0.62|dts_time=0.62|duration_time=0.04|flags=__",
        );
        let track = packets.track(0).unwrap();
        assert_eq!((track.shown, track.first), (4, 0.54));
        assert!((track.last - 0.66).abs() < 1e-9 && (track.end() - 0.70).abs() < 1e-9, "{track:?}");
    }

    #[test]
    fn order_of_decoding_does_not_matter() {
        let packets = measure(
            "stream_index=0|pts_time=0.000000|dts_time=-0.080000|duration_time=0.040000|flags=K_
             stream_index=0|pts_time=0.120000|dts_time=-0.040000|duration_time=0.040000|flags=__
             stream_index=0|pts_time=0.040000|dts_time=0.000000|duration_time=0.040000|flags=__

             stream_index=0|pts_time=0.080000|dts_time=0.040000|duration_time=0.040000|flags=__",
        );
        let track = packets.track(0).unwrap();
        assert_eq!((track.shown, track.first, track.last), (4, 0.0, 0.12));
        assert!((track.end() - 0.16).abs() < 1e-9);
        assert!((track.mean_interval().unwrap() - 0.04).abs() < 1e-9);
    }

    #[test]
    fn only_the_last_shown_frame_determines_the_end_of_a_stream() {
        // As ffprobe 9 lists a gap: the previous frame in decoding order is not the previous one in display order.
        let packets = measure(
            "stream_index=0|pts_time=0.00|duration_time=0.04|flags=K_
             stream_index=0|pts_time=3.00|duration_time=2.96|flags=__
             stream_index=0|pts_time=0.04|duration_time=0.04|flags=__
             stream_index=0|pts_time=3.04|duration_time=0.04|flags=__",
        );
        assert!((packets.track(0).unwrap().end() - 3.08).abs() < 1e-9);
    }

    #[test]
    fn empty_packets_are_no_frames() {
        let packets = measure(
            "stream_index=0|pts_time=0.00|duration_time=0.04|size=21|flags=K_
             stream_index=0|pts_time=0.04|duration_time=0.04|size=0|flags=__",
        );
        assert_eq!(packets.track(0).unwrap().shown, 1);
    }

    #[test]
    fn hidden_frames_do_not_count() {
        let packets = measure(
            "stream_index=1|pts_time=-0.023220|dts_time=-0.023220|duration_time=0.023220|flags=KD
             stream_index=1|pts_time=0.000000|dts_time=0.000000|duration_time=0.023220|flags=K_
             stream_index=0|pts_time=N/A|dts_time=N/A|duration_time=N/A|flags=K_",
        );
        let track = packets.track(1).unwrap();
        assert_eq!((track.shown, track.first), (1, 0.0));
        assert_eq!(packets.track(0), None);
    }

    #[test]
    fn discarded_samples_are_counted_at_both_ends() {
        let packets = measure(
            "stream_index=0|pts_time=0.000|duration_time=0.024|flags=K_|skip_samples=1105|discard_padding=0
             stream_index=0|pts_time=0.024|duration_time=0.024|flags=K_
             stream_index=0|pts_time=0.048|duration_time=0.024|flags=K_|skip_samples=0|discard_padding=1007",
        );
        let track = packets.track(0).unwrap();
        assert_eq!((track.skipped, track.padding), (1105, 1007));
    }

    /// Three frames at 25 a second in decoding order, with one change.
    fn rate_with(from: &str, to: &str) -> Option<(u32, u64)> {
        let lines = "stream_index=0|pts_time=0.066667|duration_time=0.04|flags=K_
             stream_index=0|pts_time=0.146667|duration_time=0.04|flags=__
             stream_index=0|pts_time=0.106667|duration_time=0.04|flags=__";
        assert!(lines.contains(from), "{from}");
        let packets = measure(&lines.replacen(from, to, 1));
        let track = packets.track(0).unwrap();
        Some((track.exact_rate()?, track.longest_group()))
    }

    #[test]
    fn frames_on_a_grid_are_recognized() {
        let check = |from: &str, to: &str, expected| {
            assert_eq!(rate_with(from, to), expected, "{from} -> {to}");
        };
        check("K_", "K_", Some((25, 3)));
        check("__", "K_", Some((25, 2)));
        check("0.146667", "0.146672", None);
        check("0.146667", "0.226667", None);
        check("0.106667", "0.026667", None);
        check("0.106667", "N/A", None);
        check("K_", "__", None);
        check("__", "_D", None);
        check("0.04|flags=__", "0.04|flags=__|side_data_type=New Extradata", None);
        // The last frame is a keyframe.
        check(
            "flags=__\n             stream_index=0|pts_time=0.106667|duration_time=0.04|flags=__",
            "flags=__\n             stream_index=0|pts_time=0.106667|duration_time=0.04|flags=K_",
            None,
        );
    }

    #[test]
    fn only_output_rates_are_recognized() {
        let rate = |rate: f64, count: u32| {
            let line = |k: u32| {
                format!(
                    "stream_index=0|pts_time={:.6}|flags={}\n",
                    f64::from(k) / rate,
                    ["__", "K_"][usize::from(k == 0)]
                )
            };
            measure(&(0..count).map(line).collect::<String>()).track(0).unwrap().exact_rate()
        };
        for allowed in Fps::ALLOWED {
            assert_eq!(rate(f64::from(allowed), 200), Some(allowed));
        }
        for other in [24.0, 29.97, 30000.0 / 1001.0, 12.5, 100.0, 30.001] {
            assert_eq!(rate(other, 200), None, "{other}");
        }
        assert_eq!(rate(25.0, 1), None, "there is nothing to derive it from");
    }

    #[test]
    fn missing_times_and_lengths_are_inferred() {
        let packets = measure(
            "stream_index=0|pts_time=N/A|dts_time=5.0|duration_time=N/A|flags=K_
             stream_index=0|pts_time=N/A|dts_time=5.5|duration_time=N/A|flags=__",
        );
        assert_eq!(packets.track(0).unwrap().end(), 6.0);
        assert_eq!(packets.end(), Some(6.0));
    }

    #[test]
    fn gaps_are_found_between_packets_and_inside_one() {
        let between =
            measure("stream_index=0|pts_time=0\nstream_index=0|pts_time=100\nstream_index=0|pts_time=101");
        assert_eq!(between.track(0).unwrap().gap, 100.0);
        let inside = measure("stream_index=0|pts_time=0|duration_time=70\nstream_index=0|pts_time=1");
        assert_eq!(inside.track(0).unwrap().gap, 70.0);
    }

    #[test]
    fn garbage_is_no_packet() {
        for garbage in
            ["", "{}", "[]", r#"{"stream_index":"0"}"#, r#"{"stream_index":-1}"#, r#"{"stream_index":0"#]
        {
            assert!(Packet::parse(garbage.as_bytes()).is_none(), "{garbage}");
        }
        let odd = measure(
            "stream_index=0|pts_time=inf|dts_time=N/A|duration_time=-1\nstream_index=0|pts_time=1|flags=",
        );
        let track = odd.track(0).unwrap();
        assert_eq!((track.shown, track.first, track.last_duration), (1, 1.0, None));
    }
}
