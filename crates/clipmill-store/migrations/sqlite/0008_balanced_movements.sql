-- A movement is committed with entries that sum to zero, or not at all.

CREATE TABLE unbalanced_movements (
    movement_id INTEGER PRIMARY KEY REFERENCES movements,
    -- Names no movement: a row that is still here at the commit breaks the rule and undoes everything.
    must_go     INTEGER NOT NULL DEFAULT 0 REFERENCES movements DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TRIGGER movements_begin_unbalanced AFTER INSERT ON movements
BEGIN INSERT INTO unbalanced_movements (movement_id) VALUES (NEW.id); END;

CREATE TRIGGER entries_join_unbalanced_movements BEFORE INSERT ON entries
WHEN NOT EXISTS (SELECT 1 FROM unbalanced_movements WHERE movement_id = NEW.movement_id)
BEGIN SELECT RAISE(ABORT, 'the movement takes no further entries'); END;

CREATE TRIGGER entries_balance_their_movement AFTER INSERT ON entries
WHEN (SELECT SUM(amount) FROM entries WHERE movement_id = NEW.movement_id) = 0
BEGIN DELETE FROM unbalanced_movements WHERE movement_id = NEW.movement_id; END;

-- REPLACE deletes without asking the triggers against deletion.
CREATE TRIGGER movements_refuse_replacement BEFORE INSERT ON movements
WHEN EXISTS (SELECT 1 FROM movements WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger movements are never replaced'); END;
CREATE TRIGGER entries_refuse_replacement BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced'); END;

CREATE TRIGGER holds_keep_their_item BEFORE UPDATE ON holds
WHEN NEW.task_no <> OLD.task_no OR NEW.item_no <> OLD.item_no OR NEW.opened_at <> OLD.opened_at
BEGIN SELECT RAISE(ABORT, 'a hold belongs to one item'); END;
