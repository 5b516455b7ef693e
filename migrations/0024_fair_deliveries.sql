-- One organization's deliveries cannot hold up another's.

-- What wakes people first: 0 to paging providers, and openings; 1 what calls people off, or further ones in; 2 the rest.
ALTER TABLE delivery_queue ADD COLUMN urgency smallint NOT NULL DEFAULT 2;
UPDATE delivery_queue q SET urgency = CASE
    WHEN t.kind IN ('pagerduty', 'opsgenie') OR d.event = 'opened' THEN 0
    WHEN d.event IN ('acknowledged', 'resolved', 'escalated') THEN 1
    ELSE 2
  END
FROM deliveries d, webhook_targets t
WHERE d.id = q.delivery_id AND d.created_at = q.created_at AND t.id = q.target_id;

-- By urgency: in each of its classes what has waited longest is found without looking at the others.
DROP INDEX delivery_queue_target;
CREATE INDEX delivery_queue_target ON delivery_queue (target_id, urgency, next_attempt_at, seq);

-- Its last try took long, whatever it answered: it has a part of the places only, like one that fails.
ALTER TABLE webhook_targets ADD COLUMN slow boolean NOT NULL DEFAULT false;

-- Senders of notices go from one organization that has something waiting to the next.
CREATE INDEX notices_waiting ON notices (channel, org_id, next_attempt_at, no) WHERE state = 'pending';
