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
