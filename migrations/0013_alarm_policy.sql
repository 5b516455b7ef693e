-- What monitors inherit, what they depend on, and changes that were announced.

CREATE TABLE alert_profiles (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- The fields it sets; what it leaves to the next level is null or absent.
  policy jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT alert_profiles_name UNIQUE (org_id, name)
);

CREATE TABLE alarm_standards (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  standard jsonb NOT NULL
);

-- The database itself keeps a profile that is in use from being deleted.
ALTER TABLE monitors ADD COLUMN alert_profile_id text
  GENERATED ALWAYS AS (policy ->> 'alert_profile_id') STORED REFERENCES alert_profiles (id);
CREATE INDEX monitors_alert_profile ON monitors (alert_profile_id) WHERE alert_profile_id IS NOT NULL;

ALTER TABLE monitors ADD COLUMN depends_on text[] NOT NULL DEFAULT '{}';

CREATE TABLE alarm_holds (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  monitor_no integer NOT NULL REFERENCES monitors (no) ON DELETE CASCADE,
  origin text NOT NULL,
  held_by_name text NOT NULL,
  -- Whose name it is, where it is a person's: it is forgotten with the person.
  held_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  held_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX alarm_holds_monitor ON alarm_holds (monitor_no, held_until);
CREATE INDEX alarm_holds_person ON alarm_holds (held_by_user_id) WHERE held_by_user_id IS NOT NULL;

-- A keyed job ends a hold; the auditor looks for what it missed.
CREATE INDEX incidents_held ON incidents (alarm_held_until) WHERE alarm_held_until IS NOT NULL;
