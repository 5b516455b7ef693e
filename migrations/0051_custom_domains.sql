-- Status pages on people's own domains: which page a name shows, and what DNS and the edge say of it.

CREATE TABLE status_page_domains (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  -- As DNS has it: lower-case A-labels, no dot at the end.
  domain text NOT NULL,
  -- The first label of the name that its CNAME record has to point at.
  target_label text NOT NULL UNIQUE,
  verification_token text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'verified', 'failed')),
  created_at timestamptz NOT NULL,
  -- A pending one is looked up until 72 hours after this.
  pending_since timestamptz NOT NULL,
  -- null: it is not looked up any more.
  next_check_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  verified_at timestamptz,
  -- Since when the record of a verified one has pointed elsewhere.
  dangling_since timestamptz,
  last_error text,
  -- Every edge that answers has it in its configuration.
  edge_synced boolean NOT NULL DEFAULT false,
  -- null: no edge was asked yet.
  cert_status text CHECK (cert_status IN ('pending', 'issued', 'failed')),
  cert_error text,
  cert_checked_at timestamptz,
  CHECK ((status = 'verified') = (verified_at IS NOT NULL))
);
CREATE UNIQUE INDEX status_page_domains_organization ON status_page_domains (org_id, domain);
-- The first to verify a name has it.
CREATE UNIQUE INDEX status_page_domains_verified ON status_page_domains (domain) WHERE status = 'verified';
CREATE INDEX status_page_domains_page ON status_page_domains (status_page_id);
CREATE INDEX status_page_domains_due ON status_page_domains (next_check_at) WHERE next_check_at IS NOT NULL;

-- Certificates that the edge was allowed to order, for the limits of orders. They outlive the domain: removing one and adding it
-- again must not start the count anew. Kept for a day.
CREATE TABLE certificate_orders (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  domain text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX certificate_orders_at ON certificate_orders (at);
CREATE INDEX certificate_orders_organization ON certificate_orders (org_id, at);
