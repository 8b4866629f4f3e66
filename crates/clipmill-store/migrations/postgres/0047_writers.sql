-- Empty tables: who writes locks one of them for as long, so that no more write at the same time.
DO $$
BEGIN
    FOR writer IN 0..63 LOOP
        EXECUTE format('CREATE TABLE writer_%s ()', writer);
    END LOOP;
END
$$;

-- How much work of each user and stage was under way when it was counted last.
INSERT INTO jobs (name, fence, holder, ended_at) VALUES ('count running work', 0, '', 0);
