-- Since when a target has been off, where that is known: it receives nothing of incidents that ended meanwhile.
ALTER TABLE webhook_targets ADD COLUMN off_since timestamptz;
