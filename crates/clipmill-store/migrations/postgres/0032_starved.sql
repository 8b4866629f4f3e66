-- Work that a machine in need was too slow to keep has longer leases from then on: so many times the usual one.
ALTER TABLE work ADD COLUMN lease_times BIGINT NOT NULL DEFAULT 1;
-- The lease that ran out last, until its holder says that it is alive.
ALTER TABLE work ADD COLUMN lost_fence BIGINT;
