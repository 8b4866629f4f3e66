//! The units of work, written once for both databases.
//!
//! The statements are the same text on SQLite and on PostgreSQL, so the modules below are compiled twice: each database's
//! module includes this file and adds its own `dialect`, which defines the kind of connection of a unit, the rows it locks,
//! and how work is claimed. Nothing else differs.
//!
//! The modules are in the folders of the traits that they implement. In a folder such as `tasks`, `mod.rs` is compiled once: it
//! has the trait and its records. The other files are listed here.

use super::dialect;

pub mod rows;
pub(super) mod states;
mod store;
pub(super) mod unit;

#[path = "../accounts"]
pub mod accounts {
    use super::{dialect, rows, states, unit};

    pub mod quotas;

    pub mod brands {
        pub mod sql;
    }
    pub mod drafts {
        pub mod sql;
    }
    pub mod feedback {
        pub mod sql;
    }
    pub mod invitations {
        pub mod sql;
    }
    pub mod keys {
        pub mod sql;
    }
    pub mod library {
        pub mod files;
        mod methods;
        pub mod uploads;
    }
    pub mod points {
        pub mod audit;
        pub mod holds;
        pub mod ledger;
        pub mod limits;
        pub mod listening;
        mod methods;
        pub mod movements;
    }
    pub mod shares {
        pub mod sql;
    }
    pub mod templates {
        pub mod sql;
    }
    pub mod users {
        pub mod sql;
    }
}

#[path = "../batches"]
pub mod batches {
    pub mod grouped_list;
    mod methods;
    pub mod read;
    pub mod retry;
    pub mod write;
}

#[path = "../queue"]
pub mod queue {
    use super::{dialect, rows, states, unit};

    pub mod claim;
    mod methods;
    pub mod order;
    pub mod overview;

    pub mod jobs {
        pub mod assemble;
        pub mod completions;
        pub mod failures;
        pub mod fallback;
        mod methods;
        pub mod preflight;
        pub mod progress;
        pub mod reports;
        pub mod segments;
    }
    pub mod leases {
        pub mod expired_leases;
        pub mod lease;
        mod methods;
    }
    pub mod workers {
        pub mod sql;
    }
}

#[path = "../tasks"]
pub mod tasks {
    use super::{dialect, rows, unit};

    pub mod bodies;
    pub mod cancel;
    pub mod list;
    mod methods;
    pub mod naming;
    pub mod outputs;
    pub mod read;
    pub mod result_inputs;
    pub mod search;
    pub mod submit;
    pub mod task_end;

    pub mod callbacks {
        pub mod sql;
    }
}

#[path = "../maintenance"]
pub mod maintenance {
    use super::{dialect, rows, states, unit};

    pub mod shared_count;

    pub mod installation {
        pub mod sql;
    }
    pub mod metrics {
        pub mod sql;
    }
    pub mod operations {
        pub mod failures;
        mod methods;
        pub mod usage;
    }
    pub mod retention {
        mod methods;
        pub mod sql;
    }
    pub mod traces {
        pub mod sql;
    }
}
