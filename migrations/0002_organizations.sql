-- Organizations, who belongs to them, what they may do, and the record of every write.

-- NULL is "no limit" (decisions, section 2).
CREATE TABLE plans (
  name text PRIMARY KEY,
  monitors integer,
  regions_per_monitor integer,
  seats integer,
  custom_domains_per_page integer,
  min_interval_seconds integer NOT NULL,
  raw_check_retention_days integer,
  on_call boolean NOT NULL,
  incident_command boolean NOT NULL,
  private_status_pages boolean NOT NULL,
  white_label boolean NOT NULL
);
INSERT INTO plans VALUES
  ('free', 10, 3, 3, 0, 60, 7, false, false, false, false),
  ('pro', 100, 6, 10, 3, 30, 30, true, true, false, false),
  ('business', 1000, 12, 50, 20, 10, 90, true, true, true, true),
  ('unlimited', NULL, NULL, NULL, NULL, 1, NULL, true, true, true, true);

CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL UNIQUE,
  plan text NOT NULL REFERENCES plans (name),
  -- Last number given to a live event: taken under this row's lock, so that a stream resumes without gaps.
  live_seq bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);

CREATE TABLE members (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'manager', 'member')),
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, user_id)
);
CREATE INDEX members_user ON members (user_id);

CREATE TABLE projects (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  slug text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (org_id, slug)
);

-- Partitioned by month: 400 days are kept and dropped whole.
CREATE TABLE activity (
  id text NOT NULL,
  org_id text,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL,
  actor_id text,
  actor_name text,
  action text NOT NULL,
  resource_kind text NOT NULL,
  resource_id text NOT NULL,
  resource_name text,
  address text,
  before jsonb,
  after jsonb,
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX activity_org ON activity (org_id, at DESC);

-- What connected dashboards are told; kept long enough for a stream to resume.
CREATE TABLE live_events (
  org_id text NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  PRIMARY KEY (org_id, seq, at)
) PARTITION BY RANGE (at);
