-- Incidents and what happened in them.

CREATE TABLE incidents (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- '' for a standalone incident (decisions, section 5).
  monitor_id text NOT NULL,
  monitor_no integer REFERENCES monitors (no) ON DELETE CASCADE,
  project_id text REFERENCES projects (id),
  origin text NOT NULL CHECK (origin IN ('automatic', 'manual')),
  check_kind text,
  cause text NOT NULL,
  summary text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('critical', 'default', 'degraded')),
  severity_level text CHECK (severity_level IN ('sev1', 'sev2', 'sev3')),
  status text NOT NULL CHECK (status IN ('open', 'closed')),
  auto_resolved boolean NOT NULL DEFAULT false,
  discarded boolean NOT NULL DEFAULT false,
  down_regions text[] NOT NULL,
  region_count integer NOT NULL,
  started_at timestamptz NOT NULL,
  resolved_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  commander_user_id text REFERENCES users (id) ON DELETE SET NULL,
  alarm_held_until timestamptz,
  alarm_held_by_name text,
  failure_phase_started_at timestamptz,
  evidence jsonb,
  created_at timestamptz NOT NULL,
  CHECK ((status = 'closed') = (resolved_at IS NOT NULL))
);

-- The guarantee itself: at most one open automatic incident per monitor, whatever number of nodes race.
CREATE UNIQUE INDEX incidents_one_open ON incidents (monitor_no) WHERE status = 'open' AND origin = 'automatic';
CREATE INDEX incidents_org ON incidents (org_id, started_at DESC, id DESC);
CREATE INDEX incidents_org_open ON incidents (org_id, started_at DESC, id DESC) WHERE status = 'open';
CREATE INDEX incidents_monitor ON incidents (monitor_id, started_at DESC);

CREATE FUNCTION evidence_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the evidence of incident % is immutable', OLD.id;
END $$;
CREATE TRIGGER incidents_evidence BEFORE UPDATE ON incidents
  FOR EACH ROW WHEN (OLD.evidence IS DISTINCT FROM NEW.evidence) EXECUTE FUNCTION evidence_is_immutable();

CREATE TABLE incident_timeline (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  incident_id text NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  actor_name text,
  detail text
);
CREATE INDEX incident_timeline_incident ON incident_timeline (incident_id, no);
