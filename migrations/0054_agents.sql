-- Host agents: enrolment, what they report, and what becomes of it.

-- No version before this one enrolled any, so there are no rows.
ALTER TABLE agents
  ADD COLUMN no integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  ADD COLUMN platform text NOT NULL,
  ADD COLUMN os text NOT NULL,
  ADD COLUMN arch text NOT NULL,
  ADD COLUMN labels text NOT NULL DEFAULT '',
  ADD COLUMN inventory_enabled boolean NOT NULL DEFAULT false,
  -- A laptop: its silence is no outage.
  ADD COLUMN expected_offline boolean NOT NULL DEFAULT false,
  -- Somebody asked for it to take over the version of the server, which it is told until it runs that.
  ADD COLUMN upgrade_asked_at timestamptz,
  ADD COLUMN credential_hash bytea NOT NULL UNIQUE,
  -- The token that it was enrolled with, and its own word for that enrolment: an answer that was lost is given again.
  ADD COLUMN enrolled_with text,
  ADD COLUMN enrollment_id text,
  ADD UNIQUE (enrolled_with, enrollment_id);

CREATE TABLE agent_enrollment_tokens (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  labels text NOT NULL,
  uses integer NOT NULL,
  used integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX agent_enrollment_tokens_org ON agent_enrollment_tokens (org_id, id);

-- What changes with every heartbeat, apart from what hardly ever does. A heartbeat locks this row and no other.
CREATE TABLE agent_states (
  agent_no integer PRIMARY KEY REFERENCES agents (no) ON DELETE CASCADE,
  agent_version text NOT NULL,
  modules text[] NOT NULL DEFAULT '{}',
  -- When the server received the last one; NULL before the first.
  last_heartbeat_at timestamptz,
  -- The newest readings, {metric: value}, disks as "disk_pct:<mount>", and when they were measured.
  readings jsonb NOT NULL DEFAULT '{}',
  measured_at timestamptz,
  -- The watched services, as last reported.
  services jsonb NOT NULL DEFAULT '[]',
  booted_at timestamptz,
  -- Since when it has been silent for longer than an agent may; NULL: it reports.
  silent_since timestamptz,
  -- When its silence is looked at next.
  look_at timestamptz,
  -- How often in a row silence was excused because no server could have heard it.
  excused smallint NOT NULL DEFAULT 0,
  -- The oldest result of its monitors that was stored and not decided yet.
  undecided_from timestamptz,
  -- Readings before this are rolled up, but for those from `dirty_from` on, which came later.
  rolled_until timestamptz NOT NULL,
  dirty_from timestamptz
) WITH (fillfactor = 50);
CREATE INDEX agent_states_look ON agent_states (look_at) WHERE look_at IS NOT NULL;

-- Names of processes and services, of agents that may send them; too large to travel with every change of the state.
CREATE TABLE agent_inventories (
  agent_no integer PRIMARY KEY REFERENCES agents (no) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  processes text[] NOT NULL,
  -- [{kind, name}]
  services jsonb NOT NULL
);

CREATE TABLE agent_readings (
  at timestamptz NOT NULL,
  -- By the clock of the agent: what was sent twice is known by it.
  sent_ms bigint NOT NULL,
  agent_no integer NOT NULL,
  cpu_pct double precision,
  mem_pct double precision,
  disk_pct double precision,
  swap_pct double precision,
  load1 double precision,
  load5 double precision,
  load15 double precision,
  net_rx_bps double precision,
  net_tx_bps double precision,
  temp_c double precision,
  -- {mount: percent}
  disks jsonb,
  PRIMARY KEY (agent_no, at)
) PARTITION BY RANGE (at);

-- Rolled up (src/agents/rollup.ts): {metric: [count, sum, max]}.
CREATE TABLE agent_buckets_10m (
  bucket timestamptz NOT NULL,
  agent_no integer NOT NULL,
  metrics jsonb NOT NULL,
  PRIMARY KEY (agent_no, bucket)
) PARTITION BY RANGE (bucket);

CREATE TABLE agent_buckets_12h (
  LIKE agent_buckets_10m,
  PRIMARY KEY (agent_no, bucket)
) PARTITION BY RANGE (bucket);

-- What happened to a host: enrolled, silent, back, rebooted, another version.
CREATE TABLE agent_events (
  at timestamptz NOT NULL,
  agent_no integer NOT NULL,
  kind text NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY (agent_no, at, kind)
) PARTITION BY RANGE (at);

CREATE INDEX monitors_agent ON monitors ((config ->> 'agent_id')) WHERE type IN ('agent', 'service');
-- Why a monitor was disabled where no person chose it: its agent was removed.
ALTER TABLE monitors ADD COLUMN disabled_reason text;
