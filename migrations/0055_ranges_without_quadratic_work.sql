-- What is noted already was joined with the whole times of its monitor, once for each range: with 1,440 ranges that was
-- 28 MB of temporary files, with some plans more than 10 s. Only the numbers of the changed monitors are needed for it.
CREATE OR REPLACE FUNCTION note_changed(nos integer[], sinces timestamptz[], untils timestamptz[], closed timestamptz) RETURNS void
LANGUAGE sql AS $$
  WITH given AS MATERIALIZED (
    SELECT monitor_no, range_agg(tstzrange(since, until)) AS times FROM (
      SELECT no AS monitor_no, date_bin('10 minutes', greatest(s, closed - interval '100 days'), 'epoch') AS since,
        date_bin('10 minutes', least(u, closed) + interval '10 minutes' - interval '1 microsecond', 'epoch') AS until
      FROM unnest(nos, sinces, untils) AS given (no, s, u) WHERE s < u
    ) cut WHERE since < until GROUP BY 1
  ), locked AS MATERIALIZED (
    SELECT d.no, d.monitor_no, d.since, d.until FROM rollup_dirty d
    WHERE d.monitor_no = ANY (ARRAY(SELECT monitor_no FROM given)) FOR UPDATE SKIP LOCKED
  ), noted AS (
    SELECT monitor_no, range_agg(tstzrange(since, until)) AS times FROM locked GROUP BY 1
  ), changed AS MATERIALIZED (
    SELECT g.monitor_no, g.times + coalesce(n.times, '{}') AS times FROM given g LEFT JOIN noted n USING (monitor_no)
    WHERE n.times IS NULL OR NOT n.times @> g.times
  ), merged AS (
    DELETE FROM rollup_dirty WHERE no = ANY (ARRAY(
      SELECT no FROM locked WHERE monitor_no = ANY (ARRAY(SELECT monitor_no FROM changed))
    ))
  )
  INSERT INTO rollup_dirty (monitor_no, since, until)
  SELECT monitor_no, lower(t), upper(t) FROM changed, unnest(times) AS t
$$;
