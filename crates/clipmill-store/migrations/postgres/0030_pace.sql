-- What a worker measured of its own work: frames that one of its slots makes in 1,000 seconds.
ALTER TABLE workers ADD COLUMN speed BIGINT;
