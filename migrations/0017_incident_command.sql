-- What people do in incidents: notes, post-mortems, links to status pages; and incidents that open many at a time.

-- Many incidents of one organization that opened within a minute: chat, mail and paging tell of them together.
CREATE TABLE incident_groups (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  opened_at timestamptz NOT NULL,
  -- An incident that opens within a minute of this one belongs to the group.
  last_opened_at timestamptz NOT NULL
);
CREATE INDEX incident_groups_org ON incident_groups (org_id, last_opened_at DESC);

ALTER TABLE incidents ADD COLUMN group_no bigint REFERENCES incident_groups (no) ON DELETE SET NULL;
CREATE INDEX incidents_group ON incidents (group_no) WHERE group_no IS NOT NULL;
CREATE INDEX incidents_created ON incidents (org_id, created_at DESC);

-- Whoever holds an alarm by hand decides when it goes on: what was announced, or is down elsewhere, does not prolong it.
ALTER TABLE incidents ADD COLUMN alarm_held_by_hand boolean NOT NULL DEFAULT false;
-- Whose name `alarm_held_by_name` is, where it is a person's: it is forgotten with the person.
ALTER TABLE incidents ADD COLUMN alarm_held_by_user_id text REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX incidents_held_by ON incidents (alarm_held_by_user_id) WHERE alarm_held_by_user_id IS NOT NULL;

-- Of one monitor several incidents that people opened may be open at once; as long as one is, it is shown as failed.
CREATE INDEX incidents_open_manual ON incidents (monitor_no) WHERE status = 'open' AND origin = 'manual';
ALTER TABLE monitor_state ADD COLUMN manual_incident boolean NOT NULL DEFAULT false;

CREATE TABLE incident_notes (
  id text PRIMARY KEY,
  incident_id text NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('note', 'status_update')),
  visibility text NOT NULL CHECK (visibility IN ('internal', 'public')),
  body text NOT NULL,
  author_name text NOT NULL,
  -- Whose name that is, where it is a person's: it is forgotten with the person.
  author_user_id text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX incident_notes_incident ON incident_notes (incident_id, id);
CREATE INDEX incident_notes_author ON incident_notes (author_user_id) WHERE author_user_id IS NOT NULL;

CREATE TABLE postmortems (
  incident_id text PRIMARY KEY REFERENCES incidents (id) ON DELETE CASCADE,
  title text NOT NULL DEFAULT '',
  summary text NOT NULL DEFAULT '',
  impact text NOT NULL DEFAULT '',
  root_cause text NOT NULL DEFAULT '',
  contributing_factors text NOT NULL DEFAULT '',
  what_went_well text NOT NULL DEFAULT '',
  what_went_wrong text NOT NULL DEFAULT '',
  lessons text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published')),
  visibility text NOT NULL DEFAULT 'internal' CHECK (visibility IN ('internal', 'public')),
  published_at timestamptz,
  updated_at timestamptz NOT NULL,
  CHECK ((status = 'published') = (published_at IS NOT NULL))
);

-- Status pages as far as incidents are linked to them: name, slug, whether they are there.
CREATE TABLE status_pages (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  headline text,
  enabled boolean NOT NULL DEFAULT true,
  access_mode text NOT NULL DEFAULT 'draft'
    CHECK (access_mode IN ('draft', 'public', 'shared_password', 'viewer_login')),
  hide_platform_brand boolean NOT NULL DEFAULT false,
  collapsed_groups text[] NOT NULL DEFAULT '{}',
  header_nav jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  archived_at timestamptz
);
-- An archived page frees its slug.
CREATE UNIQUE INDEX status_pages_slug ON status_pages (slug) WHERE archived_at IS NULL;
CREATE INDEX status_pages_org ON status_pages (org_id, id);

CREATE TABLE incident_status_pages (
  incident_id text NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  linked_at timestamptz NOT NULL,
  PRIMARY KEY (incident_id, status_page_id)
);
CREATE INDEX incident_status_pages_page ON incident_status_pages (status_page_id);

-- Thousands of incidents open and close at once. What follows of it is found once a statement and not once a row, and
-- the evidence is compared only where a statement names it.
DROP TRIGGER incidents_evidence ON incidents;
CREATE TRIGGER incidents_evidence BEFORE UPDATE OF evidence ON incidents
  FOR EACH ROW WHEN (OLD.evidence IS DISTINCT FROM NEW.evidence) EXECUTE FUNCTION evidence_is_immutable();

DROP TRIGGER incidents_downtime_opened ON incidents;
DROP TRIGGER incidents_downtime_moved ON incidents;
DROP FUNCTION note_moved_downtime();

CREATE FUNCTION note_opened_downtime() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed timestamptz;
BEGIN
  IF NOT EXISTS (SELECT FROM opened WHERE monitor_no IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  closed := checks_closed_until();
  INSERT INTO rollup_dirty (monitor_no, span)
  SELECT o.monitor_no, span FROM opened o, spans_between(o.started_at, least(o.resolved_at, closed)) AS span
  WHERE o.monitor_no IS NOT NULL AND o.started_at < closed;
  RETURN NULL;
END $$;

-- By grouping, and not by a join of the two: a plan that was made for one row would take thousands of them one by one.
CREATE FUNCTION note_moved_downtime() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed timestamptz;
BEGIN
  IF NOT EXISTS (
    SELECT FROM (
      SELECT id, started_at, coalesce(resolved_at, 'infinity') AS ends FROM was WHERE monitor_no IS NOT NULL
      UNION ALL SELECT id, started_at, coalesce(resolved_at, 'infinity') FROM moved WHERE monitor_no IS NOT NULL
    ) told GROUP BY id HAVING min(started_at) <> max(started_at) OR min(ends) <> max(ends)
  ) THEN
    RETURN NULL;
  END IF;
  closed := checks_closed_until();
  WITH changed AS (
    SELECT monitor_no, min(started_at) AS start, max(started_at) AS last_start, min(ends) AS first_end, max(ends) AS last_end
    FROM (
      SELECT id, monitor_no, started_at, coalesce(resolved_at, 'infinity') AS ends FROM was
      UNION ALL SELECT id, monitor_no, started_at, coalesce(resolved_at, 'infinity') FROM moved
    ) told WHERE monitor_no IS NOT NULL GROUP BY id, monitor_no
  )
  INSERT INTO rollup_dirty (monitor_no, span)
  SELECT monitor_no, span FROM changed, spans_between(start, least(last_start, closed)) AS span
  WHERE start < last_start AND start < closed
  UNION
  SELECT monitor_no, span FROM changed, spans_between(first_end, least(last_end, closed)) AS span
  WHERE first_end < last_end AND first_end < closed;
  RETURN NULL;
END $$;

CREATE TRIGGER incidents_downtime_opened AFTER INSERT ON incidents
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION note_opened_downtime();
CREATE TRIGGER incidents_downtime_moved AFTER UPDATE ON incidents
  REFERENCING OLD TABLE AS was NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION note_moved_downtime();
