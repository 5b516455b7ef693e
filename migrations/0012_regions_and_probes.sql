-- Many probes per region share its work; regions have canaries; a person can have a check made now.

ALTER TABLE regions ADD COLUMN canaries text[] NOT NULL DEFAULT '{}';

ALTER TABLE probe_tokens ADD COLUMN id text;
UPDATE probe_tokens SET id = 'ptk_' || md5(hash::text);
ALTER TABLE probe_tokens ALTER COLUMN id SET NOT NULL;
ALTER TABLE probe_tokens ADD UNIQUE (id);
ALTER TABLE probe_tokens ALTER COLUMN id SET DEFAULT 'ptk_' || replace(gen_random_uuid()::text, '-', '');
ALTER TABLE probe_tokens ADD COLUMN hint text NOT NULL DEFAULT '';
ALTER TABLE probe_tokens ADD COLUMN last_used_at timestamptz;

-- When it last asked for assignments under its own name: who does shares the region's work.
ALTER TABLE probes ADD COLUMN asked_at timestamptz;

-- Changes when this database takes the place of another (restore): revisions before it mean nothing after it.
ALTER TABLE installation ADD COLUMN incarnation text NOT NULL DEFAULT gen_random_uuid()::text;

-- The last time when no probe at all was heard from for longer than a probe stays online: from its last word to its end.
ALTER TABLE installation ADD COLUMN silent_from timestamptz;
ALTER TABLE installation ADD COLUMN silent_until timestamptz;

-- Checks that somebody waits for; gone a minute later.
CREATE TABLE test_runs (
  id text PRIMARY KEY,
  region_no smallint NOT NULL REFERENCES regions (no) ON DELETE CASCADE,
  type text NOT NULL,
  -- With its secrets, so sealed as a whole.
  config_sealed text NOT NULL,
  claimed_by text,
  outcome jsonb,
  created_at timestamptz NOT NULL
);
CREATE INDEX test_runs_waiting ON test_runs (region_no) WHERE claimed_by IS NULL;
