-- Packed checks are read faster: a column's values are read as one series, only the places that are asked for are read, and
-- whoever asks when checks were made reads no other column. The blocks stay as they are (0057).

-- The values at the places `first` to `last` (from 1) of a column of a block; see packed_column() in 0057 for its layout.
CREATE FUNCTION packed_places(body bit varying, at integer, n integer, first integer, last integer, OUT ends integer,
  OUT vals bigint[])
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
  place integer;
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
      entries[i + nullable] := CASE WHEN substring(body, p, 1) = B'1' THEN -base ELSE base END;
      p := p + 7 + len;
    END LOOP;
    ends := p + n * width;
    vals := ARRAY(SELECT entries[substring(body, generate_series(p + (first - 1) * width, p + (last - 1) * width, width),
      width)::integer + 1]);
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
    vals := array_fill(base, ARRAY[greatest(0, last - first + 1)]);
  ELSIF nullable = 0 THEN
    vals := ARRAY(SELECT base
      + substring(body, generate_series(p + (first - 1) * width, p + (last - 1) * width, width), width)::bigint);
  ELSE
    vals := ARRAY(SELECT base - 1 + nullif(c.code, 0) FROM (
      SELECT substring(body, generate_series(p + (first - 1) * width, p + (last - 1) * width, width), width)::bigint AS code) c);
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
    p := p + 6 + rare * (place_width + rare_width);
    -- The last place first: whoever asks for a part asks for the newest, or for none.
    FOR i IN 1..CASE WHEN first > last THEN 0 ELSE rare END LOOP
      place := substring(body, p - i * (place_width + rare_width), place_width)::integer + 1;
      EXIT WHEN place < first;
      CONTINUE WHEN place > last;
      code := substring(body, p - i * (place_width + rare_width) + place_width, rare_width)::bigint;
      vals[place - first + 1] := rare_base - 1 + nullif(code, 0);
    END LOOP;
  END IF;
  ends := p;
END $$;

CREATE OR REPLACE FUNCTION packed_column(body bit varying, at integer, n integer, OUT ends integer, OUT vals bigint[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  c record;
BEGIN
  c := packed_places(body, at, n, 1, n);
  ends := c.ends;
  vals := c.vals;
END $$;

CREATE OR REPLACE FUNCTION packed_instants(body bit varying, n integer, OUT ends integer, OUT micros bigint[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  unit integer := CASE WHEN substring(body, 9, 1) = B'1' THEN 1 ELSE 1000 END;
  len integer := substring(body, 10, 6)::integer;
  instant bigint := substring(body, 16, len)::bigint * unit;
  p integer := 16 + len;
  q integer;
  apart bigint;
  c record;
BEGIN
  IF substring(body, 1, 8) <> B'00000001' THEN
    RAISE EXCEPTION 'a block of checks is of version %, which this schema does not know', substring(body, 1, 8)::integer;
  END IF;
  -- Checks at their scheduled moments are equally far apart: codes of no bits, and no exceptions.
  IF substring(body, p, 4) = B'0000' THEN
    len := substring(body, p + 4, 6)::integer;
    q := p + 10 + len;
    IF substring(body, q, 13) = B'0000000000010' THEN
      apart := substring(body, p + 10, len)::bigint * unit;
      micros := ARRAY(SELECT generate_series(instant, instant + (n - 1) * apart, apart));
      ends := q + 13;
      RETURN;
    END IF;
  END IF;
  c := packed_places(body, p, n - 1, 1, n - 1);
  ends := c.ends;
  micros := array_fill(instant, ARRAY[n]);
  FOR i IN 2..n LOOP
    instant := instant + c.vals[i - 1] * unit;
    micros[i] := instant;
  END LOOP;
END $$;

-- The places of a block whose checks were made in [since, until).
CREATE FUNCTION packed_range(day timestamptz, micros bigint[], since timestamptz, until timestamptz, OUT first integer,
  OUT last integer)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  first := CASE WHEN since <= day THEN 1
    ELSE 1 + width_bucket((extract(epoch FROM since - day) * 1000000)::bigint - 1, micros) END;
  last := CASE WHEN until >= day + interval '1 day' THEN cardinality(micros)
    ELSE width_bucket((extract(epoch FROM until - day) * 1000000)::bigint - 1, micros) END;
END $$;

-- The checks at the places `first` to `last` of a block, oldest first. `at` and `micros` are of packed_instants().
CREATE FUNCTION unpack_places(day timestamptz, n integer, body bit varying, texts text[], numbers double precision[],
  at integer, micros bigint[], first integer, last integer)
RETURNS TABLE (
  checked_at timestamptz, latency_ms integer, dns_ms integer, connect_ms integer, tls_ms integer, first_byte_ms integer,
  response_code smallint, status smallint, failure_class text, cause_layer text, detail text,
  metric_value double precision, metric_value_2 double precision
)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 1000 AS $$
#variable_conflict use_column
DECLARE
  statuses record; latencies record; layers record; metrics record; metrics_2 record; codes record; dns record;
  connects record; handshakes record; first_bytes record; classes record; details record;
  scale integer;
  scale_2 integer;
  beyond integer;
BEGIN
  statuses := packed_places(body, at, n, first, last);
  latencies := packed_places(body, statuses.ends, n, first, last);
  layers := packed_places(body, latencies.ends, n, first, last);
  scale := substring(body, layers.ends, 4)::integer;
  metrics := packed_places(body, layers.ends + 4, n, first, last);
  scale_2 := substring(body, metrics.ends, 4)::integer;
  metrics_2 := packed_places(body, metrics.ends + 4, n, first, last);
  codes := packed_places(body, metrics_2.ends, n, first, last);
  dns := packed_places(body, codes.ends, n, first, last);
  connects := packed_places(body, dns.ends, n, first, last);
  handshakes := packed_places(body, connects.ends, n, first, last);
  -- First bytes are as they are (0), or what the latency is beyond them (1), or beyond them and the other phases (2).
  beyond := substring(body, handshakes.ends, 2)::integer;
  first_bytes := packed_places(body, handshakes.ends + 2, n, first, last);
  classes := packed_places(body, first_bytes.ends, n, first, last);
  details := packed_places(body, classes.ends, n, first, last);
  RETURN QUERY SELECT day + u.at * interval '1 microsecond', u.latency::integer, u.dns::integer, u.connect::integer,
    u.tls::integer,
    (CASE beyond WHEN 0 THEN u.first_byte WHEN 1 THEN coalesce(u.latency, 0) - u.first_byte
      ELSE coalesce(u.latency, 0) - coalesce(u.dns, 0) - coalesce(u.connect, 0) - coalesce(u.tls, 0) - u.first_byte END)::integer,
    u.code::smallint, u.status::smallint, texts[u.class], texts[u.layer], texts[u.detail],
    unpacked_metric(u.metric, scale, numbers), unpacked_metric(u.metric_2, scale_2, numbers)
  FROM (
    SELECT unnest(micros[first:last]) AS at, unnest(latencies.vals) AS latency, unnest(dns.vals) AS dns,
      unnest(connects.vals) AS connect, unnest(handshakes.vals) AS tls, unnest(first_bytes.vals) AS first_byte,
      unnest(codes.vals) AS code, unnest(statuses.vals) AS status, unnest(classes.vals) AS class,
      unnest(layers.vals) AS layer, unnest(details.vals) AS detail, unnest(metrics.vals) AS metric,
      unnest(metrics_2.vals) AS metric_2
  ) u;
END $$;

CREATE OR REPLACE FUNCTION unpack_checks(day timestamptz, n integer, packed bit varying, texts text[], numbers double precision[])
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
  i record;
BEGIN
  i := packed_instants(body, n);
  RETURN QUERY SELECT u.* FROM unpack_places(day, n, body, texts, numbers, i.ends, i.micros, 1, n) AS u;
END $$;

CREATE OR REPLACE FUNCTION packed_checks_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz,
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
  -- Fetched as a whole, once.
  body bit varying;
  i record;
  places record;
  first integer;
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
    body := block.body || B'';
    i := packed_instants(body, block.checks);
    places := packed_range(block.day, i.micros, since, until);
    first := places.first;
    -- Of a block in which every check counts, only the newest are read.
    IF most IS NOT NULL AND NOT (conclusive AND 'probe' = ANY (coalesce(block.texts, '{}'))) THEN
      first := greatest(first, places.last - (most - found_so_far)::integer + 1);
    END IF;
    CONTINUE WHEN first > places.last;
    RETURN QUERY SELECT u.checked_at, of_monitor, u.latency_ms, u.dns_ms, u.connect_ms, u.tls_ms, u.first_byte_ms,
      of_region, u.response_code, u.status, u.failure_class, u.cause_layer, u.detail, u.metric_value, u.metric_value_2
    FROM unpack_places(block.day, block.checks, body, block.texts, block.numbers, i.ends, i.micros, first, places.last) AS u
    WHERE NOT conclusive OR u.cause_layer IS DISTINCT FROM 'probe';
    GET DIAGNOSTICS more = ROW_COUNT;
    found_so_far := found_so_far + more;
    EXIT WHEN found_so_far >= most;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION packed_results_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz)
RETURNS TABLE (
  checked_at timestamptz, monitor_no integer, region_no smallint, status smallint, latency_ms integer, cause_layer text,
  metric_value double precision, metric_value_2 double precision
)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000 COST 10000 AS $$
#variable_conflict use_column
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  block record;
  -- Fetched as a whole, once.
  body bit varying;
  i record;
  places record;
  statuses record;
  latencies record;
  layers record;
  metrics record;
  metrics_2 record;
  scale integer;
  scale_2 integer;
BEGIN
  IF since >= packed THEN
    RETURN;
  END IF;
  FOR block IN
    SELECT b.day, b.checks, b.body, b.texts, b.numbers FROM packed_checks b
    WHERE b.monitor_no = of_monitor AND b.region_no = of_region
      AND b.day > since - interval '1 day' AND b.day < until AND b.day < packed
  LOOP
    body := block.body || B'';
    i := packed_instants(body, block.checks);
    places := packed_range(block.day, i.micros, since, until);
    CONTINUE WHEN places.first > places.last;
    statuses := packed_places(body, i.ends, block.checks, places.first, places.last);
    latencies := packed_places(body, statuses.ends, block.checks, places.first, places.last);
    layers := packed_places(body, latencies.ends, block.checks, places.first, places.last);
    -- Digits behind the point; 15: places in a list of numbers.
    scale := substring(body, layers.ends, 4)::integer;
    metrics := packed_places(body, layers.ends + 4, block.checks, places.first, places.last);
    scale_2 := substring(body, metrics.ends, 4)::integer;
    metrics_2 := packed_places(body, metrics.ends + 4, block.checks, places.first, places.last);
    RETURN QUERY SELECT block.day + u.at * interval '1 microsecond', of_monitor, of_region, u.status::smallint,
      u.latency::integer, block.texts[u.layer], unpacked_metric(u.metric, scale, block.numbers),
      unpacked_metric(u.metric_2, scale_2, block.numbers)
    FROM (
      SELECT unnest(i.micros[places.first:places.last]) AS at, unnest(statuses.vals) AS status,
        unnest(latencies.vals) AS latency, unnest(layers.vals) AS layer, unnest(metrics.vals) AS metric,
        unnest(metrics_2.vals) AS metric_2
    ) u;
  END LOOP;
END $$;

-- When the packed checks of a monitor and region in [since, until) were made, and in which layer they failed.
CREATE FUNCTION packed_instants_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz)
RETURNS TABLE (checked_at timestamptz, cause_layer text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000 COST 10000 AS $$
#variable_conflict use_column
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  block record;
  -- Fetched as a whole, once.
  body bit varying;
  i record;
  places record;
  c record;
BEGIN
  IF since >= packed THEN
    RETURN;
  END IF;
  FOR block IN
    SELECT b.day, b.checks, b.body, b.texts FROM packed_checks b
    WHERE b.monitor_no = of_monitor AND b.region_no = of_region
      AND b.day > since - interval '1 day' AND b.day < until AND b.day < packed
  LOOP
    body := block.body || B'';
    i := packed_instants(body, block.checks);
    places := packed_range(block.day, i.micros, since, until);
    CONTINUE WHEN places.first > places.last;
    -- Layers stand behind status and latency, of which no value is read.
    c := packed_places(body, i.ends, block.checks, 1, 0);
    c := packed_places(body, c.ends, block.checks, 1, 0);
    c := packed_places(body, c.ends, block.checks, places.first, places.last);
    RETURN QUERY SELECT block.day + u.at * interval '1 microsecond', block.texts[u.layer]
    FROM (SELECT unnest(i.micros[places.first:places.last]) AS at, unnest(c.vals) AS layer) u;
  END LOOP;
END $$;

-- The same of all checks, wherever they are: stored_checks for whoever asks when.
CREATE FUNCTION stored_instants(of_monitor integer, of_region smallint, since timestamptz, until timestamptz)
RETURNS TABLE (checked_at timestamptz, cause_layer text)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT c.checked_at, c.cause_layer FROM checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
    AND c.checked_at >= (SELECT s.packed_until FROM packing_state s)
  UNION ALL
  SELECT c.checked_at, c.cause_layer FROM late_checks c
  WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
  UNION ALL
  SELECT c.checked_at, c.cause_layer
  FROM packing_state s CROSS JOIN LATERAL packed_instants_within(of_monitor, of_region, since, until) c
  WHERE s.packed_until > since
$$;

-- The starts of the spans of so many seconds, a part of a day, in which packed checks of a monitor and region in [since, until) lie.
CREATE FUNCTION packed_spans_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz, seconds integer)
RETURNS SETOF timestamptz
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000 COST 10000 AS $$
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  block record;
  i record;
  places record;
BEGIN
  IF since >= packed THEN
    RETURN;
  END IF;
  FOR block IN
    SELECT b.day, b.checks, b.body FROM packed_checks b
    WHERE b.monitor_no = of_monitor AND b.region_no = of_region
      AND b.day > since - interval '1 day' AND b.day < until AND b.day < packed
  LOOP
    i := packed_instants(block.body || B'', block.checks);
    places := packed_range(block.day, i.micros, since, until);
    CONTINUE WHEN places.first > places.last;
    RETURN QUERY SELECT block.day + m.span * seconds * interval '1 second'
    FROM (SELECT DISTINCT unnest(i.micros[places.first:places.last]) / (seconds * 1000000::bigint) AS span) m;
  END LOOP;
END $$;

-- The time for which the packed checks of a monitor and region in [since, until) speak, each for as long as that.
CREATE FUNCTION packed_speech_within(of_monitor integer, of_region smallint, since timestamptz, until timestamptz, speaks interval)
RETURNS SETOF tstzrange
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 100 COST 10000 AS $$
DECLARE
  packed timestamptz := (SELECT s.packed_until FROM packing_state s);
  block record;
  -- Fetched as a whole, once.
  body bit varying;
  i record;
  places record;
  c record;
BEGIN
  IF since >= packed THEN
    RETURN;
  END IF;
  FOR block IN
    SELECT b.day, b.checks, b.body, b.texts FROM packed_checks b
    WHERE b.monitor_no = of_monitor AND b.region_no = of_region
      AND b.day > since - interval '1 day' AND b.day < until AND b.day < packed
  LOOP
    body := block.body || B'';
    i := packed_instants(body, block.checks);
    places := packed_range(block.day, i.micros, since, until);
    CONTINUE WHEN places.first > places.last;
    c := packed_places(body, i.ends, block.checks, 1, 0);
    c := packed_places(body, c.ends, block.checks, 1, 0);
    c := packed_places(body, c.ends, block.checks, places.first, places.last);
    -- Put together here: a day of checks is a few ranges.
    RETURN QUERY SELECT unnest(t.times) FROM (
      SELECT range_agg(tstzrange(r.at, r.at + speaks)) AS times FROM (
        SELECT block.day + u.at * interval '1 microsecond' AS at
        FROM (SELECT unnest(i.micros[places.first:places.last]) AS at, unnest(c.vals) AS layer) u
        WHERE block.texts[u.layer] IS DISTINCT FROM 'probe'
      ) r
    ) t;
  END LOOP;
END $$;

-- The same of all checks, wherever they are; probe faults say nothing.
CREATE FUNCTION stored_speech(of_monitor integer, of_region smallint, since timestamptz, until timestamptz, speaks interval)
RETURNS SETOF tstzrange
LANGUAGE sql STABLE PARALLEL SAFE ROWS 100 AS $$
  SELECT unnest(t.times) FROM (
    SELECT range_agg(tstzrange(r.checked_at, r.checked_at + speaks)) AS times FROM (
      SELECT c.checked_at FROM checks c
      WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
        AND c.checked_at >= (SELECT s.packed_until FROM packing_state s) AND c.cause_layer IS DISTINCT FROM 'probe'
      UNION ALL
      SELECT c.checked_at FROM late_checks c
      WHERE c.monitor_no = of_monitor AND c.region_no = of_region AND c.checked_at >= since AND c.checked_at < until
        AND c.cause_layer IS DISTINCT FROM 'probe'
    ) r
  ) t
  UNION ALL
  SELECT p FROM packing_state s CROSS JOIN LATERAL packed_speech_within(of_monitor, of_region, since, until, speaks) p
  WHERE s.packed_until > since
$$;
