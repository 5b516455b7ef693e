-- When what a window says last changed; null: never since it was planned, or before this was kept.
ALTER TABLE maintenance_windows ADD COLUMN changed_at timestamptz;

-- Under which ids the members of an imported organization stand in its log, so that their names go when they delete their account.
CREATE TABLE imported_people (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL,
  email text NOT NULL,
  PRIMARY KEY (org_id, user_id)
);
CREATE INDEX imported_people_email ON imported_people (email);
