-- Who does not want to see the first steps of an organization any more (docs/rules/on-call-and-alarms.md#first-steps).
ALTER TABLE members ADD COLUMN first_steps_hidden_at timestamptz;
