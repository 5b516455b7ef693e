-- When what a window says last changed; null: never since it was planned, or before this was kept.
ALTER TABLE maintenance_windows ADD COLUMN changed_at timestamptz;
