-- Webhook targets, and the outbox: an event is rendered once, in the transaction that changes the incident;
-- one delivery per subscribed target carries it out. Both are partitioned by day and dropped after 30.

CREATE TABLE webhook_targets (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL,
  url text NOT NULL,
  region text,
  events text[] NOT NULL,
  active boolean NOT NULL,
  -- Sealed (AES-256-GCM); the hint is its last four characters.
  secret_sealed text NOT NULL,
  secret_hint text NOT NULL,
  created_at timestamptz NOT NULL,
  last_delivery_at timestamptz,
  last_delivery_ok boolean,
  last_error text
);
CREATE INDEX webhook_targets_org ON webhook_targets (org_id, id);

CREATE TABLE outbox (
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  org_id text NOT NULL,
  event text NOT NULL,
  incident_id text,
  -- The exact bytes that are signed and sent, on every try.
  body text NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

-- Identity columns do not exist on partitioned tables before PostgreSQL 17.
CREATE SEQUENCE delivery_seq;

CREATE TABLE deliveries (
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Order inside a lane.
  seq bigint NOT NULL DEFAULT nextval('delivery_seq'),
  org_id text NOT NULL,
  target_id text NOT NULL,
  -- What is delivered strictly in order: (target, incident).
  lane text NOT NULL,
  event_id text NOT NULL,
  event text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  -- Who is sending it now, until when: a crashed sender's lease runs out.
  leased_until timestamptz,
  status_code integer,
  error text,
  finished_at timestamptz,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX deliveries_lane ON deliveries (lane, seq) WHERE state = 'pending';
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_target ON deliveries (target_id, seq DESC);
