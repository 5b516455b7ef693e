-- When the probe last said that it was too busy for a check.
ALTER TABLE probes ADD COLUMN busy_at timestamptz;
