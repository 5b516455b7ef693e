-- Roll-ups: what charts and figures read instead of single checks, per monitor and region in 10 minutes, hours and
-- half days (a half day is the bucket of the longest range). Made from raw checks by src/checks/rollup.ts.

-- Service monitors measure two things: CPU and, here, memory.
ALTER TABLE checks ADD COLUMN metric_value_2 double precision;

-- Results that say nothing of the target (cause_layer probe) are in none of these.
CREATE TABLE check_buckets_10m (
  bucket timestamptz NOT NULL,
  monitor_no integer NOT NULL,
  region_no smallint NOT NULL,
  up integer NOT NULL,
  degraded integer NOT NULL,
  down integer NOT NULL,
  -- Of those above, the ones inside maintenance; null is none.
  maintenance_up integer,
  maintenance_degraded integer,
  maintenance_down integer,
  -- Over up and degraded results that have a latency; null where there are none.
  latency_count integer,
  latency_max integer,
  latency_sum bigint,
  -- Histogram, one element a bin that is not empty, ascending: bin << 23 | count (src/domain/latency-histogram.ts).
  latencies integer[],
  -- Over all results that have one.
  metric_count integer,
  metric_sum double precision,
  metric_max double precision,
  metrics integer[],
  metric_2_count integer,
  metric_2_sum double precision,
  metric_2_max double precision,
  metrics_2 integer[],
  PRIMARY KEY (monitor_no, bucket, region_no)
) PARTITION BY RANGE (bucket);

CREATE TABLE check_buckets_1h (
  LIKE check_buckets_10m,
  PRIMARY KEY (monitor_no, bucket, region_no)
) PARTITION BY RANGE (bucket);

CREATE TABLE check_buckets_12h (
  LIKE check_buckets_10m,
  PRIMARY KEY (monitor_no, bucket, region_no)
) PARTITION BY RANGE (bucket);

-- Results inside incidents and outside maintenance, by 10 minutes and by which incidents they are inside of: what is
-- taken out of the figures when those are discarded as false alarms.
CREATE TABLE downtime_buckets (
  bucket timestamptz NOT NULL,
  monitor_no integer NOT NULL,
  region_no smallint NOT NULL,
  up integer NOT NULL,
  degraded integer NOT NULL,
  down integer NOT NULL,
  incident_ids text[] NOT NULL,
  PRIMARY KEY (monitor_no, bucket, region_no, incident_ids)
) PARTITION BY RANGE (bucket);

-- How far it is. Spans before `closed_until` take late results by way of rollup_dirty; those before `rolled_until` are
-- read from the buckets, the rest from the checks themselves.
CREATE TABLE rollup_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  closed_until timestamptz NOT NULL,
  rolled_until timestamptz NOT NULL
);
-- Where there are checks already, from the first day of theirs.
INSERT INTO rollup_state (closed_until, rolled_until)
SELECT start, start FROM (
  SELECT coalesce(
    min(to_timestamp(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC'),
    date_bin('10 minutes', now(), 'epoch')
  ) AS start
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'checks'::regclass
) oldest;

-- Spans of 10 minutes that were closed when something of them changed: to be rolled up again.
CREATE TABLE rollup_dirty (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  monitor_no integer NOT NULL,
  span timestamptz NOT NULL
);
CREATE INDEX rollup_dirty_monitor ON rollup_dirty (monitor_no, span);
CREATE INDEX rollup_dirty_span ON rollup_dirty (span);

-- Until when spans are closed, for a transaction that writes checks: from here to its end no further span is closed, so
-- that what it writes is either seen by the roll-up or noted as late. Volatile, so that the row is read after the lock
-- was taken; a statement of its own would be one more in every batch.
CREATE FUNCTION checks_closed_until() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7262748);
  RETURN (SELECT closed_until FROM rollup_state);
END $$;

-- An incident that opens in the past, closes in the past or is moved changes what lies inside of it.
CREATE FUNCTION note_moved_downtime() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed timestamptz := checks_closed_until();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO rollup_dirty (monitor_no, span)
    SELECT NEW.monitor_no, span FROM spans_between(NEW.started_at, least(NEW.resolved_at, closed)) AS span;
  ELSE
    INSERT INTO rollup_dirty (monitor_no, span)
    SELECT NEW.monitor_no, span FROM spans_between(
      least(OLD.started_at, NEW.started_at), least(greatest(OLD.started_at, NEW.started_at), closed)) AS span
    UNION
    SELECT NEW.monitor_no, span FROM spans_between(
      least(OLD.resolved_at, NEW.resolved_at),
      least(greatest(coalesce(OLD.resolved_at, 'infinity'), coalesce(NEW.resolved_at, 'infinity')), closed)) AS span;
  END IF;
  RETURN NULL;
END $$;

-- Starts of the spans that [since, until) touches; of at most 100 days, as long as there can be checks.
CREATE FUNCTION spans_between(since timestamptz, until timestamptz) RETURNS SETOF timestamptz
LANGUAGE sql STABLE AS $$
  SELECT generate_series(
    date_bin('10 minutes', greatest(since, until - interval '100 days'), 'epoch'),
    until - interval '1 microsecond', interval '10 minutes')
  WHERE since < until
$$;

CREATE TRIGGER incidents_downtime_opened AFTER INSERT ON incidents
  FOR EACH ROW WHEN (NEW.monitor_no IS NOT NULL) EXECUTE FUNCTION note_moved_downtime();
CREATE TRIGGER incidents_downtime_moved AFTER UPDATE OF started_at, resolved_at ON incidents
  FOR EACH ROW WHEN (NEW.monitor_no IS NOT NULL AND (
    OLD.started_at IS DISTINCT FROM NEW.started_at OR OLD.resolved_at IS DISTINCT FROM NEW.resolved_at))
  EXECUTE FUNCTION note_moved_downtime();

