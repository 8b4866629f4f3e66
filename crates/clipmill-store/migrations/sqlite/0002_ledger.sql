-- Points. Movements and their double entries are only ever added; balances are derived from them and
-- checked. The ledger outlives the tasks it speaks of, so it names them by number instead of pointing
-- at their rows.

CREATE TABLE balances (
    user_id   INTEGER PRIMARY KEY REFERENCES users,
    available INTEGER NOT NULL CHECK (available >= 0),
    held      INTEGER NOT NULL CHECK (held >= 0)
) STRICT;

CREATE TABLE movements (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id       INTEGER NOT NULL REFERENCES users,
    kind          TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'release', 'adjust')),
    amount        INTEGER NOT NULL CHECK (amount > 0),
    dot_count     INTEGER NOT NULL,
    balance_after INTEGER NOT NULL CHECK (balance_after >= 0),
    task_no       TEXT,
    item_no       INTEGER,
    remark        TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    CHECK (CASE kind WHEN 'hold' THEN dot_count = -amount
                     WHEN 'settle' THEN dot_count = 0
                     WHEN 'adjust' THEN dot_count IN (amount, -amount)
                     ELSE dot_count = amount END)
) STRICT;
CREATE INDEX movements_of_user ON movements (user_id, id);
CREATE INDEX movements_of_item ON movements (task_no, item_no);

CREATE TABLE entries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    movement_id INTEGER NOT NULL REFERENCES movements,
    account     TEXT NOT NULL CHECK (account IN ('available', 'held', 'issued', 'revenue')),
    user_id     INTEGER REFERENCES users,
    amount      INTEGER NOT NULL CHECK (amount <> 0),
    CHECK ((account IN ('available', 'held')) = (user_id IS NOT NULL))
) STRICT;
CREATE INDEX entries_of_movement ON entries (movement_id);
CREATE INDEX entries_of_user ON entries (user_id, account, amount);

CREATE TABLE holds (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id     INTEGER NOT NULL REFERENCES users,
    task_no     TEXT NOT NULL,
    item_no     INTEGER NOT NULL,
    amount      INTEGER NOT NULL CHECK (amount >= 0),
    settled     INTEGER NOT NULL DEFAULT 0,
    state       TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'settled', 'released')),
    opened_at   INTEGER NOT NULL,
    resolved_at INTEGER,
    CHECK (settled BETWEEN 0 AND amount),
    CHECK (settled = 0 OR state = 'settled'),
    CHECK ((state = 'open') = (resolved_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX holds_one_open_an_item ON holds (task_no, item_no) WHERE state = 'open';
CREATE INDEX holds_of_item ON holds (task_no, item_no);
CREATE INDEX holds_open_of_user ON holds (user_id) WHERE state = 'open';

CREATE TRIGGER movements_refuse_update BEFORE UPDATE ON movements
BEGIN SELECT RAISE(ABORT, 'ledger movements are never changed'); END;
CREATE TRIGGER movements_refuse_delete BEFORE DELETE ON movements
BEGIN SELECT RAISE(ABORT, 'ledger movements are never deleted'); END;
CREATE TRIGGER entries_refuse_update BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER entries_refuse_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
CREATE TRIGGER holds_resolve_once BEFORE UPDATE ON holds
WHEN OLD.state <> 'open' OR NEW.amount <> OLD.amount OR NEW.user_id <> OLD.user_id
BEGIN SELECT RAISE(ABORT, 'a hold resolves once and keeps its amount'); END;
CREATE TRIGGER holds_refuse_delete BEFORE DELETE ON holds
BEGIN SELECT RAISE(ABORT, 'holds are never deleted'); END;
