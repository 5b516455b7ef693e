-- Maintenance that comes again: the rule, and what its windows are made as, 90 days ahead.
CREATE TABLE maintenance_series (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- RFC 5545, without DTSTART: that is first_start, in this zone.
  rrule text NOT NULL,
  timezone text NOT NULL,
  -- No window begins after this.
  repeat_until timestamptz,
  first_start timestamptz NOT NULL,
  first_end timestamptz NOT NULL CHECK (first_end > first_start),
  title text NOT NULL,
  body text NOT NULL,
  public_visible boolean NOT NULL,
  -- Windows that begin until here are made.
  made_until timestamptz NOT NULL,
  -- When more have to be made; null: none will come.
  next_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX maintenance_series_org ON maintenance_series (org_id);
CREATE INDEX maintenance_series_next ON maintenance_series (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE maintenance_series_monitors (
  series_id text NOT NULL REFERENCES maintenance_series (id) ON DELETE CASCADE,
  monitor_no integer NOT NULL REFERENCES monitors (no) ON DELETE CASCADE,
  PRIMARY KEY (series_id, monitor_no)
);
CREATE INDEX maintenance_series_monitors_monitor ON maintenance_series_monitors (monitor_no);

-- A window of a series, and the instant at which the rule has it: it may have been moved since.
ALTER TABLE maintenance_windows
  ADD COLUMN series_id text REFERENCES maintenance_series (id) ON DELETE SET NULL,
  ADD COLUMN occurs_at timestamptz;
CREATE INDEX maintenance_windows_series ON maintenance_windows (series_id, occurs_at) WHERE series_id IS NOT NULL;
