-- Regions and their probes, monitors, and who checks what.

CREATE TABLE regions (
  no smallint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  internal boolean NOT NULL DEFAULT false,
  allow_private_targets boolean NOT NULL DEFAULT false,
  -- Last revision given to a change of its assignments: taken under this row's lock, so that a probe misses none.
  revision bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);

CREATE TABLE probe_tokens (
  hash bytea PRIMARY KEY,
  region_no smallint NOT NULL REFERENCES regions (no) ON DELETE CASCADE,
  created_at timestamptz NOT NULL
);

CREATE TABLE probes (
  region_no smallint NOT NULL REFERENCES regions (no) ON DELETE CASCADE,
  probe_id text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (region_no, probe_id)
) WITH (fillfactor = 50);

CREATE TABLE monitors (
  id text PRIMARY KEY,
  no integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id text NOT NULL REFERENCES projects (id),
  name text NOT NULL,
  slug text NOT NULL,
  type text NOT NULL,
  -- Secrets inside are sealed (AES-256-GCM).
  config jsonb NOT NULL,
  enabled boolean NOT NULL,
  interval_seconds integer NOT NULL,
  regions text[] NOT NULL,
  -- The monitor's own values only; what is inherited is absent.
  policy jsonb NOT NULL,
  alarm_gate jsonb,
  created_at timestamptz NOT NULL,
  CONSTRAINT monitors_name UNIQUE (project_id, name),
  CONSTRAINT monitors_slug UNIQUE (project_id, slug)
);
CREATE INDEX monitors_org ON monitors (org_id);

-- What confirmation remembers. In the steady state it is not written at all: `calm` says that nothing but passing
-- results has to be remembered. fillfactor: updates stay on their page.
CREATE TABLE monitor_state (
  monitor_no integer PRIMARY KEY REFERENCES monitors (no) ON DELETE CASCADE,
  calm boolean NOT NULL DEFAULT false,
  -- Results from before a change of the target, the regions or the switch are history: they decide nothing.
  not_before timestamptz NOT NULL,
  state jsonb NOT NULL,
  last_status text,
  last_severity text,
  last_status_since timestamptz,
  -- When time alone would change the verdict: a keyed job runs then, and the auditor looks for what it missed.
  reevaluate_at timestamptz
) WITH (fillfactor = 60);
CREATE INDEX monitor_state_due ON monitor_state (reevaluate_at) WHERE reevaluate_at IS NOT NULL;
CREATE INDEX monitor_state_uneasy ON monitor_state (monitor_no) WHERE NOT calm;

-- Which region checks what, with the interval in force. `removed` rows tell probes what to forget.
CREATE TABLE assignments (
  region_no smallint NOT NULL REFERENCES regions (no) ON DELETE CASCADE,
  monitor_no integer NOT NULL,
  monitor_id text NOT NULL,
  revision bigint NOT NULL,
  interval_seconds integer NOT NULL,
  removed boolean NOT NULL DEFAULT false,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (region_no, monitor_no)
);
CREATE INDEX assignments_revision ON assignments (region_no, revision);
CREATE INDEX assignments_monitor ON assignments (monitor_no);
