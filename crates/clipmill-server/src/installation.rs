//! The ID of an installation, shared by its database, data folder and bucket.
//!
//! Retention deletes files that the database does not know. With the database of another installation, or a new one,
//! those would be all files, so the service refuses to combine locations of different installations.

use std::io::{self, Write};
use std::path::PathBuf;

use clipmill_blobs::{About, BlobError, Bucket, key};
use clipmill_core::ids::TaskNo;
use clipmill_media::machine::Machine;
use clipmill_store::installation::INSTALLATION;
use clipmill_store::{Store, StoreError, StoreResult};
use futures_util::TryStreamExt;

use crate::clock;
use crate::data_dir::{DataDir, INSTALLATION_FILE};

#[derive(Debug, thiserror::Error)]
pub enum InstallationError {
    #[error(
        "{location} belongs to installation {actual}, but the database belongs to installation {expected}. Nothing was changed. \
         Start clipmill with the database and the data folder (or bucket) that belong together. If these two do, delete \
         {mark}: {location} then joins the installation of the database"
    )]
    Mismatch { location: String, mark: String, actual: String, expected: String },
    #[error(
        "{location} belongs to installation {actual}, but the database is new or a copy from before it had an id. Nothing was \
         changed. Start clipmill with the database of that installation, or with an empty data folder (and bucket). If these \
         two belong together, delete {mark}: {location} then joins the installation of the database"
    )]
    NewDatabase { location: String, mark: String, actual: String },
    #[error(
        "{location} has results, but the database has no tasks: it is new or belongs to another installation, and all results \
         would be deleted. Nothing was changed. Start clipmill with the database of these results. To begin with an empty \
         database, move the results away first"
    )]
    UnknownResults { location: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the installation's id cannot be read or written: {0}")]
    Files(#[from] io::Error),
    #[error("cannot read from the bucket which installation it belongs to: {0}")]
    Bucket(#[from] BlobError),
}

impl InstallationError {
    /// Whether the error is that places belong to different installations.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Mismatch { .. } | Self::NewDatabase { .. } | Self::UnknownResults { .. })
    }
}

type Outcome<T> = Result<T, InstallationError>;

/// A location that has the id of the installation that it belongs to, or none yet.
struct DataLocation<'a> {
    data: &'a DataDir,
    bucket: Option<&'a Bucket>,
    id: Option<String>,
}

/// Checks that the database, the data folder and the bucket belong to the same installation. Places without an ID
/// join the installation of the database.
pub async fn check(store: &dyn Store, data: &DataDir) -> Outcome<()> {
    let (stored_id, locations) = compare(store, data).await?;
    let id = match stored_id {
        Some(id) => id,
        None => {
            // If several processes start at the same time, all get the ID of the first.
            let id = text(&store.installation().secret(INSTALLATION, clock::random()?).await?);
            agree(&id, &locations)?;
            id
        }
    };
    for location in locations.iter().filter(|location| location.id.is_none()) {
        location.join(&id).await?;
    }
    data.belongs_to(&id);
    Ok(())
}

/// The width of the installation; the first start chooses the cores of its machine.
pub async fn width(store: &dyn Store) -> StoreResult<u32> {
    store.installation().width(this_width()).await
}

/// The cores of this machine, as a width.
pub fn this_width() -> u32 {
    u32::try_from(Machine::this().cores).unwrap_or(MAX_WIDTH).min(MAX_WIDTH)
}

/// The largest width. Plans for more cores would consist of parts that are too short.
pub const MAX_WIDTH: u32 = 1024;

/// Like [`check`], but writes nothing.
pub async fn verify(store: &dyn Store, data: &DataDir) -> Outcome<()> {
    if let (Some(id), _) = compare(store, data).await? {
        data.belongs_to(&id);
    }
    Ok(())
}

/// Returns the id in the database and the places. A place of another installation is an error.
async fn compare<'a>(
    store: &dyn Store,
    data: &'a DataDir,
) -> Outcome<(Option<String>, Vec<DataLocation<'a>>)> {
    let mut locations = vec![DataLocation { data, bucket: None, id: data.installation()? }];
    if let Some(bucket) = data.bucket() {
        locations.push(DataLocation { data, bucket: Some(bucket), id: id_of_bucket(bucket, data).await? });
    }
    let installation = store.installation().identity().await?;
    if let Some(id) = installation.id {
        let id = text(&id);
        agree(&id, &locations)?;
        return Ok((Some(id), locations));
    }
    if let Some((location, location_id)) =
        locations.iter().find_map(|location| Some((location, location.id.clone()?)))
    {
        return Err(InstallationError::NewDatabase {
            location: location.name(),
            mark: location.mark(),
            actual: location_id,
        });
    }
    if !installation.has_tasks {
        for location in &locations {
            location.has_no_results().await?;
        }
    }
    Ok((None, locations))
}

fn agree(id: &str, locations: &[DataLocation<'_>]) -> Outcome<()> {
    match locations
        .iter()
        .find_map(|location| Some((location, location.id.clone().filter(|location_id| location_id != id)?)))
    {
        Some((location, location_id)) => Err(InstallationError::Mismatch {
            location: location.name(),
            mark: location.mark(),
            actual: location_id,
            expected: id.to_owned(),
        }),
        None => Ok(()),
    }
}

impl DataLocation<'_> {
    fn name(&self) -> String {
        match self.bucket {
            Some(bucket) => format!("the bucket {bucket}"),
            None => format!("the data folder {}", self.data.root().display()),
        }
    }

    /// The file or object that contains the ID.
    fn mark(&self) -> String {
        match self.bucket {
            Some(bucket) => format!("{bucket}/{}", key::INSTALLATION),
            None => self.file().display().to_string(),
        }
    }

    fn file(&self) -> PathBuf {
        self.data.root().join(INSTALLATION_FILE)
    }

    async fn has_no_results(&self) -> Outcome<()> {
        let has_results = match self.bucket {
            Some(bucket) => bucket.list(key::RESULTS).try_next().await?.is_some(),
            None => results_in(self.data)?,
        };
        match has_results {
            true => Err(InstallationError::UnknownResults { location: self.name() }),
            false => Ok(()),
        }
    }

    async fn join(&self, id: &str) -> Outcome<()> {
        // It is written completely or not at all.
        let unfinished = scratch(self.data)?;
        let mut file = std::fs::File::create(&unfinished)?;
        writeln!(file, "{id}")?;
        file.sync_all()?;
        let outcome = match self.bucket {
            Some(bucket) => bucket
                .put(key::INSTALLATION, &unfinished, &About::default())
                .await
                .map_err(InstallationError::from),
            None => std::fs::rename(&unfinished, self.file()).map_err(InstallationError::from),
        };
        let _ = std::fs::remove_file(&unfinished);
        outcome
    }
}

/// Whether a task has a folder of results that is not empty.
fn results_in(data: &DataDir) -> io::Result<bool> {
    for entry in std::fs::read_dir(data.results())? {
        let entry = entry?;
        let is_of_task = entry.file_name().to_str().is_some_and(|name| TaskNo::parse(name).is_some());
        if is_of_task && std::fs::read_dir(entry.path())?.next().is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn id_of_bucket(bucket: &Bucket, data: &DataDir) -> Outcome<Option<String>> {
    let copy = scratch(data)?;
    let object = bucket.get(key::INSTALLATION, &copy).await?;
    let text = object.map(|_| std::fs::read_to_string(&copy)).transpose()?;
    let _ = std::fs::remove_file(&copy);
    Ok(text.map(|text| text.trim().to_owned()))
}

/// The path of a file that no other process uses.
fn scratch(data: &DataDir) -> io::Result<PathBuf> {
    let name = format!("{INSTALLATION_FILE}.{}", hex::encode(clock::random::<8>()?));
    Ok(data.root().join(name))
}

fn text(id: &[u8; 32]) -> String {
    // Half of it is unique enough, and short enough to read aloud.
    hex::encode(id.get(..16).unwrap_or_default())
}
