-- Invitations and API keys.

-- An accepted or revoked invitation is gone; the activity log remembers it.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'manager', 'member')),
  token_hash bytea NOT NULL UNIQUE,
  -- Whether the link went to the address itself: then accepting it proves the address.
  mailed boolean NOT NULL DEFAULT false,
  invited_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (org_id, email)
);

-- A revoked key is gone: looked up at every request, it is void on every server at once.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  -- NULL both: not narrowed. Else the union of the two; what no longer exists opens nothing.
  project_ids text[],
  monitor_ids text[],
  created_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX api_keys_org ON api_keys (org_id, id);
