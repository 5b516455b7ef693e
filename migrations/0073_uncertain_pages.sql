-- A page of a storm was dropped after an attempt that failed: the provider may have another state than the one in `reported`.
ALTER TABLE grouped_lanes ADD COLUMN uncertain boolean NOT NULL DEFAULT false;
