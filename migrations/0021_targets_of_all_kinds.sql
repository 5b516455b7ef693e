-- Chat and paging targets, and what is known of the health of a target.

-- A chat target has no secret but its address.
ALTER TABLE webhook_targets ALTER COLUMN secret_sealed DROP NOT NULL;
-- Every try has failed since; null: the last one did not.
ALTER TABLE webhook_targets ADD COLUMN failing_since timestamptz;
-- The last few of these failures, newest last.
ALTER TABLE webhook_targets ADD COLUMN recent_failures timestamptz[] NOT NULL DEFAULT '{}';
-- When its administrators were last told that it fails.
ALTER TABLE webhook_targets ADD COLUMN warned_at timestamptz;

-- What waits for a target, the next one first; and what is being sent, over all processes.
CREATE INDEX deliveries_due_of_target ON deliveries (target_id, next_attempt_at, seq) WHERE state = 'pending';
CREATE INDEX deliveries_leased ON deliveries (target_id, lane) WHERE leased_until IS NOT NULL;

-- Lanes of incident groups: their messages keep a distance.
CREATE TABLE grouped_lanes (
  lane text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  not_before timestamptz NOT NULL
);
