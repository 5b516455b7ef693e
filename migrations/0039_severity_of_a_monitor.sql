-- What the automatic incidents of a monitor are: a degraded one wakes nobody.
ALTER TABLE monitors ADD COLUMN severity text NOT NULL DEFAULT 'critical'
  CHECK (severity IN ('critical', 'default', 'degraded'));
