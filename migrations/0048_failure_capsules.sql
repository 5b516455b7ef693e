-- What regions looked up when an incident opened: asked for once for each region that failed, and stored beside the evidence.
CREATE TABLE incident_capsules (
  -- '<incident>-<number of the region>': what the probe is asked under.
  capsule_id text PRIMARY KEY,
  incident_id text NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  region_no smallint NOT NULL REFERENCES regions (no),
  org_id text NOT NULL,
  monitor_id text NOT NULL,
  asked_at timestamptz NOT NULL,
  -- Not asked for: too many incidents opened within a minute.
  skipped boolean NOT NULL,
  -- The probe that was asked.
  claimed_by text,
  arrived_at timestamptz,
  -- Sealed under SECRET_KEY, for this capsule alone.
  capsule_sealed text
);
ALTER TABLE incident_capsules ALTER COLUMN capsule_sealed SET STORAGE EXTERNAL;
CREATE INDEX incident_capsules_incident ON incident_capsules (incident_id);
CREATE INDEX incident_capsules_waiting ON incident_capsules (region_no, asked_at) WHERE claimed_by IS NULL AND NOT skipped;
-- How many were asked for in the last minute.
CREATE INDEX incident_capsules_asked ON incident_capsules (org_id, asked_at);
