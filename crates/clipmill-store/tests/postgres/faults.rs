//! The disk is full, or the connection is cut, at every write and at commits: the unit is rolled back, and the next
//! one works.

use std::sync::Arc;

use clipmill_store::Store;
use clipmill_store::postgres::Clock;

use crate::conformance::fixture::{Fixture, all_cases};
use crate::conformance::task_series::{self, run_to_its_end, task_series};
use crate::postgres_server::server;
use crate::{open_on, template};

/// Counts writes, including rolled-back ones; the one that brings the count to 0 fails. A deferred trigger fails at
/// commits.
const COUNTED: &str = "
    CREATE SEQUENCE writes MINVALUE -1000000;
    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF nextval('writes') = 0 THEN
            FAULT;
        END IF;
        RETURN NULL;
    END $$;
    DO $$
    DECLARE t text;
    BEGIN
        FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_sqlx_migrations' LOOP
            EXECUTE format('CREATE TRIGGER fault BEFORE INSERT OR UPDATE OR DELETE ON %I
                            FOR EACH STATEMENT EXECUTE FUNCTION fault()', t);
        END LOOP;
    END $$;
    CREATE CONSTRAINT TRIGGER late_fault AFTER INSERT OR UPDATE ON work DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fault()";

const FULL: &str = "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'";
const CUT: &str = "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10)";

/// Writes from the `first` on: every second one, because the two tests share them, or every twelfth in the short form.
async fn check(name: &'static str, first: u32, fault: &str, codes: &[&str]) {
    server().run("postgres", &format!("CREATE DATABASE {name} TEMPLATE {}", template().await));
    server().run(name, &COUNTED.replace("FAULT", fault));
    for nth in (first..).step_by(if all_cases() { 2 } else { 12 }) {
        let database = server().database(Some(name));
        let store = Arc::new(open_on(&database, Clock::Caller).await);
        let user = task_series::user(&*store).await;
        server().run(&database.name, &format!("SELECT setval('writes', -{nth})"));
        let fixture = Fixture::new(store.clone());
        let living = tokio::spawn(async move { task_series(&fixture, user).await });
        let failed = living.await.err().map(|error| {
            let panic = error.into_panic();
            panic.downcast_ref::<String>().cloned().unwrap_or_default()
        });
        server().run(&database.name, "SELECT setval('writes', 1)");
        if let Some(told) = &failed {
            assert!(codes.iter().any(|code| told.contains(code)), "{name} {nth}: {told}");
        }
        let fixture = Fixture::new(store.clone());
        run_to_its_end(&fixture, user, &format!("{name} {nth}")).await;
        store.close().await;
        if failed.is_none() {
            assert!(nth > 50, "{nth} writes are no life");
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_at_every_write() {
    check("no_room", 1, FULL, &["53100"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_cut_at_every_write() {
    check("cut_off", 2, CUT, &["57P01", "Io("]).await;
}
