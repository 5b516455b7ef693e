-- Read-only links to the wall display of an organization: only the hash of a token is kept.
CREATE TABLE wall_links (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  created_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  -- Exact to a minute.
  last_seen_at timestamptz
);
CREATE INDEX wall_links_org ON wall_links (org_id, created_at DESC, id DESC);
CREATE INDEX wall_links_person ON wall_links (created_by_user_id) WHERE created_by_user_id IS NOT NULL;

-- A first proof takes away the links that the account made too, and counts them.
UPDATE users SET first_proof = jsonb_set(first_proof, '{removed,wall_links}', '0') WHERE first_proof IS NOT NULL;
