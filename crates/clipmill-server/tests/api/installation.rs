//! A database, a data folder and a bucket of different installations are refused.

use std::path::Path;

use clipmill_server::DataDir;
use clipmill_server::installation::{InstallationError, check};
use clipmill_store::sqlite::SqliteStore;
use tempfile::TempDir;

use crate::harness::{API, Service, task};

async fn database(folder: &TempDir, name: &str) -> SqliteStore {
    SqliteStore::open(&folder.path().join(name)).await.unwrap()
}

fn data(folder: &TempDir, name: &str) -> DataDir {
    DataDir::open(folder.path().join(name)).unwrap()
}

fn result(data: &DataDir) -> std::path::PathBuf {
    let path = data.results().join("VP00000000000000000000000000/1.mp4");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "x").unwrap();
    path
}

fn id(root: &Path) -> String {
    std::fs::read_to_string(root.join("installation")).unwrap()
}

#[tokio::test]
async fn a_data_folder_is_used_with_its_own_database_only() {
    let folder = tempfile::tempdir().unwrap();
    let (own, other) = (database(&folder, "own.db").await, database(&folder, "other.db").await);
    let place = data(&folder, "data");
    check(&own, &place).await.unwrap();
    let first = id(place.root());
    check(&own, &place).await.unwrap();
    assert_eq!(id(place.root()), first);
    result(&place);

    // A new database, then one of another installation.
    let refused = check(&other, &place).await.unwrap_err();
    assert!(matches!(refused, InstallationError::NewDatabase { .. }) && refused.is_mismatch(), "{refused}");
    check(&other, &data(&folder, "other")).await.unwrap();
    let refused = check(&other, &place).await.unwrap_err();
    assert!(matches!(refused, InstallationError::Mismatch { .. }), "{refused}");
    let text = refused.to_string();
    for part in [place.root().to_str().unwrap(), first.trim(), "database", "delete", "Nothing was changed"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(id(place.root()), first);

    // As the message explains: without the file, the folder joins the other installation.
    std::fs::remove_file(place.root().join("installation")).unwrap();
    check(&other, &place).await.unwrap();
    assert_ne!(id(place.root()), first);
}

#[tokio::test]
async fn workers_moved_folders_and_restored_databases_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let own = database(&folder, "own.db").await;
    let place = data(&folder, "data");
    check(&own, &place).await.unwrap();
    let first = id(place.root());
    // Another machine has an empty folder of its own.
    let worker = data(&folder, "worker");
    check(&own, &worker).await.unwrap();
    assert_eq!(id(worker.root()), first);
    // The folder has a new place.
    let moved = folder.path().join("moved");
    std::fs::rename(place.root(), &moved).unwrap();
    check(&own, &DataDir::open(&moved).unwrap()).await.unwrap();
    // A copy of the database in a new folder, and on the old one.
    own.copy_to(&folder.path().join("copy.db")).await.unwrap();
    let copy = database(&folder, "copy.db").await;
    for name in ["restored", "moved"] {
        check(&copy, &data(&folder, name)).await.unwrap();
        assert_eq!(id(&folder.path().join(name)), first, "{name}");
    }
}

#[tokio::test]
async fn results_of_an_earlier_version_are_not_given_to_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    let (place, empty) = (data(&folder, "data"), database(&folder, "empty.db").await);
    let kept = result(&place);
    let refused = check(&empty, &place).await.unwrap_err();
    assert!(matches!(refused, InstallationError::UnknownResults { .. }), "{refused}");
    assert!(kept.exists() && !place.root().join("installation").exists());
    // Their own database has tasks.
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    service.submit(&ann, &task()).await.data();
    result(&service.data);
    check(&*service.store, &service.data).await.unwrap();
    service.get(&ann, &format!("{API}/balance")).await.data();
}

#[tokio::test]
async fn folders_that_were_removed_are_re_created_unless_the_disk_is_gone() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    check(&*service.store, &service.data).await.unwrap();
    for folder in [service.data.uploads(), service.data.inputs(), service.data.results()] {
        std::fs::remove_dir_all(&folder).unwrap();
        service.get(&ann, "/readyz").await.data();
        assert!(folder.is_dir(), "{}", folder.display());
    }
    service.upload(&ann, "/open-api/v1/uploads?fileName=a.mp4", "MEDIA a").await.data();
    // An unmounted disk leaves an empty folder.
    std::fs::remove_file(service.data.root().join("installation")).unwrap();
    std::fs::remove_dir_all(service.data.uploads()).unwrap();
    assert_eq!(service.get(&ann, "/readyz").await.code(), 50300);
    assert!(!service.data.uploads().exists());
}
