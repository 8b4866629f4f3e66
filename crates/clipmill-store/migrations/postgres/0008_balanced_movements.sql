-- A movement is committed with entries that sum to zero, or not at all.

CREATE FUNCTION entries_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT COUNT(*) = 0 OR SUM(amount) <> 0 FROM entries WHERE movement_id = NEW.id) THEN
        RAISE EXCEPTION 'the entries of movement % do not sum to zero', NEW.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER movements_balance AFTER INSERT ON movements
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION entries_balance();

CREATE FUNCTION entries_join_unbalanced_movements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT COUNT(*) > 0 AND SUM(amount) = 0 FROM entries WHERE movement_id = NEW.movement_id) THEN
        RAISE EXCEPTION 'the movement takes no further entries' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER entries_join_unbalanced_movements BEFORE INSERT ON entries
FOR EACH ROW EXECUTE FUNCTION entries_join_unbalanced_movements();

CREATE TRIGGER holds_keep_their_item BEFORE UPDATE ON holds
FOR EACH ROW WHEN (NEW.task_no <> OLD.task_no OR NEW.item_no <> OLD.item_no OR NEW.opened_at <> OLD.opened_at)
EXECUTE FUNCTION refuse('a hold belongs to one item');
