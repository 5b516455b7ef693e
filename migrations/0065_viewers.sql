-- A fifth role, viewer, which only reads. The contract of the interface says which roles there are.
ALTER TABLE members DROP CONSTRAINT members_role_check;
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check;
