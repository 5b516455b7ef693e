-- Words that people group their monitors by, across projects: each once, in lower case, in the order given.
ALTER TABLE monitors ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
