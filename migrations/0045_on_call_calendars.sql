-- The address under which a person reads shifts as iCalendar: only its hash is kept. It goes with the membership, so that
-- somebody who comes back does not find an old address at work.
CREATE TABLE on_call_calendars (
  org_id text NOT NULL,
  user_id text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  shifts text NOT NULL CHECK (shifts IN ('mine', 'everybody')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, user_id),
  FOREIGN KEY (org_id, user_id) REFERENCES members (org_id, user_id) ON DELETE CASCADE
);
CREATE INDEX on_call_calendars_user ON on_call_calendars (user_id);

-- A first proof takes these addresses away too, and counts them.
UPDATE users SET first_proof = jsonb_set(first_proof, '{removed,calendars}', '0') WHERE first_proof IS NOT NULL;
