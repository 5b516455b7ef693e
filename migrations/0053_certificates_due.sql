-- When the certificate of a domain is looked at next, in place of when it was: a server that dies over it is followed by another
-- at a time of its own. null: at once.
ALTER TABLE status_page_domains RENAME COLUMN cert_checked_at TO cert_next_check_at;
CREATE INDEX status_page_domains_certificates ON status_page_domains (cert_next_check_at) WHERE edge_synced;
