-- When a failing heartbeat is checked again, whatever is expected of its job: the start of a run postpones what is expected, and not this.
ALTER TABLE heartbeats ADD COLUMN recheck_at timestamptz;
