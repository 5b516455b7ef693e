-- Uptime by time needs to know when a monitor was known: which results spoke for how long.

-- How long a result speaks, and whether the monitor is checked: one row for every time in which that was the same.
CREATE TABLE reporting_rules (
  monitor_no integer NOT NULL REFERENCES monitors (no) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  -- The next row's `since`; null: in force.
  until timestamptz,
  -- 3 times the interval plus the timeout; null: until the next result (heartbeats, groups).
  window_ms bigint,
  enabled boolean NOT NULL,
  PRIMARY KEY (monitor_no, since),
  CHECK (until > since)
);
INSERT INTO reporting_rules (monitor_no, since, window_ms, enabled)
SELECT no, 'epoch', CASE WHEN type NOT IN ('heartbeat', 'group') THEN
  3000::bigint * interval_seconds + coalesce((config ->> 'timeout_ms')::int, least(10000, interval_seconds * 800)) END, enabled
FROM monitors;

-- Results of half a day and of one rule, of all regions: from each until it no longer speaks, merged where one follows the
-- other in time. A monitor that reports steadily has one range; where results without an end are concerned
-- (window_ms null), each stands for half a day.
CREATE TABLE reported_times (
  bucket timestamptz NOT NULL,
  monitor_no integer NOT NULL,
  rule_since timestamptz NOT NULL,
  times tstzmultirange NOT NULL,
  PRIMARY KEY (monitor_no, bucket, rule_since)
) PARTITION BY RANGE (bucket);

-- What is rolled up already is rolled up again.
INSERT INTO rollup_dirty (monitor_no, since, until)
SELECT m.no, date_bin('10 minutes', greatest(m.created_at, s.closed_until - interval '100 days'), 'epoch'), s.closed_until
FROM monitors m, rollup_state s
WHERE date_bin('10 minutes', greatest(m.created_at, s.closed_until - interval '100 days'), 'epoch') < s.closed_until;
