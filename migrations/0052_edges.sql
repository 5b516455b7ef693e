-- The edges that serve custom domains, as the servers that configure them last found them.

CREATE TABLE edges (
  -- Of its admin API; with the name of the machine where that is on loopback.
  address text PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  -- Since when it has not had the configuration that it should have; null: it has it.
  failing_since timestamptz,
  failure text CHECK (failure IN ('away', 'refuses')),
  sentence text,
  CHECK ((failing_since IS NULL) = (failure IS NULL))
);

ALTER TABLE troubles DROP CONSTRAINT troubles_kind_check;
ALTER TABLE troubles ADD CONSTRAINT troubles_kind_check
  CHECK (kind IN ('region_offline', 'probe_lagging', 'queue_lagging', 'disk_full', 'edge_failing', 'no_data'));
