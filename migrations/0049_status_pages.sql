-- What a status page shows, and to whom.

ALTER TABLE status_pages
  ADD COLUMN auto_link_incidents boolean NOT NULL DEFAULT true,
  -- IANA zone of the times on the page.
  ADD COLUMN timezone text NOT NULL DEFAULT 'UTC',
  ADD COLUMN shared_password_hash text,
  -- Counts changes of the shared password: a visitor who unlocked under an earlier one has to unlock again.
  ADD COLUMN unlock_version integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT status_pages_shared_password CHECK (access_mode <> 'shared_password' OR shared_password_hash IS NOT NULL);

CREATE TABLE status_page_slug_changes (
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  no bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (status_page_id, at, no)
);

CREATE TABLE status_page_monitors (
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  monitor_no integer NOT NULL REFERENCES monitors (no) ON DELETE CASCADE,
  -- null: the monitor's name, the name of its project.
  display_name text,
  group_label text,
  show_sparkline boolean NOT NULL,
  show_uptime_bars boolean NOT NULL,
  show_uptime_chart boolean NOT NULL,
  sort_order integer NOT NULL,
  uptime_window_days smallint NOT NULL CHECK (uptime_window_days IN (7, 14, 30, 90, 180, 365)),
  PRIMARY KEY (status_page_id, monitor_no)
);
CREATE INDEX status_page_monitors_monitor ON status_page_monitors (monitor_no);

CREATE TABLE status_page_logos (
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  ground text NOT NULL CHECK (ground IN ('light', 'dark')),
  media_type text NOT NULL,
  bytes bytea NOT NULL,
  uploaded_at timestamptz NOT NULL,
  PRIMARY KEY (status_page_id, ground)
);

-- People who may see one page and have no account of the installation.
CREATE TABLE status_page_viewers (
  id text PRIMARY KEY,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  username text NOT NULL,
  email text NOT NULL,
  -- null: invited by mail, and no password chosen yet.
  password_hash text,
  created_at timestamptz NOT NULL,
  last_login_at timestamptz
);
CREATE UNIQUE INDEX status_page_viewers_username ON status_page_viewers (status_page_id, lower(username));
CREATE UNIQUE INDEX status_page_viewers_email ON status_page_viewers (status_page_id, lower(email));

CREATE TABLE status_page_viewer_sessions (
  token_hash bytea PRIMARY KEY,
  viewer_id text NOT NULL REFERENCES status_page_viewers (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX status_page_viewer_sessions_viewer ON status_page_viewer_sessions (viewer_id);

-- Links in mails by which a viewer chooses a password: at the invitation, and when it was forgotten.
CREATE TABLE status_page_viewer_links (
  token_hash bytea PRIMARY KEY,
  viewer_id text NOT NULL REFERENCES status_page_viewers (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX status_page_viewer_links_viewer ON status_page_viewer_links (viewer_id);
