-- The texts of the page of a share, and whether its viewers can pick videos and comment.
ALTER TABLE shares ADD COLUMN page_title TEXT;
ALTER TABLE shares ADD COLUMN page_message TEXT;
ALTER TABLE shares ADD COLUMN feedback INTEGER NOT NULL DEFAULT 0 CHECK (feedback IN (0, 1));

-- Videos that the viewers of a share have picked.
CREATE TABLE share_picks (
    share_id INTEGER NOT NULL REFERENCES shares ON DELETE CASCADE,
    -- The place of the task in the share; 0 in a share of a single task.
    place    INTEGER NOT NULL,
    item_no  INTEGER NOT NULL,
    PRIMARY KEY (share_id, place, item_no)
) STRICT;

CREATE TABLE share_comments (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    share_id   INTEGER NOT NULL REFERENCES shares ON DELETE CASCADE,
    -- As in share_picks; NULL: the comment is about all videos.
    place      INTEGER,
    item_no    INTEGER,
    -- The name that the viewer gave.
    name       TEXT,
    text       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK ((place IS NULL) = (item_no IS NULL))
) STRICT;
CREATE INDEX share_comments_of_share ON share_comments (share_id, id);
