-- When the probe last said that it has set a check aside which brought it to a standstill.
ALTER TABLE probes ADD COLUMN set_aside_at timestamptz;
