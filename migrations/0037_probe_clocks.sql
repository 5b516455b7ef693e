-- How far the clock of a probe's machine was from the database's when it last asked for monitors; null: it has not said.
ALTER TABLE probes ADD COLUMN clock_off_ms integer;
