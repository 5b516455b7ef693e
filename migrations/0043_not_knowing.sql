-- Not knowing: what Tocsin cannot see, and who was told of it.

-- One row for each monitor on which no region reports: written and deleted by the watch (src/self-monitoring). What a
-- reader is shown is computed anew each time; this is what was told last, and a newest result that nobody has to look for.
CREATE TABLE silences (
  monitor_no integer PRIMARY KEY REFERENCES monitors (no) ON DELETE CASCADE,
  -- The newest result, or the making of the monitor.
  since timestamptz NOT NULL,
  -- The failure class, where the check cannot be made at all.
  cannot_check text,
  -- The trouble with which its people were told.
  trouble_no bigint
);
CREATE INDEX silences_trouble ON silences (trouble_no);

-- What the operator, or the people of an organization, are told of: from its beginning to its end.
CREATE TABLE troubles (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('region_offline', 'probe_lagging', 'queue_lagging', 'disk_full', 'no_data')),
  -- What it is about: a region's slug, region and probe, a queue; the id of an organization for no_data.
  subject text NOT NULL,
  -- Of no_data; the others are the operator's.
  org_id text REFERENCES organizations (id) ON DELETE CASCADE,
  data jsonb NOT NULL DEFAULT '{}',
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When it was handed to mail; null: not yet, or it was over before its turn came.
  notified_at timestamptz,
  -- Whoever mails it now has it until then.
  sending_until timestamptz,
  end_notified_at timestamptz
);
-- Only one of each stands at a time; an organization may lose one set of monitors after another.
CREATE UNIQUE INDEX troubles_standing ON troubles (kind, subject) WHERE ended_at IS NULL AND kind <> 'no_data';
CREATE INDEX troubles_unnotified ON troubles (no) WHERE ended_at IS NULL OR end_notified_at IS NULL;
CREATE INDEX troubles_subject ON troubles (kind, subject, notified_at);
CREATE INDEX troubles_org ON troubles (org_id) WHERE org_id IS NOT NULL;

-- Since when the watch has been running without a gap, and since when results have been stored without one: nothing from
-- before proves that somebody else was silent.
CREATE TABLE self_watch (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  watched_at timestamptz,
  watching_since timestamptz,
  storing_since timestamptz
);
INSERT INTO self_watch DEFAULT VALUES;
