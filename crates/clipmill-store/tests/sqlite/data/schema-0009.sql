-- A database of schema 9: a task with a delivered item, and one whose segment is being made.
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'users','2026-11-21 10:18:16',1,X'23E75A0BEDF45FD55DDBBADACB864B6D0ABA4653A59ABC7437C89EABEC63FDC04667DE56453EB6C061563EB728CA3C62',1263258);
INSERT INTO "_sqlx_migrations" VALUES(2,'ledger','2026-11-21 10:18:16',1,X'1456BBED86B8E875451F448B2A1154075029AE2F68384BA7951AB889C42114F3FB28E5B310ABB792A2917D653021DE37',1764234);
INSERT INTO "_sqlx_migrations" VALUES(3,'tasks','2026-11-21 10:18:16',1,X'4049E0EB6EEB181F9613B8E9BF7D6891695035F3AA389BCEC153BD21B22D25D1D9B5B28A3D84A6055ED458AEA64E7617',1415814);
INSERT INTO "_sqlx_migrations" VALUES(4,'work','2026-11-21 10:18:16',1,X'B2D4A3B9CE5012A650C7E3EFBB7BAD642D17FB8B6B4742BB66F8E1C00C66E3BB814E2ECD28C83B460A72C74296039EB7',1764715);
INSERT INTO "_sqlx_migrations" VALUES(5,'diversity','2026-11-21 10:18:16',1,X'62345AA94F823BBE1550962CE37E7357D15356061FE21F6A36B0D07C24321C825314BAC3E56696D087147F86B69546EB',13723622);
INSERT INTO "_sqlx_migrations" VALUES(7,'key scopes','2026-11-21 10:18:16',1,X'9F270219C71440C532445BCAF32CA6F4B0D375EB179FC4A6018D7E2E6004274321949BCE825799499D5C5B8042EEB142',3779887);
INSERT INTO "_sqlx_migrations" VALUES(8,'balanced movements','2026-11-21 10:18:16',1,X'93D927609FAA404EFF51A76510CDCE6363437A3C9F4B78BBF0F49506833C4A6F54156EC8871132B4FC1714F16AF480AA',6332446);
INSERT INTO "_sqlx_migrations" VALUES(9,'deliveries','2026-11-21 10:18:16',1,X'EAF8E5D535D72B60D244195D463B3A77D4FD8F10A361E58762AFB5DD0E35D0B33085BA313BAEF7AFD303C3199D9260BD',16374421);
CREATE TABLE api_keys (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users,
    key_sha256 BLOB NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
    prefix     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
, scopes TEXT NOT NULL DEFAULT 'read,submit' CHECK (scopes <> ''), last_used_at INTEGER) STRICT;
CREATE TABLE balances (
    user_id   INTEGER PRIMARY KEY REFERENCES users,
    available INTEGER NOT NULL CHECK (available >= 0),
    held      INTEGER NOT NULL CHECK (held >= 0)
) STRICT;
INSERT INTO "balances" VALUES(1,85,10);
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
CREATE TABLE entries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    movement_id INTEGER NOT NULL REFERENCES movements,
    account     TEXT NOT NULL CHECK (account IN ('available', 'held', 'issued', 'revenue')),
    user_id     INTEGER REFERENCES users,
    amount      INTEGER NOT NULL CHECK (amount <> 0),
    CHECK ((account IN ('available', 'held')) = (user_id IS NOT NULL))
) STRICT;
INSERT INTO "entries" VALUES(1,1,'issued',NULL,-100);
INSERT INTO "entries" VALUES(2,1,'available',1,100);
INSERT INTO "entries" VALUES(3,2,'available',1,-10);
INSERT INTO "entries" VALUES(4,2,'held',1,10);
INSERT INTO "entries" VALUES(5,3,'available',1,-10);
INSERT INTO "entries" VALUES(6,3,'held',1,10);
INSERT INTO "entries" VALUES(7,4,'held',1,-5);
INSERT INTO "entries" VALUES(8,4,'revenue',NULL,5);
INSERT INTO "entries" VALUES(9,5,'held',1,-5);
INSERT INTO "entries" VALUES(10,5,'available',1,5);
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
INSERT INTO "holds" VALUES(1,1,'VP01HF7YAT02SZJPG0G000000000',1,10,5,'settled',1700000000003,1700000000009);
INSERT INTO "holds" VALUES(2,1,'VP01HF7YAT02SZJPG0G000000000',2,10,0,'open',1700000000003,NULL);
CREATE TABLE item_segments (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    hash    TEXT NOT NULL REFERENCES segments,
    -- 1 while frames of this segment are still to come in the item's progress.
    counted INTEGER NOT NULL DEFAULT 1 CHECK (counted IN (0, 1)),
    PRIMARY KEY (item_id, hash)
) STRICT, WITHOUT ROWID;
INSERT INTO "item_segments" VALUES(1,'a',0);
INSERT INTO "item_segments" VALUES(2,'b',1);
CREATE TABLE items (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id        INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    item_no        INTEGER NOT NULL,
    seed           INTEGER NOT NULL,
    state          INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
    recipe         TEXT NOT NULL DEFAULT 'null',
    warnings       TEXT NOT NULL DEFAULT '[]',
    rendition      TEXT,
    error          TEXT,
    charged        INTEGER NOT NULL DEFAULT 0,
    result         TEXT,
    -- Share of finishing in the progress sums.
    finish_weight  INTEGER NOT NULL DEFAULT 0,
    frames_done    INTEGER NOT NULL DEFAULT 0,
    frames_planned INTEGER NOT NULL DEFAULT 0, ended_order INTEGER,
    UNIQUE (task_id, item_no),
    CHECK (frames_done BETWEEN 0 AND frames_planned),
    CHECK ((state = 3) = (result IS NOT NULL))
) STRICT;
INSERT INTO "items" VALUES(1,1,1,-2,3,'{"item":1}','[]','{"fps":30,"size":{"width":720,"height":1280},"frames":30,"tier":"Hd","pictures":["a"],"sound":null}',NULL,5,'{"key":"results/1","duration_ms":1000,"width":720,"height":1280,"fps":30,"size_bytes":1,"sha256":"00","video_codec":"h264","audio_codec":null,"quality":null,"cover":null,"warnings":[],"expires_at":1}',3,33,33,1);
INSERT INTO "items" VALUES(2,1,2,-2,2,'{"item":2}','[]','{"fps":30,"size":{"width":720,"height":1280},"frames":30,"tier":"Hd","pictures":["b"],"sound":null}',NULL,0,NULL,3,0,33,NULL);
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
INSERT INTO "movements" VALUES(1,1,'grant',100,100,100,NULL,NULL,'to begin with',1700000000001);
INSERT INTO "movements" VALUES(2,1,'hold',10,-10,90,'VP01HF7YAT02SZJPG0G000000000',1,'held at submission',1700000000003);
INSERT INTO "movements" VALUES(3,1,'hold',10,-10,80,'VP01HF7YAT02SZJPG0G000000000',2,'held at submission',1700000000003);
INSERT INTO "movements" VALUES(4,1,'settle',5,0,80,'VP01HF7YAT02SZJPG0G000000000',1,'output delivered',1700000000009);
INSERT INTO "movements" VALUES(5,1,'release',5,5,85,'VP01HF7YAT02SZJPG0G000000000',1,'not used by the output',1700000000009);
CREATE TABLE outbox (
    event_id   TEXT PRIMARY KEY,
    task_id    INTEGER NOT NULL UNIQUE REFERENCES tasks ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('task.completed', 'task.failed', 'task.cancelled', 'task.rejected')),
    created_at INTEGER NOT NULL
, state TEXT NOT NULL DEFAULT 'due'
    CHECK (state IN ('due', 'sending', 'delivered', 'failed')), due_at INTEGER NOT NULL DEFAULT 0, decided_at INTEGER NOT NULL DEFAULT 0, step INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0), fence INTEGER NOT NULL DEFAULT 0, claimed_at INTEGER, lease_until INTEGER CHECK ((state = 'sending') = (lease_until IS NOT NULL))) STRICT;
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;
CREATE TABLE segment_sources (
    hash    TEXT NOT NULL REFERENCES segments ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users,
    source  TEXT,
    PRIMARY KEY (hash, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "segment_sources" VALUES('a',1,'[{"content":"c0","url":"https://example.com/a.mp4"}]');
INSERT INTO "segment_sources" VALUES('b',1,'[{"content":"c0","url":"https://example.com/b.mp4"}]');
CREATE TABLE segments (
    hash        TEXT PRIMARY KEY,
    spec        TEXT NOT NULL,
    frames      INTEGER NOT NULL,
    -- Furthest point any attempt reported.
    frames_done INTEGER NOT NULL DEFAULT 0,
    state       TEXT NOT NULL DEFAULT 'needed' CHECK (state IN ('needed', 'done')),
    done_at     INTEGER,
    CHECK (frames_done BETWEEN 0 AND frames)
) STRICT;
INSERT INTO "segments" VALUES('a','{"kind":"picture","source":"c0","stream_index":0,"fps":30,"frames":30,"size":{"width":720,"height":1280},"graph":{"input":{"file":0,"stream":0}},"captions":null,"encoder":{"codec":"libx264","preset":"superfast","crf_tenths":210,"params":"","max_rate_kbps":6000,"keyframe_interval":120,"threads":2}}',30,30,'done',1700000000007);
INSERT INTO "segments" VALUES('b','{"kind":"picture","source":"c0","stream_index":0,"fps":30,"frames":30,"size":{"width":720,"height":1280},"graph":{"input":{"file":0,"stream":0}},"captions":null,"encoder":{"codec":"libx264","preset":"superfast","crf_tenths":210,"params":"","max_rate_kbps":6000,"keyframe_interval":120,"threads":2}}',30,0,'needed',NULL);
CREATE TABLE tasks (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    task_no            TEXT NOT NULL UNIQUE,
    user_id            INTEGER NOT NULL REFERENCES users,
    task_type          TEXT NOT NULL,
    client_task_id     TEXT,
    request            TEXT NOT NULL,
    request_sha256     BLOB NOT NULL CHECK (length(request_sha256) = 32),
    callback_url       TEXT,
    seed               INTEGER NOT NULL,
    state              INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
    total_items        INTEGER NOT NULL,
    completed_items    INTEGER NOT NULL DEFAULT 0,
    failed_items       INTEGER NOT NULL DEFAULT 0,
    submitted_points   INTEGER NOT NULL,
    estimated_points   INTEGER NOT NULL,
    consumed_points    INTEGER NOT NULL DEFAULT 0,
    frames_done        INTEGER NOT NULL DEFAULT 0,
    frames_planned     INTEGER NOT NULL DEFAULT 0,
    submit_warnings    TEXT NOT NULL,
    preflight_warnings TEXT NOT NULL DEFAULT '[]',
    error_message      TEXT,
    created_at         INTEGER NOT NULL,
    started_at         INTEGER,
    finished_at        INTEGER, diversity TEXT,
    UNIQUE (user_id, client_task_id),
    CHECK (completed_items >= 0 AND failed_items >= 0 AND completed_items + failed_items <= total_items),
    CHECK (frames_done BETWEEN 0 AND frames_planned),
    CHECK ((state IN (3, 4, 5, 6)) = (finished_at IS NOT NULL))
) STRICT;
INSERT INTO "tasks" VALUES(1,'VP01HF7YAT02SZJPG0G000000000',1,'baseVideoMix',NULL,'{"params":{"taskType":"baseVideoMix","groups":[{"videos":[{"url":"https://example.com/a.mp4","duration_s":null}],"total_duration_s":null},{"videos":[{"url":"https://example.com/a.mp4","duration_s":null}],"total_duration_s":null}],"options":{"size":{"width":720,"height":1280},"fill":"none","background":"black","fps":30,"is_shortest":false,"music":null,"voice":null,"subtitle":null,"original_volume":100},"seed":null},"callbackUrl":null,"clientTaskId":null}',X'0707070707070707070707070707070707070707070707070707070707070707',NULL,-1,2,2,1,0,20,20,5,33,66,'[]','[]',NULL,1700000000003,1700000000006,NULL,NULL);
CREATE TABLE unbalanced_movements (
    movement_id INTEGER PRIMARY KEY REFERENCES movements,
    -- Names no movement: a row that is still here at the commit breaks the rule and undoes everything.
    must_go     INTEGER NOT NULL DEFAULT 0 REFERENCES movements DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE uploads (
    id             TEXT PRIMARY KEY,
    user_id        INTEGER NOT NULL REFERENCES users,
    content_sha256 TEXT NOT NULL,
    size_bytes     INTEGER NOT NULL CHECK (size_bytes >= 0),
    file_name      TEXT,
    created_at     INTEGER NOT NULL
) STRICT;
CREATE TABLE users (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    name           TEXT NOT NULL UNIQUE,
    webhook_secret TEXT NOT NULL,
    created_at     INTEGER NOT NULL
, earlier_secret TEXT, earlier_secret_until INTEGER CHECK ((earlier_secret IS NULL) = (earlier_secret_until IS NULL))) STRICT;
INSERT INTO "users" VALUES(1,'keeper','whsec_x',1700000000000,NULL,NULL);
CREATE TABLE work (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    kind         TEXT NOT NULL CHECK (kind IN ('preflight', 'segment', 'finish')),
    task_id      INTEGER UNIQUE REFERENCES tasks ON DELETE CASCADE,
    segment_hash TEXT UNIQUE REFERENCES segments ON DELETE CASCADE,
    item_id      INTEGER UNIQUE REFERENCES items ON DELETE CASCADE,
    -- For whom it is done now; of a shared segment, whose task's source is used.
    user_id      INTEGER NOT NULL REFERENCES users,
    -- waiting: for segments; delayed: until run_after.
    state        TEXT NOT NULL CHECK (state IN ('ready', 'delayed', 'waiting', 'running', 'done', 'failed', 'dropped')),
    -- Order of claiming: highest priority, lowest stage (finish, preflight, segment), then the oldest task,
    -- its first item and that item's first segment.
    priority     INTEGER NOT NULL DEFAULT 0,
    stage        INTEGER NOT NULL,
    task_order   INTEGER NOT NULL,
    item_order   INTEGER NOT NULL,
    position     INTEGER NOT NULL,
    run_after    INTEGER,
    -- Raised at every claim; every write under a lease names it.
    fence        INTEGER NOT NULL DEFAULT 0,
    worker       TEXT,
    claimed_at   INTEGER,
    lease_until  INTEGER,
    -- Failures reported by live workers, and leases that ran out.
    attempts     INTEGER NOT NULL DEFAULT 0,
    lost_leases  INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL,
    CHECK (CASE kind WHEN 'preflight' THEN task_id IS NOT NULL
                     WHEN 'segment' THEN segment_hash IS NOT NULL
                     ELSE item_id IS NOT NULL END),
    CHECK ((task_id IS NOT NULL) + (segment_hash IS NOT NULL) + (item_id IS NOT NULL) = 1),
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state = 'delayed') = (run_after IS NOT NULL))
) STRICT;
INSERT INTO "work" VALUES(1,'preflight',1,NULL,NULL,1,'done',0,1,1,0,0,NULL,1,NULL,1700000000004,NULL,0,0,1700000000003);
INSERT INTO "work" VALUES(2,'segment',NULL,'a',NULL,1,'done',0,2,1,1,0,NULL,1,NULL,1700000000006,NULL,0,0,1700000000005);
INSERT INTO "work" VALUES(3,'segment',NULL,'b',NULL,1,'running',0,2,1,2,0,NULL,1,'worker',1700000000010,1700000030010,0,0,1700000000005);
INSERT INTO "work" VALUES(4,'finish',NULL,NULL,1,1,'done',0,0,1,1,0,NULL,1,NULL,1700000000008,NULL,0,0,1700000000005);
INSERT INTO "work" VALUES(5,'finish',NULL,NULL,2,1,'waiting',0,0,1,2,0,NULL,0,NULL,NULL,NULL,0,0,1700000000005);
CREATE INDEX api_keys_of_user ON api_keys (user_id);
CREATE INDEX uploads_by_age ON uploads (created_at);
CREATE INDEX movements_of_user ON movements (user_id, id);
CREATE INDEX movements_of_item ON movements (task_no, item_no);
CREATE INDEX entries_of_movement ON entries (movement_id);
CREATE INDEX entries_of_user ON entries (user_id, account, amount);
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
CREATE INDEX tasks_of_user ON tasks (user_id, id);
CREATE INDEX tasks_not_started ON tasks (id) WHERE state IN (0, 1);
CREATE TRIGGER tasks_legal_transition BEFORE UPDATE OF state ON tasks
WHEN NEW.state <> OLD.state
 AND NOT (OLD.state = 0 AND NEW.state IN (1, 5, 6)
       OR OLD.state = 1 AND NEW.state IN (2, 5)
       OR OLD.state = 2 AND NEW.state IN (3, 4, 5))
BEGIN SELECT RAISE(ABORT, 'a task cannot move between these states'); END;
CREATE TRIGGER items_legal_transition BEFORE UPDATE OF state ON items
WHEN NEW.state < OLD.state OR OLD.state IN (3, 4, 5, 6) AND NEW.state <> OLD.state
BEGIN SELECT RAISE(ABORT, 'an item cannot move between these states'); END;
CREATE INDEX item_segments_by_hash ON item_segments (hash, counted);
CREATE INDEX work_ready ON work (priority DESC, stage, task_order, item_order, position, id) WHERE state = 'ready';
CREATE INDEX work_delayed ON work (run_after) WHERE state = 'delayed';
CREATE INDEX work_running ON work (lease_until) WHERE state = 'running';
CREATE VIEW waiting_items AS
SELECT x.hash, i.id AS item_id, i.item_no, i.task_id, t.user_id
  FROM item_segments x
  JOIN items i ON i.id = x.item_id
  JOIN tasks t ON t.id = i.task_id
  JOIN work w ON w.item_id = i.id
 WHERE w.state = 'waiting';
CREATE TRIGGER movements_begin_unbalanced AFTER INSERT ON movements
BEGIN INSERT INTO unbalanced_movements (movement_id) VALUES (NEW.id); END;
CREATE TRIGGER entries_join_unbalanced_movements BEFORE INSERT ON entries
WHEN NOT EXISTS (SELECT 1 FROM unbalanced_movements WHERE movement_id = NEW.movement_id)
BEGIN SELECT RAISE(ABORT, 'the movement takes no further entries'); END;
CREATE TRIGGER entries_balance_their_movement AFTER INSERT ON entries
WHEN (SELECT SUM(amount) FROM entries WHERE movement_id = NEW.movement_id) = 0
BEGIN DELETE FROM unbalanced_movements WHERE movement_id = NEW.movement_id; END;
CREATE TRIGGER movements_refuse_replacement BEFORE INSERT ON movements
WHEN EXISTS (SELECT 1 FROM movements WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger movements are never replaced'); END;
CREATE TRIGGER entries_refuse_replacement BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced'); END;
CREATE TRIGGER holds_keep_their_item BEFORE UPDATE ON holds
WHEN NEW.task_no <> OLD.task_no OR NEW.item_no <> OLD.item_no OR NEW.opened_at <> OLD.opened_at
BEGIN SELECT RAISE(ABORT, 'a hold belongs to one item'); END;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_sending ON outbox (lease_until) WHERE state = 'sending';
CREATE INDEX delivery_attempts_of_event ON delivery_attempts (event_id, id);
CREATE INDEX items_by_end ON items (task_id, ended_order) WHERE ended_order IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('users',1);
INSERT INTO "sqlite_sequence" VALUES('movements',5);
INSERT INTO "sqlite_sequence" VALUES('entries',10);
INSERT INTO "sqlite_sequence" VALUES('holds',2);
INSERT INTO "sqlite_sequence" VALUES('tasks',1);
INSERT INTO "sqlite_sequence" VALUES('items',2);
INSERT INTO "sqlite_sequence" VALUES('work',5);
COMMIT;
