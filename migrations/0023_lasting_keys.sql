-- Keys that were derived from SECRET_KEY once and must not change when it is rotated: kept sealed under it.
CREATE TABLE lasting_keys (
  purpose text PRIMARY KEY,
  key_sealed text NOT NULL,
  created_at timestamptz NOT NULL
);
