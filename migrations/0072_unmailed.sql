-- Operators whose mail about the last change of a trouble was refused, while that of another operator was accepted.
ALTER TABLE troubles ADD COLUMN unmailed text[] NOT NULL DEFAULT '{}';
