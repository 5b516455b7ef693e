-- Monitors that are not checked from a region: what they measured lies in region 0, whose slug is empty.

INSERT INTO regions (no, slug, name, internal, created_at) OVERRIDING SYSTEM VALUE
  VALUES (0, '', '', true, now());

-- Host agents; what they are and what they report comes with their own slice.
CREATE TABLE agents (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  hostname text NOT NULL,
  enrolled_at timestamptz NOT NULL
);
CREATE INDEX agents_org ON agents (org_id, id);
