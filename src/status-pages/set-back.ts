import { sql } from 'kysely';
import { countAsNow, countFromNow, type SetBack } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';
import { PAGE_MAILS_CHANNEL } from './subscriptions/make-mailing.ts';

/**
 * The clock was set back: mails of pages are tried again as soon as they were meant to be, domains are looked at as well, and what
 * limits count has happened by now (docs/rules/confirmation.md#a-clock-that-was-set-back).
 */
export async function rightStatusPages(work: Work, setBack: SetBack): Promise<void> {
  await countFromNow(work, setBack, 'status_page_mails', ['next_at']);
  await countAsNow(work, 'status_page_mailings', ['created_at']);
  // An announcement is mailed only if its incident was linked before.
  await countAsNow(work, 'incident_status_pages', ['linked_at']);
  await countAsNow(work, 'status_page_announcements', ['at']);
  await countAsNow(work, 'status_page_subscription_requests', ['at']);
  await countAsNow(work, 'status_page_slug_changes', ['at']);
  await countFromNow(work, setBack, 'status_page_domains', ['next_check_at', 'cert_next_check_at']);
  await countAsNow(work, 'status_page_domains', ['pending_since', 'dangling_since']);
  await sql`SELECT pg_notify(${PAGE_MAILS_CHANNEL}, '')`.execute(work.tx);
}
