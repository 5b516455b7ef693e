-- Probes are admitted by name, and a region is online by what its probes deliver.

-- How many probes a token admits by itself, those that come with it first; null: any number.
ALTER TABLE probe_tokens ADD COLUMN max_probes integer DEFAULT 3 CHECK (max_probes > 0);
-- The one of the probe that the server starts itself: revoked, it is followed by another.
ALTER TABLE probe_tokens ADD COLUMN bundled boolean NOT NULL DEFAULT false;
ALTER TABLE installation ADD COLUMN bundled_token_no integer NOT NULL DEFAULT 0;

-- Whoever is known already is admitted; the token is learned with the next request.
ALTER TABLE probes ADD COLUMN token_id text REFERENCES probe_tokens (id) ON DELETE SET NULL;
ALTER TABLE probes ADD COLUMN admission text NOT NULL DEFAULT 'admitted'
  CHECK (admission IN ('admitted', 'waiting', 'refused'));
CREATE INDEX probes_token ON probes (token_id);

-- Since when results of what it was given are awaited: moved by each result, and by time in which it was not there. One
-- that was heard of later than `patience_seconds` after that asks and does not deliver. Null: it was given nothing.
ALTER TABLE probes ADD COLUMN awaited_since timestamptz;
ALTER TABLE probes ADD COLUMN patience_seconds integer NOT NULL DEFAULT 60;

-- Answers to probes are pages in this order.
DROP INDEX assignments_revision;
CREATE INDEX assignments_revision ON assignments (region_no, revision, monitor_no);
