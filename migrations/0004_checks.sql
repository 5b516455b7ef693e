-- Raw results. One row a check, partitioned by day and dropped by day. Small surrogates and fixed columns first:
-- what only failures carry (class, layer, detail) costs a passing check nothing but a null bit.

CREATE TABLE checks (
  checked_at timestamptz NOT NULL,
  monitor_no integer NOT NULL,
  latency_ms integer,
  dns_ms integer,
  connect_ms integer,
  tls_ms integer,
  first_byte_ms integer,
  region_no smallint NOT NULL,
  response_code smallint,
  -- 0 up, 1 degraded, 2 down
  status smallint NOT NULL,
  in_maintenance boolean NOT NULL DEFAULT false,
  failure_class text,
  cause_layer text,
  detail text,
  metric_value double precision,
  PRIMARY KEY (monitor_no, region_no, checked_at)
) PARTITION BY RANGE (checked_at);
