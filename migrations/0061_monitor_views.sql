-- Named filters of the list of monitors: of one person, or without one of everybody in the organization.
CREATE TABLE monitor_views (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text,
  name text NOT NULL,
  search jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- Whoever leaves takes their own with them.
  FOREIGN KEY (org_id, user_id) REFERENCES members (org_id, user_id) ON DELETE CASCADE
);
CREATE INDEX monitor_views_org ON monitor_views (org_id, user_id);
