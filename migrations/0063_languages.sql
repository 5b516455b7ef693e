-- The language of mails, pushes and chat messages. A person without one of their own gets what their organization has.
ALTER TABLE users ADD COLUMN language text;
ALTER TABLE organizations ADD COLUMN language text NOT NULL DEFAULT 'en';
