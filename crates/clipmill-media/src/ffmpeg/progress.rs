//! Reads ffmpeg's `-progress` output: blocks of `key=value` lines, each ended by `progress=`.

/// The progress of an ffmpeg run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// Frames written.
    pub frame: u64,
    /// Length written, in microseconds.
    pub out_time_us: i64,
    pub total_size_bytes: u64,
    /// How many times faster than real time; 0 while unknown.
    pub speed: f64,
    /// True in the last block of a run that ended by itself.
    pub ended: bool,
}

/// Collects lines into blocks. A value that does not parse (`N/A` before the first packet) leaves the previous one in
/// place, so that progress never goes back.
#[derive(Debug, Default)]
pub struct ProgressParser {
    current: Progress,
}

impl ProgressParser {
    /// Reads one line; returns the state whenever the line ends a block.
    pub fn line(&mut self, line: &str) -> Option<Progress> {
        let (key, value) = line.trim().split_once('=')?;
        match key {
            "frame" => set(&mut self.current.frame, value),
            "out_time_us" => set(&mut self.current.out_time_us, value),
            "total_size" => set(&mut self.current.total_size_bytes, value),
            "speed" => set(&mut self.current.speed, value.trim_end_matches('x')),
            "progress" => {
                self.current.ended = value == "end";
                return Some(self.current);
            }
            _ => {}
        }
        None
    }

    /// The state after all lines so far.
    pub fn current(&self) -> Progress {
        self.current
    }
}

fn set<T: std::str::FromStr>(field: &mut T, value: &str) {
    if let Ok(value) = value.trim().parse() {
        *field = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, expected: &[Progress]) {
        let mut parser = ProgressParser::default();
        let blocks: Vec<_> = lines.lines().filter_map(|line| parser.line(line)).collect();
        assert_eq!(blocks, expected);
    }

    #[test]
    fn blocks_are_read_as_ffmpeg_writes_them() {
        check(
            "frame=0\nfps=0.00\nstream_0_0_q=0.0\nbitrate=N/A\ntotal_size=48\nout_time_us=N/A\n\
             out_time=N/A\ndup_frames=0\nspeed=N/A\nprogress=continue\n\
             frame= 53 \nout_time_us=1766667\ntotal_size=4096\nspeed=2.5x\nprogress=end\n",
            &[
                Progress { total_size_bytes: 48, ..Progress::default() },
                Progress {
                    frame: 53,
                    out_time_us: 1_766_667,
                    total_size_bytes: 4096,
                    speed: 2.5,
                    ended: true,
                },
            ],
        );
    }

    #[test]
    fn noise_is_ignored() {
        check(
            "garbage\n=\nframe=-5\nframe=7\nframe=N/A\nprogress=continue",
            &[Progress { frame: 7, ..Progress::default() }],
        );
    }
}
