-- What is to be rolled up again, as ranges of a monitor and no longer as a row for each 10 minutes: a window over 300 days
-- of 200 monitors is 200 rows, and writing it once more is none. Of what was noted before, from the first to the last:
-- rolling up what did not change changes nothing.
ALTER TABLE rollup_dirty RENAME TO rollup_dirty_spans;
CREATE TABLE rollup_dirty (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  monitor_no integer NOT NULL,
  -- Multiples of 10 minutes: [since, until).
  since timestamptz NOT NULL,
  until timestamptz NOT NULL CHECK (since < until)
);
INSERT INTO rollup_dirty (monitor_no, since, until)
SELECT monitor_no, min(span), max(span) + interval '10 minutes' FROM rollup_dirty_spans GROUP BY 1;
DROP TABLE rollup_dirty_spans;
CREATE INDEX rollup_dirty_monitor ON rollup_dirty (monitor_no);
CREATE INDEX rollup_dirty_since ON rollup_dirty (since);

-- Notes times of monitors, of at most 100 days, as long as there can be checks; what is not closed by `closed` is rolled
-- up with what is true then. Merged with what is noted already, and where that holds it all nothing is written: then its
-- rows are locked, so that the roll-up takes them only after this commits. Nobody waits for such a lock, here or there:
-- what the roll-up has in its hands is noted anew beside it.
CREATE FUNCTION note_changed(nos integer[], sinces timestamptz[], untils timestamptz[], closed timestamptz) RETURNS void
LANGUAGE sql AS $$
  WITH given AS (
    SELECT monitor_no, range_agg(tstzrange(since, until)) AS times FROM (
      SELECT no AS monitor_no, date_bin('10 minutes', greatest(s, closed - interval '100 days'), 'epoch') AS since,
        date_bin('10 minutes', least(u, closed) + interval '10 minutes' - interval '1 microsecond', 'epoch') AS until
      FROM unnest(nos, sinces, untils) AS given (no, s, u) WHERE s < u
    ) cut WHERE since < until GROUP BY 1
  ), locked AS MATERIALIZED (
    SELECT d.no, d.monitor_no, d.since, d.until FROM rollup_dirty d
    WHERE d.monitor_no IN (SELECT monitor_no FROM given) FOR UPDATE SKIP LOCKED
  ), noted AS (
    SELECT monitor_no, range_agg(tstzrange(since, until)) AS times FROM locked GROUP BY 1
  ), changed AS MATERIALIZED (
    SELECT g.monitor_no, g.times + coalesce(n.times, '{}') AS times FROM given g LEFT JOIN noted n USING (monitor_no)
    WHERE n.times IS NULL OR NOT n.times @> g.times
  ), merged AS (
    DELETE FROM rollup_dirty WHERE no IN (SELECT no FROM locked JOIN changed USING (monitor_no))
  )
  INSERT INTO rollup_dirty (monitor_no, since, until)
  SELECT monitor_no, lower(t), upper(t) FROM changed, unnest(times) AS t
$$;

CREATE OR REPLACE FUNCTION note_opened_downtime() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed timestamptz;
BEGIN
  IF NOT EXISTS (SELECT FROM opened WHERE monitor_no IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  closed := checks_closed_until();
  PERFORM note_changed(array_agg(monitor_no), array_agg(started_at), array_agg(coalesce(resolved_at, 'infinity')), closed)
  FROM opened WHERE monitor_no IS NOT NULL AND started_at < closed HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_moved_downtime() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed timestamptz;
BEGIN
  IF NOT EXISTS (
    SELECT FROM (
      SELECT id, started_at, coalesce(resolved_at, 'infinity') AS ends FROM was WHERE monitor_no IS NOT NULL
      UNION ALL SELECT id, started_at, coalesce(resolved_at, 'infinity') FROM moved WHERE monitor_no IS NOT NULL
    ) told GROUP BY id HAVING min(started_at) <> max(started_at) OR min(ends) <> max(ends)
  ) THEN
    RETURN NULL;
  END IF;
  closed := checks_closed_until();
  PERFORM note_changed(array_agg(monitor_no), array_agg(since), array_agg(until), closed) FROM (
    SELECT monitor_no, min(started_at) AS start, max(started_at) AS last_start, min(ends) AS first_end, max(ends) AS last_end
    FROM (
      SELECT id, monitor_no, started_at, coalesce(resolved_at, 'infinity') AS ends FROM was
      UNION ALL SELECT id, monitor_no, started_at, coalesce(resolved_at, 'infinity') FROM moved
    ) told WHERE monitor_no IS NOT NULL GROUP BY id, monitor_no
  ) changed, LATERAL (VALUES (start, last_start), (first_end, last_end)) AS times (since, until)
  WHERE since < until AND since < closed HAVING count(*) > 0;
  RETURN NULL;
END $$;

DROP FUNCTION spans_between(timestamptz, timestamptz);
