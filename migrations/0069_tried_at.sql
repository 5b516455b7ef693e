-- When the last message of an ordering key was tried: `not_before` moves to the retry when that fails, and what wakes people does not
-- wait for it.
ALTER TABLE grouped_lanes ADD COLUMN tried_at timestamptz;
