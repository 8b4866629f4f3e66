-- The characters that were spoken for a user to listen to, on the last day on which there were any.
CREATE TABLE listening (
    user_id    BIGINT PRIMARY KEY REFERENCES users,
    -- Days since 1970 (UTC).
    day        BIGINT NOT NULL,
    characters BIGINT NOT NULL CHECK (characters >= 0)
);
