//! Several files as one zip that is written while it is sent: without compression, because videos are compressed
//! already, and with only a few chunks in memory.

use std::io::{self, Write};
use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::io::AsyncRead;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_util::io::SyncIoBridge;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The size of a chunk, and (below) the most chunks that wait to be sent.
const PIECE: usize = 128 << 10;
const WAITING: usize = 8;
/// From this size on files need the larger fields of Zip64.
const LARGE: u64 = u32::MAX as u64 - (64 << 20);

pub type Reader = Pin<Box<dyn AsyncRead + Send>>;

/// A file that goes into the archive.
pub struct Entry {
    pub name: String,
    pub size: u64,
    pub reader: Reader,
}

/// The length of an archive of these files, if it can be computed in advance.
pub fn length(files: &[(String, u64)], modified: DateTime) -> Option<u64> {
    let content: u64 = files.iter().map(|(_, size)| *size).sum();
    if content >= LARGE {
        return None;
    }
    // The archive's own bytes do not depend on the content of the files.
    let mut counter = CountingWriter(0);
    let mut writer = ZipWriter::new_stream(&mut counter);
    for (name, _) in files {
        writer.start_file(name, options(modified, false)).ok()?;
    }
    writer.finish().ok()?;
    Some(counter.0 + content)
}

/// Writes the archive on its own thread; `next` opens one file after another. Dropping the stream ends the thread.
pub fn stream<F>(
    count: usize,
    large: bool,
    modified: DateTime,
    next: impl Fn(usize) -> F + Send + 'static,
) -> impl Stream<Item = io::Result<Bytes>>
where
    F: Future<Output = io::Result<Entry>> + Send,
{
    let (sender, receiver) = channel(WAITING);
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        let error_sender = sender.clone();
        let open = |index| runtime.block_on(next(index));
        if let Err(error) = write(count, large, modified, open, ChunkWriter::new(sender)) {
            // The client has disconnected, or will notice the error when the connection closes.
            let _ = error_sender.blocking_send(Err(error));
        }
    });
    unfold(receiver, async |mut receiver: Receiver<io::Result<Bytes>>| {
        let chunk = receiver.recv().await?;
        Some((chunk, receiver))
    })
}

/// A time in the format of archives, in UTC; `text` is RFC 3339.
pub fn moment(text: &str) -> DateTime {
    let number = |from: usize, to: usize| text.get(from..to).and_then(|digits| digits.parse::<u16>().ok());
    let part = |from, to| number(from, to).and_then(|number| u8::try_from(number).ok());
    let read = || {
        let date = (number(0, 4)?, part(5, 7)?, part(8, 10)?);
        DateTime::from_date_and_time(date.0, date.1, date.2, part(11, 13)?, part(14, 16)?, part(17, 19)?).ok()
    };
    read().unwrap_or_default()
}

fn write(
    count: usize,
    large: bool,
    modified: DateTime,
    open: impl Fn(usize) -> io::Result<Entry>,
    chunks: ChunkWriter,
) -> io::Result<()> {
    let mut writer = ZipWriter::new_stream(chunks);
    for index in 0..count {
        let Entry { name, size, reader } = open(index)?;
        writer.start_file(&name, options(modified, large))?;
        let copied = io::copy(&mut SyncIoBridge::new(reader), &mut writer)?;
        if copied != size {
            return Err(io::Error::other(format!("{name} has {copied} bytes instead of {size}")));
        }
    }
    writer.finish()?.into_inner().flush()
}

fn options(modified: DateTime, large: bool) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(modified)
        .large_file(large)
}

struct CountingWriter(u64);

impl Write for &mut CountingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Collects what is written and sends it in chunks.
struct ChunkWriter {
    collected: BytesMut,
    sender: Sender<io::Result<Bytes>>,
}

impl ChunkWriter {
    fn new(sender: Sender<io::Result<Bytes>>) -> Self {
        Self { collected: BytesMut::with_capacity(PIECE), sender }
    }
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.collected.extend_from_slice(bytes);
        if self.collected.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = self.collected.split().freeze();
        if chunk.is_empty() {
            return Ok(());
        }
        self.sender.blocking_send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, pin_mut};

    use super::*;

    fn entry(index: usize) -> Entry {
        let content = vec![index as u8; 100_000 * (index + 1)];
        Entry {
            name: format!("{index}.mp4"),
            size: content.len() as u64,
            reader: Box::pin(std::io::Cursor::new(content)),
        }
    }

    #[tokio::test]
    async fn an_archive_is_whole_and_as_long_as_announced() {
        for large in [false, true] {
            let modified = moment("2026-11-21T10:04:06.000Z");
            let chunks = stream(3, large, modified, async |index| Ok(entry(index)));
            pin_mut!(chunks);
            let mut bytes = Vec::new();
            while let Some(chunk) = chunks.next().await {
                let chunk = chunk.unwrap();
                assert!(chunk.len() <= 2 * PIECE);
                bytes.extend_from_slice(&chunk);
            }
            let files: Vec<_> = (0..3).map(entry).map(|entry| (entry.name, entry.size)).collect();
            if !large {
                assert_eq!(length(&files, modified), Some(bytes.len() as u64));
            }
            let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
            assert_eq!(archive.len(), 3);
            for (index, (name, size)) in files.iter().enumerate() {
                let mut file = archive.by_index(index).unwrap();
                assert_eq!((file.name().unwrap().as_ref(), file.size()), (name.as_str(), *size));
                // Reading also checks the checksum.
                assert_eq!(io::copy(&mut file, &mut io::sink()).unwrap(), *size);
            }
        }
    }

    #[tokio::test]
    async fn a_file_that_is_not_as_announced_breaks_the_archive_off() {
        let lying = async |index| Ok(Entry { size: 1, ..entry(index) });
        let chunks = stream(1, false, DateTime::default(), lying);
        pin_mut!(chunks);
        let mut last = Ok(Bytes::new());
        while let Some(chunk) = chunks.next().await {
            last = chunk;
        }
        assert!(last.is_err());
    }
}
