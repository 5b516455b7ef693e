-- Cheap history: the checks of a day that has been over for a day become blocks, one for each monitor and region
-- (docs/adr/0043-packed-checks.md). Written by src/checks/packed; unpacked by the functions of this file.

CREATE TABLE packed_checks (
  -- Its first instant, in UTC.
  day timestamptz NOT NULL,
  monitor_no integer NOT NULL,
  -- How many it holds.
  checks integer NOT NULL,
  region_no smallint NOT NULL,
  body bit varying NOT NULL,
  -- What the texts and some of the metrics of the body are places in.
  texts text[],
  numbers double precision[],
  PRIMARY KEY (monitor_no, region_no, day)
) PARTITION BY RANGE (day);
-- Packed already.
ALTER TABLE packed_checks ALTER COLUMN body SET STORAGE EXTERNAL;

-- Results of a sealed day that came late, until they are merged into its blocks.
CREATE TABLE late_checks (LIKE checks, PRIMARY KEY (monitor_no, region_no, checked_at));

-- How far packing is, in whole days of UTC. The rows of a day before `sealed_until` do not change any more; days before
-- `packed_until` are read from blocks. Of the day between the two, monitors up to `packed_no` have theirs.
CREATE TABLE packing_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Nothing is packed before: servers of the version before know no blocks.
  begins_at timestamptz NOT NULL DEFAULT now() + interval '1 day',
  sealed_until timestamptz NOT NULL,
  packed_until timestamptz NOT NULL,
  packed_no integer NOT NULL DEFAULT 0,
  -- When the last switch was seen committed: transactions that began before may still read rows.
  settled_at timestamptz
);
-- Days without a partition are skipped.
INSERT INTO packing_state (sealed_until, packed_until) VALUES ('2000-01-01 00:00Z', '2000-01-01 00:00Z');
-- The planner takes a table that it knows nothing of for a thousand rows.
ANALYZE packing_state;

-- A column of a block, from bit `at` on: its `n` values, null if all of them are, and the bit after it. One bit for "all
-- null"; one for "a list"; one for "code 0 is null". A list: the bits of a code in 6, how many values in 8, the values, the
-- codes. Else: the smallest value, the bits of a code in 6, how many exceptions, the codes (distances from the smallest),
-- and, if there are exceptions, the bits of a place in 5, the smallest exception, the bits of its codes in 6, and each with
-- its place; code 0 is null there. A number: its length in 6 bits, then its bits; of those that may be below 0, the sign first.
CREATE FUNCTION packed_column(body bit varying, at integer, n integer, OUT ends integer, OUT vals bigint[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  p integer := at + 3;
  nullable integer;
  width integer;
  len integer;
  base bigint;
  rare integer;
  rare_base bigint;
  rare_width integer;
  place_width integer;
  code bigint;
  entries bigint[];
BEGIN
  IF substring(body, at, 1) = B'1' THEN
    ends := at + 1;
    RETURN;
  END IF;
  nullable := substring(body, at + 2, 1)::integer;
  IF substring(body, at + 1, 1) = B'1' THEN
    width := substring(body, p, 6)::integer;
    rare := substring(body, p + 6, 8)::integer;
    p := p + 14;
    FOR i IN 1..rare LOOP
      len := substring(body, p + 1, 6)::integer;
      base := substring(body, p + 7, len)::bigint;
      entries[i] := CASE WHEN substring(body, p, 1) = B'1' THEN -base ELSE base END;
      p := p + 7 + len;
    END LOOP;
    vals := ARRAY(SELECT entries[substring(body, p + i * width, width)::integer + 1 - nullable]
      FROM generate_series(0, n - 1) AS i);
    ends := p + n * width;
    RETURN;
  END IF;
  len := substring(body, p + 1, 6)::integer;
  base := substring(body, p + 7, len)::bigint;
  IF substring(body, p, 1) = B'1' THEN
    base := -base;
  END IF;
  p := p + 7 + len;
  width := substring(body, p, 6)::integer;
  len := substring(body, p + 6, 6)::integer;
  rare := substring(body, p + 12, len)::integer;
  p := p + 12 + len;
  IF width = 0 THEN
    vals := array_fill(base, ARRAY[n]);
  ELSIF nullable = 0 THEN
    vals := ARRAY(SELECT base + substring(body, p + i * width, width)::bigint FROM generate_series(0, n - 1) AS i);
  ELSE
    vals := ARRAY(SELECT base - 1 + nullif(substring(body, p + i * width, width)::bigint, 0)
      FROM generate_series(0, n - 1) AS i);
  END IF;
  p := p + n * width;
  IF rare > 0 THEN
    place_width := substring(body, p, 5)::integer;
    len := substring(body, p + 6, 6)::integer;
    rare_base := substring(body, p + 12, len)::bigint;
    IF substring(body, p + 5, 1) = B'1' THEN
      rare_base := -rare_base;
    END IF;
    p := p + 12 + len;
    rare_width := substring(body, p, 6)::integer;
    p := p + 6;
    FOR i IN 1..rare LOOP
      code := substring(body, p + place_width, rare_width)::bigint;
      vals[substring(body, p, place_width)::integer + 1] := rare_base - 1 + nullif(code, 0);
      p := p + place_width + rare_width;
    END LOOP;
  END IF;
  ends := p;
END $$;

-- When the checks of a block were made, in microseconds of its day, and the bit after them. The version in 8 bits, one for
-- "microseconds" (else milliseconds), the first instant, and a column of the times between.
CREATE FUNCTION packed_instants(body bit varying, n integer, OUT ends integer, OUT micros bigint[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  unit integer := CASE WHEN substring(body, 9, 1) = B'1' THEN 1 ELSE 1000 END;
  len integer := substring(body, 10, 6)::integer;
  instant bigint := substring(body, 16, len)::bigint;
  apart bigint[];
BEGIN
  IF substring(body, 1, 8) <> B'00000001' THEN
    RAISE EXCEPTION 'a block of checks is of version %, which this schema does not know', substring(body, 1, 8)::integer;
  END IF;
  SELECT c.ends, c.vals INTO ends, apart FROM packed_column(body, 16 + len, n - 1) AS c;
  micros := array_fill(instant * unit, ARRAY[n]);
  FOR i IN 2..n LOOP
    instant := instant + apart[i - 1];
    micros[i] := instant * unit;
  END LOOP;
END $$;

-- What figures are made of, of the checks of a block, oldest first; `ends` is the bit behind it. These columns stand first.
CREATE FUNCTION unpack_figures(body bit varying, n integer, OUT ends integer, OUT micros bigint[], OUT statuses bigint[],
  OUT latencies bigint[], OUT layers bigint[], OUT scale integer, OUT metrics bigint[], OUT scale_2 integer, OUT metrics_2 bigint[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  p integer;
BEGIN
  SELECT i.ends, i.micros INTO p, micros FROM packed_instants(body, n) AS i;
  SELECT c.ends, c.vals INTO p, statuses FROM packed_column(body, p, n) AS c;
  SELECT c.ends, c.vals INTO p, latencies FROM packed_column(body, p, n) AS c;
  SELECT c.ends, c.vals INTO p, layers FROM packed_column(body, p, n) AS c;
  -- Digits behind the point; 15: places in a list of numbers.
  scale := substring(body, p, 4)::integer;
  SELECT c.ends, c.vals INTO p, metrics FROM packed_column(body, p + 4, n) AS c;
  scale_2 := substring(body, p, 4)::integer;
  SELECT c.ends, c.vals INTO ends, metrics_2 FROM packed_column(body, p + 4, n) AS c;
END $$;

-- A metric as it was measured.
CREATE FUNCTION unpacked_metric(packed bigint, scale integer, numbers double precision[]) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN scale = 15 THEN numbers[packed] ELSE packed::double precision
    / ('{1,10,100,1000,10000,100000,1000000,10000000,100000000,1000000000}'::double precision[])[scale + 1] END
$$;

-- The checks of a block, oldest first.
CREATE FUNCTION unpack_checks(day timestamptz, n integer, packed bit varying, texts text[], numbers double precision[])
RETURNS TABLE (
  checked_at timestamptz, latency_ms integer, dns_ms integer, connect_ms integer, tls_ms integer, first_byte_ms integer,
  response_code smallint, status smallint, failure_class text, cause_layer text, detail text,
  metric_value double precision, metric_value_2 double precision
)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 1000 AS $$
#variable_conflict use_column
DECLARE
  -- Fetched as a whole, once.
  body bit varying := packed || B'';
  p integer;
  f record;
  codes bigint[]; dns bigint[]; connects bigint[]; handshakes bigint[]; first_bytes bigint[]; classes bigint[];
  details bigint[];
  beyond integer;
BEGIN
  SELECT u.* INTO f FROM unpack_figures(body, n) AS u;
  SELECT c.ends, c.vals INTO p, codes FROM packed_column(body, f.ends, n) AS c;
  SELECT c.ends, c.vals INTO p, dns FROM packed_column(body, p, n) AS c;
  SELECT c.ends, c.vals INTO p, connects FROM packed_column(body, p, n) AS c;
  SELECT c.ends, c.vals INTO p, handshakes FROM packed_column(body, p, n) AS c;
  -- First bytes are as they are (0), or what the latency is beyond them (1), or beyond them and the other phases (2).
  beyond := substring(body, p, 2)::integer;
  SELECT c.ends, c.vals INTO p, first_bytes FROM packed_column(body, p + 2, n) AS c;
  SELECT c.ends, c.vals INTO p, classes FROM packed_column(body, p, n) AS c;
  SELECT c.ends, c.vals INTO p, details FROM packed_column(body, p, n) AS c;
  RETURN QUERY SELECT day + u.at * interval '1 microsecond', u.latency::integer, u.dns::integer, u.connect::integer,
    u.tls::integer,
    (CASE beyond WHEN 0 THEN u.first_byte WHEN 1 THEN coalesce(u.latency, 0) - u.first_byte
      ELSE coalesce(u.latency, 0) - coalesce(u.dns, 0) - coalesce(u.connect, 0) - coalesce(u.tls, 0) - u.first_byte END)::integer,
    u.code::smallint, u.status::smallint, texts[u.class], texts[u.layer], texts[u.detail],
    unpacked_metric(u.metric, f.scale, numbers), unpacked_metric(u.metric_2, f.scale_2, numbers)
  FROM unnest(f.micros, f.latencies, dns, connects, handshakes, first_bytes, codes, f.statuses, classes, f.layers, details,
    f.metrics, f.metrics_2) AS u (at, latency, dns, connect, tls, first_byte, code, status, class, layer, detail, metric, metric_2);
END $$;

-- The packed checks of a monitor and region in [since, until): whole days of them, the newest day first, until there are
-- `most`. `conclusive`: those that a probe could not make are left out.
CREATE FUNCTION packed_checks_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz,
  most integer DEFAULT NULL, conclusive boolean DEFAULT false)
RETURNS TABLE (
  checked_at timestamptz, monitor_no integer, latency_ms integer, dns_ms integer, connect_ms integer, tls_ms integer,
  first_byte_ms integer, region_no smallint, response_code smallint, status smallint, failure_class text,
  cause_layer text, detail text, metric_value double precision, metric_value_2 double precision
)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000 COST 10000 AS $$
#variable_conflict use_column
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  block record;
  more bigint;
  found_so_far bigint := 0;
BEGIN
  IF since >= packed OR most <= 0 THEN
    RETURN;
  END IF;
  FOR block IN
    SELECT b.day, b.checks, b.body, b.texts, b.numbers FROM packed_checks b
    WHERE b.monitor_no = of_monitor AND b.region_no = of_region
      AND b.day > since - interval '1 day' AND b.day < until AND b.day < packed
    ORDER BY b.day DESC
  LOOP
    RETURN QUERY SELECT u.checked_at, of_monitor, u.latency_ms, u.dns_ms, u.connect_ms, u.tls_ms, u.first_byte_ms,
      of_region, u.response_code, u.status, u.failure_class, u.cause_layer, u.detail, u.metric_value, u.metric_value_2
    FROM unpack_checks(block.day, block.checks, block.body, block.texts, block.numbers) AS u
    WHERE u.checked_at >= since AND u.checked_at < until
      AND (NOT conclusive OR u.cause_layer IS DISTINCT FROM 'probe');
    GET DIAGNOSTICS more = ROW_COUNT;
    found_so_far := found_so_far + more;
    EXIT WHEN found_so_far >= most;
  END LOOP;
END $$;

-- The checks of a monitor and region in [since, until), wherever they are. The planner puts its text into the statement that
-- asks, so arguments are columns or parameters and never subqueries.
CREATE FUNCTION stored_checks(of_monitor integer, of_region smallint, since timestamptz, until timestamptz)
RETURNS TABLE (
  checked_at timestamptz, monitor_no integer, latency_ms integer, dns_ms integer, connect_ms integer, tls_ms integer,
  first_byte_ms integer, region_no smallint, response_code smallint, status smallint, failure_class text,
  cause_layer text, detail text, metric_value double precision, metric_value_2 double precision
)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT c.checked_at, c.monitor_no, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms, c.region_no,
    c.response_code, c.status, c.failure_class, c.cause_layer, c.detail, c.metric_value, c.metric_value_2
  FROM checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
    AND c.checked_at >= (SELECT s.packed_until FROM packing_state s)
  UNION ALL
  SELECT c.checked_at, c.monitor_no, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms, c.region_no,
    c.response_code, c.status, c.failure_class, c.cause_layer, c.detail, c.metric_value, c.metric_value_2
  FROM late_checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
  UNION ALL
  SELECT c.checked_at, c.monitor_no, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms, c.region_no,
    c.response_code, c.status, c.failure_class, c.cause_layer, c.detail, c.metric_value, c.metric_value_2
  FROM packing_state s CROSS JOIN LATERAL packed_checks_within(of_monitor, of_region, since, until) c
  WHERE s.packed_until > since
$$;

-- What figures are made of, of the packed checks of a monitor and region in [since, until).
CREATE FUNCTION packed_results_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz)
RETURNS TABLE (
  checked_at timestamptz, monitor_no integer, region_no smallint, status smallint, latency_ms integer, cause_layer text,
  metric_value double precision, metric_value_2 double precision
)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000 COST 10000 AS $$
#variable_conflict use_column
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  block record;
  f record;
BEGIN
  IF since >= packed THEN
    RETURN;
  END IF;
  FOR block IN
    SELECT b.day, b.checks, b.body, b.texts, b.numbers FROM packed_checks b
    WHERE b.monitor_no = of_monitor AND b.region_no = of_region
      AND b.day > since - interval '1 day' AND b.day < until AND b.day < packed
  LOOP
    SELECT u.* INTO f FROM unpack_figures(block.body || B'', block.checks) AS u;
    RETURN QUERY SELECT r.at, of_monitor, of_region, r.status::smallint, r.latency::integer, block.texts[r.layer],
      unpacked_metric(r.metric, f.scale, block.numbers), unpacked_metric(r.metric_2, f.scale_2, block.numbers)
    FROM (
      SELECT block.day + u.at * interval '1 microsecond' AS at, u.status, u.latency, u.layer, u.metric, u.metric_2
      FROM unnest(f.micros, f.statuses, f.latencies, f.layers, f.metrics, f.metrics_2)
        AS u (at, status, latency, layer, metric, metric_2)
    ) r WHERE r.at >= since AND r.at < until;
  END LOOP;
END $$;

-- The same of all checks, wherever they are: stored_checks for whoever counts.
CREATE FUNCTION stored_results(of_monitor integer, of_region smallint, since timestamptz, until timestamptz)
RETURNS TABLE (
  checked_at timestamptz, monitor_no integer, region_no smallint, status smallint, latency_ms integer, cause_layer text,
  metric_value double precision, metric_value_2 double precision
)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT c.checked_at, c.monitor_no, c.region_no, c.status, c.latency_ms, c.cause_layer, c.metric_value, c.metric_value_2
  FROM checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
    AND c.checked_at >= (SELECT s.packed_until FROM packing_state s)
  UNION ALL
  SELECT c.checked_at, c.monitor_no, c.region_no, c.status, c.latency_ms, c.cause_layer, c.metric_value, c.metric_value_2
  FROM late_checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
  UNION ALL
  SELECT c.checked_at, c.monitor_no, c.region_no, c.status, c.latency_ms, c.cause_layer, c.metric_value, c.metric_value_2
  FROM packing_state s CROSS JOIN LATERAL packed_results_within(of_monitor, of_region, since, until) c
  WHERE s.packed_until > since
$$;

-- The newest `most` of the same, in no order, and perhaps more than that.
CREATE FUNCTION newest_checks(of_monitor integer, of_region smallint, since timestamptz, until timestamptz, most integer,
  conclusive boolean DEFAULT false)
RETURNS TABLE (
  checked_at timestamptz, monitor_no integer, latency_ms integer, dns_ms integer, connect_ms integer, tls_ms integer,
  first_byte_ms integer, region_no smallint, response_code smallint, status smallint, failure_class text,
  cause_layer text, detail text, metric_value double precision, metric_value_2 double precision
)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 100 AS $$
#variable_conflict use_column
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  had bigint := 0;
BEGIN
  IF until > packed THEN
    RETURN QUERY SELECT c.checked_at, c.monitor_no, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms,
      c.region_no, c.response_code, c.status, c.failure_class, c.cause_layer, c.detail, c.metric_value, c.metric_value_2
    FROM checks c
    WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= greatest(since, packed)
      AND c.checked_at < until AND (NOT conclusive OR c.cause_layer IS DISTINCT FROM 'probe')
    ORDER BY c.checked_at DESC LIMIT most;
    GET DIAGNOSTICS had = ROW_COUNT;
  END IF;
  RETURN QUERY SELECT c.checked_at, c.monitor_no, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms,
    c.region_no, c.response_code, c.status, c.failure_class, c.cause_layer, c.detail, c.metric_value, c.metric_value_2
  FROM late_checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
    AND (NOT conclusive OR c.cause_layer IS DISTINCT FROM 'probe')
  ORDER BY c.checked_at DESC LIMIT most;
  IF had < most AND since < packed THEN
    RETURN QUERY SELECT * FROM packed_checks_within(of_monitor, of_region, since, until, (most - had)::integer, conclusive);
  END IF;
END $$;

-- A result of a sealed day goes to late_checks, unless it is stored already. Volatile, so that each statement sees what was
-- committed before it had the locks: the first is shared with whoever seals, the second with whoever merges.
CREATE FUNCTION note_late_check() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  state packing_state;
  block record;
  own timestamptz := date_trunc('day', NEW.checked_at, 'UTC');
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7262748);
  SELECT * INTO state FROM packing_state;
  IF NEW.checked_at >= state.sealed_until THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(7262750);
  SELECT * INTO state FROM packing_state;
  IF own >= state.packed_until THEN
    IF EXISTS (SELECT FROM checks c WHERE c.monitor_no = NEW.monitor_no AND c.region_no = NEW.region_no
      AND c.checked_at = NEW.checked_at) THEN
      RETURN NULL;
    END IF;
  ELSE
    SELECT b.checks, b.body INTO block FROM packed_checks b
    WHERE b.monitor_no = NEW.monitor_no AND b.region_no = NEW.region_no AND b.day = own;
    IF FOUND AND round(extract(epoch FROM NEW.checked_at - own) * 1000000)::bigint
      = ANY ((SELECT i.micros FROM packed_instants(block.body || B'', block.checks) AS i)::bigint[]) THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO late_checks (checked_at, monitor_no, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, region_no,
    response_code, status, failure_class, cause_layer, detail, metric_value, metric_value_2)
  VALUES (NEW.checked_at, NEW.monitor_no, NEW.latency_ms, NEW.dns_ms, NEW.connect_ms, NEW.tls_ms, NEW.first_byte_ms,
    NEW.region_no, NEW.response_code, NEW.status, NEW.failure_class, NEW.cause_layer, NEW.detail, NEW.metric_value,
    NEW.metric_value_2)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- No day is sealed before it has been over for 26 hours: younger results cost one comparison.
CREATE TRIGGER checks_late BEFORE INSERT ON checks
  FOR EACH ROW WHEN (NEW.checked_at < now() - interval '25 hours') EXECUTE FUNCTION note_late_check();
