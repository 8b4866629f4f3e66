-- The characters that were spoken for a user to listen to, on the last day on which there were any.
CREATE TABLE listening (
    user_id    INTEGER PRIMARY KEY REFERENCES users,
    -- Days since 1970 (UTC).
    day        INTEGER NOT NULL,
    characters INTEGER NOT NULL CHECK (characters >= 0)
) STRICT;
