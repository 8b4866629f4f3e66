-- The width of the installation: the cores that plans are made for. Another width gives other segments, so it is chosen once, by
-- the first start, and changed only by an operator.
CREATE TABLE width (
    -- There is one row.
    id    BIGINT PRIMARY KEY CHECK (id = 1),
    cores BIGINT NOT NULL CHECK (cores > 0)
);
