-- What the first proof of the address took away ({at, removed}), until its owner says that they have read it.
ALTER TABLE users ADD COLUMN first_proof jsonb;
