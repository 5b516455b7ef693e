-- Faster checks begin with the first failing result, and with their phase: the first of them comes one failed interval after it.

-- The check that the faster ones are counted from; null: the monitor is checked in its own rhythm.
ALTER TABLE monitor_state ADD COLUMN faster_since timestamptz;
-- Failing results in a row that are not an alarm yet; null: nothing is to be confirmed.
ALTER TABLE monitor_state ADD COLUMN confirming smallint;
-- Where in its interval the monitor is checked; null: at the place of its own.
ALTER TABLE assignments ADD COLUMN offset_ms integer;

UPDATE monitor_state s SET faster_since = a.changed_at
FROM assignments a JOIN monitors m ON m.no = a.monitor_no
WHERE s.monitor_no = a.monitor_no AND NOT a.removed AND a.interval_seconds < m.interval_seconds;
