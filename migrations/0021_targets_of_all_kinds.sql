-- Chat and paging targets, and what is known of the health of a target.

-- A chat target has no secret but its address.
ALTER TABLE webhook_targets ALTER COLUMN secret_sealed DROP NOT NULL;
-- Every try has failed since; null: the last one did not.
ALTER TABLE webhook_targets ADD COLUMN failing_since timestamptz;
-- The last few of these failures, newest last.
ALTER TABLE webhook_targets ADD COLUMN recent_failures timestamptz[] NOT NULL DEFAULT '{}';
-- When its administrators were last told that it fails.
ALTER TABLE webhook_targets ADD COLUMN warned_at timestamptz;

-- The deliveries that are pending, and nothing else: what the senders work from. `deliveries` is the history.
CREATE TABLE delivery_queue (
  -- Of the delivery: the order inside a lane.
  seq bigint PRIMARY KEY,
  delivery_id text NOT NULL,
  -- Of the delivery and of its event: which partitions they are in.
  created_at timestamptz NOT NULL,
  event_id text NOT NULL,
  org_id text NOT NULL,
  target_id text NOT NULL,
  lane text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Due from then on; while it is being sent, when its lease runs out.
  next_attempt_at timestamptz NOT NULL,
  -- Who is sending it now, until when: a crashed sender's lease runs out.
  leased_until timestamptz
) WITH (
  -- A row is written three times within a second or so and then gone. No room is left in pages: what an update
  -- changes is indexed, so that it needs new entries in any case.
  autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0
);
-- The targets that something waits for, and what of it is next.
CREATE INDEX delivery_queue_target ON delivery_queue (target_id, next_attempt_at, seq);
CREATE INDEX delivery_queue_lane ON delivery_queue (lane, seq);
CREATE INDEX delivery_queue_due ON delivery_queue (next_attempt_at);
-- What is being sent, over all processes.
CREATE INDEX delivery_queue_leased ON delivery_queue (target_id, lane) WHERE leased_until IS NOT NULL;

INSERT INTO delivery_queue (seq, delivery_id, created_at, event_id, org_id, target_id, lane, attempts, next_attempt_at)
SELECT seq, id, created_at, event_id, org_id, target_id, lane, attempts, coalesce(next_attempt_at, created_at)
FROM deliveries WHERE state = 'pending';

DROP INDEX deliveries_lane;
DROP INDEX deliveries_due;
ALTER TABLE deliveries DROP COLUMN leased_until;

-- The signed-in person behind an event, whom chat and paging name: by the name of that moment, while there is one.
ALTER TABLE outbox ADD COLUMN actor_user_id text;

-- Lanes of incident groups: their messages keep a distance.
CREATE TABLE grouped_lanes (
  lane text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  not_before timestamptz NOT NULL
);
