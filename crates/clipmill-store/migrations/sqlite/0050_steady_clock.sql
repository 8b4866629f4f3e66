-- When a job last looked at the clock, and until when it distrusts the clock after a jump.
ALTER TABLE jobs ADD COLUMN seen_at INTEGER;
ALTER TABLE jobs ADD COLUMN steady_from INTEGER;

-- The previous value of a secret and how long it is valid; until `since` it is the one that signs.
ALTER TABLE secrets ADD COLUMN earlier BLOB;
ALTER TABLE secrets ADD COLUMN earlier_until INTEGER;
ALTER TABLE secrets ADD COLUMN since INTEGER;
