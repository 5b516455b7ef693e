-- Planned work.

CREATE TABLE maintenance_windows (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  title text NOT NULL,
  body text NOT NULL,
  scheduled_start timestamptz NOT NULL,
  scheduled_end timestamptz NOT NULL,
  public_visible boolean NOT NULL,
  cancelled_at timestamptz,
  -- When its beginning and its end took effect; null: not yet.
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (scheduled_end > scheduled_start)
);
CREATE INDEX maintenance_windows_org ON maintenance_windows (org_id, scheduled_start DESC, id DESC);
CREATE INDEX maintenance_windows_to_start ON maintenance_windows (scheduled_start) WHERE started_at IS NULL;
CREATE INDEX maintenance_windows_to_end ON maintenance_windows (scheduled_end) WHERE ended_at IS NULL;

-- [starts_at, ends_at) is the time in force: cut short where the window was cancelled, empty where that was before its
-- beginning. What is inside of maintenance is told by these rows alone, at the moment of asking.
CREATE TABLE maintenance_monitors (
  window_id text NOT NULL REFERENCES maintenance_windows (id) ON DELETE CASCADE,
  monitor_no integer NOT NULL REFERENCES monitors (no) ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (monitor_no, window_id),
  CHECK (ends_at >= starts_at)
);
CREATE INDEX maintenance_monitors_window ON maintenance_monitors (window_id);
CREATE INDEX maintenance_monitors_time ON maintenance_monitors (monitor_no, ends_at);

-- Whether a check is inside of maintenance follows from its time: a copy in every row would have to be put right
-- whenever a window is moved.
ALTER TABLE checks DROP COLUMN in_maintenance;
