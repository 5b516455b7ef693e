-- Maintenance windows and status pages of tags: whatever monitor has one of them is in, also one that gets it later. Which
-- those are stays written in the rows that there were before, so that nobody has to look tags up while results arrive.
ALTER TABLE maintenance_windows ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE maintenance_series ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE maintenance_monitors ADD COLUMN by_tag boolean NOT NULL DEFAULT false;
CREATE INDEX maintenance_windows_tags ON maintenance_windows (org_id, scheduled_end) WHERE tags <> '{}';
ALTER TABLE status_pages ADD COLUMN monitor_tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE status_page_monitors ADD COLUMN by_tag boolean NOT NULL DEFAULT false;
