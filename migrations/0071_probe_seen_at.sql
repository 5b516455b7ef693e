-- When a probe that has since been refused or forgotten was last in contact: its region is offline, not new.
ALTER TABLE regions ADD COLUMN probe_seen_at timestamptz;
