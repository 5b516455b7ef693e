-- The first mails of each mailing that are due, so that a mailing to thousands does not hold up those of other pages.
CREATE INDEX status_page_mails_in_turn ON status_page_mails (mailing_no, next_at, no);
DROP INDEX status_page_mails_mailing;
