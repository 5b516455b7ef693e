-- An outage to look at (docs/rules/on-call-and-alarms.md#example-outage): a monitor of a target that the server itself serves and that
-- breaks once. Neither the monitor nor its incident counts anywhere, and the incident reaches only the person who started it.
ALTER TABLE monitors ADD COLUMN example boolean NOT NULL DEFAULT false;
ALTER TABLE incidents ADD COLUMN example boolean NOT NULL DEFAULT false;

CREATE TABLE example_outages (
  -- The target answers at /example/{id}.
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- NULL: it was removed.
  monitor_no integer UNIQUE REFERENCES monitors (no) ON DELETE SET NULL,
  -- For whom it rings.
  user_id text REFERENCES users (id) ON DELETE SET NULL,
  started_at timestamptz NOT NULL,
  -- The first check is answered well, every later one until heals_at is not.
  fails_since timestamptz,
  heals_at timestamptz NOT NULL,
  -- The target is gone and its monitor paused.
  ends_at timestamptz NOT NULL,
  removed_at timestamptz NOT NULL,
  -- When its stored job has something to do; NULL: never again.
  next_at timestamptz
);
CREATE UNIQUE INDEX example_outages_one ON example_outages (org_id) WHERE next_at IS NOT NULL;
CREATE INDEX example_outages_started ON example_outages (org_id, started_at);
CREATE INDEX example_outages_due ON example_outages (next_at) WHERE next_at IS NOT NULL;
