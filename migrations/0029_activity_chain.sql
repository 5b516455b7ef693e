-- The activity log of an organization is a chain: each entry has a hash over what it says and the hash of the entry before,
-- so that one that was changed, removed or put in by hand is found (activity/chain.ts).

ALTER TABLE activity
  ADD COLUMN chain_no bigint,
  ADD COLUMN chain_hash bytea,
  -- What names people is hashed apart, with a salt: who is forgotten takes the salt along, and the chain still holds.
  ADD COLUMN actor_salt bytea,
  ADD COLUMN actor_digest bytea,
  ADD COLUMN subject_salt bytea,
  ADD COLUMN subject_digest bytea;

ALTER TABLE organizations
  -- The end of the chain.
  ADD COLUMN activity_no bigint NOT NULL DEFAULT 0,
  ADD COLUMN activity_hash bytea NOT NULL DEFAULT '',
  -- The last entry that was dropped with its partition: what is kept begins after it.
  ADD COLUMN activity_dropped_no bigint NOT NULL DEFAULT 0,
  ADD COLUMN activity_dropped_hash bytea NOT NULL DEFAULT '',
  -- Entries from before there was a chain.
  ADD COLUMN activity_unchained bigint NOT NULL DEFAULT 0;
UPDATE organizations o SET activity_unchained = (SELECT count(*) FROM activity a WHERE a.org_id = o.id);
