-- When a job last looked at the clock, and until when it distrusts the clock after a jump.
ALTER TABLE jobs ADD COLUMN seen_at BIGINT;
ALTER TABLE jobs ADD COLUMN steady_from BIGINT;

-- The previous value of a secret and how long it is valid; until `since` it is the one that signs.
ALTER TABLE secrets ADD COLUMN earlier BYTEA;
ALTER TABLE secrets ADD COLUMN earlier_until BIGINT;
ALTER TABLE secrets ADD COLUMN since BIGINT;
