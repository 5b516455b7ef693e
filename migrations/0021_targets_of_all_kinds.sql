-- Chat and paging targets, and what is known of the health of a target.

-- A chat target has no secret but its address.
ALTER TABLE webhook_targets ALTER COLUMN secret_sealed DROP NOT NULL;
ALTER TABLE webhook_targets ADD COLUMN failing_since timestamptz;
-- When its administrators were last told that it fails.
ALTER TABLE webhook_targets ADD COLUMN warned_at timestamptz;

CREATE INDEX deliveries_due_of_target ON deliveries (target_id, next_attempt_at, seq) WHERE state = 'pending';

-- Lanes of incident groups: their messages keep a distance.
CREATE TABLE grouped_lanes (
  lane text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  not_before timestamptz NOT NULL
);
