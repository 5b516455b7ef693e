-- The alarms of a storm, by number, whose pages are open at a paging target: triggered there, and not closed since.
ALTER TABLE grouped_lanes ADD COLUMN open_pages text[] NOT NULL DEFAULT '{}';
