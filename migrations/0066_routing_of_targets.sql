-- Targets may ask for some incidents only: of these projects, with one of these tags, at least this severe. Empty, and
-- 'degraded', is all of them.
ALTER TABLE webhook_targets ADD COLUMN project_ids text[] NOT NULL DEFAULT '{}';
ALTER TABLE webhook_targets ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE webhook_targets ADD COLUMN min_severity text NOT NULL DEFAULT 'degraded';

-- Whether a target receives an incident or a maintenance window: settled once, so that whoever received its beginning receives
-- its end, whatever changes in between. A target that never asked for less than everything has no rows.
CREATE TABLE target_concerns (
  about_id text NOT NULL,
  target_id text NOT NULL,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  concerned boolean NOT NULL,
  PRIMARY KEY (about_id, target_id)
);
CREATE INDEX target_concerns_left_out ON target_concerns (target_id) WHERE NOT concerned;
CREATE INDEX target_concerns_org ON target_concerns (org_id);
