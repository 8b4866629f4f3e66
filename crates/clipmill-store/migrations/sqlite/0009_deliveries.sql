-- Delivery of events as leased work, its log, and secrets that overlap while they are replaced.

-- due: to be sent at due_at; sending: under a lease; delivered and failed are final until somebody asks for
-- the event to be sent again.
ALTER TABLE outbox ADD COLUMN state TEXT NOT NULL DEFAULT 'due'
    CHECK (state IN ('due', 'sending', 'delivered', 'failed'));
ALTER TABLE outbox ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
-- When due_at was decided: a clock that stands before it was set back, and due_at means nothing any more.
ALTER TABLE outbox ADD COLUMN decided_at INTEGER NOT NULL DEFAULT 0;
-- Place in the schedule of attempts; all attempts ever made are counted by the log.
ALTER TABLE outbox ADD COLUMN step INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0);
-- Raised at every claim; whoever reports an attempt names it.
ALTER TABLE outbox ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN claimed_at INTEGER;
ALTER TABLE outbox ADD COLUMN lease_until INTEGER CHECK ((state = 'sending') = (lease_until IS NOT NULL));
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_sending ON outbox (lease_until) WHERE state = 'sending';

CREATE TABLE delivery_attempts (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id    TEXT NOT NULL REFERENCES outbox ON DELETE CASCADE,
    started_at  INTEGER NOT NULL,
    -- Neither is known of an attempt whose process was lost.
    duration_ms INTEGER,
    status      INTEGER,
    -- NULL: delivered.
    error       TEXT
) STRICT;
CREATE INDEX delivery_attempts_of_event ON delivery_attempts (event_id, id);

-- The secret before the one in webhook_secret: it signs too, until then.
ALTER TABLE users ADD COLUMN earlier_secret TEXT;
ALTER TABLE users ADD COLUMN earlier_secret_until INTEGER CHECK ((earlier_secret IS NULL) = (earlier_secret_until IS NULL));

-- 1 for the item of a task that ended first: whoever was told of n results is told the rest.
ALTER TABLE items ADD COLUMN ended_order INTEGER;
UPDATE items SET ended_order = item_no WHERE state IN (3, 4, 5, 6);
CREATE INDEX items_by_end ON items (task_id, ended_order) WHERE ended_order IS NOT NULL;
