// Decides who may see a page that is not public: visitors with its cookie (docs/rules/status-pages.md#access). A cookie is
// valid for its own page only.
import { createHmac } from 'node:crypto';
import { DAY_MS } from '#src/domain/durations.ts';
import { hashToken, sameSecret } from '#src/platform/secrets.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { announcePage } from '../changed.ts';
import type { ServedPage } from './directory.ts';

/** How long a visitor stays unlocked, and a viewer stays signed in. */
export const LASTS_MS = 30 * DAY_MS;

/** Sessions of viewers that a process remembers; it is notified when one ends (directory.ts). */
const MAX_REMEMBERED = 10_000;

export type Gate = {
  /** Whether a visitor with this cookie of the page may see it. Rejects if that needs the database while it is away. */
  admits: (page: ServedPage, cookie: string | null, now: Date) => Promise<boolean>;
  /** The value of the cookie for a visitor who knew the shared password. */
  unlocked: (page: ServedPage, now: Date) => string;
  /** Ends the session of the cookie if it is a viewer's; does nothing otherwise. */
  leave: (page: ServedPage, cookie: string | null, now: Date) => Promise<void>;
  /** Forgets the sessions of a page, or of all. */
  forget: (pageId: string | null) => void;
};

/** The name of a page's cookie. Under https it is bound to its host. */
export const cookieName = (pageId: string, https: boolean) =>
  `${https ? '__Host-' : ''}tocsin_page_${pageId.slice(4)}`;

/** A Set-Cookie header; without a value it deletes the cookie. */
export function setCookie(pageId: string, https: boolean, value: string | null): string {
  const age = value === null ? 0 : LASTS_MS / 1000;
  return `${cookieName(pageId, https)}=${value ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
}

export function makeGate({ db, key }: { db: Database; key: Buffer }): Gate {
  /** The end of each session, by page and then by the token's hash. */
  const sessions = new Map<string, Map<string, number>>();
  /** The number of times that sessions were forgotten. */
  let forgotten = 0;

  const signed = (page: ServedPage, untilUnix: number) =>
    createHmac('sha256', key).update(`${page.id} ${page.unlockVersion} ${untilUnix}`).digest('base64url');

  function isUnlocked(page: ServedPage, value: string, now: Date): boolean {
    const [, until = '', signature = ''] = /^u(\d{1,12})\.([\w-]{43})$/.exec(value) ?? [];
    return Number(until) * 1000 > now.getTime() && sameSecret(signature, signed(page, Number(until)));
  }

  async function isSession(page: ServedPage, value: string, now: Date): Promise<boolean> {
    if (!/^v[\w-]{43}$/.test(value)) return false;
    const hash = hashToken(value.slice(1));
    const text = hash.toString('base64url');
    const known = sessions.get(page.id)?.get(text);
    if (known !== undefined) return known > now.getTime();
    const asked = forgotten;
    const row = await db
      .selectFrom('status_page_viewer_sessions as s')
      .innerJoin('status_page_viewers as v', 'v.id', 's.viewer_id')
      .select('s.expires_at')
      .where('s.token_hash', '=', hash)
      .where('v.status_page_id', '=', page.id)
      .executeTakeFirst();
    if (!row) return false;
    // A session that ended while it was read must not be remembered.
    if (asked === forgotten) {
      const own = sessions.get(page.id) ?? new Map<string, number>();
      if (own.size >= MAX_REMEMBERED) own.clear();
      sessions.set(page.id, own.set(text, row.expires_at.getTime()));
    }
    return row.expires_at > now;
  }

  return {
    async admits(page, value, now) {
      if (page.accessMode === 'public') return true;
      if (value === null) return false;
      return page.accessMode === 'shared_password'
        ? isUnlocked(page, value, now)
        : isSession(page, value, now);
    },
    unlocked(page, now) {
      const untilUnix = Math.floor((now.getTime() + LASTS_MS) / 1000);
      return `u${untilUnix}.${signed(page, untilUnix)}`;
    },
    async leave(page, value, now) {
      if (page.accessMode !== 'viewer_login' || value === null || !/^v[\w-]{43}$/.test(value)) return;
      const hash = hashToken(value.slice(1));
      await runWork(db, now, SYSTEM, async (work) => {
        await work.tx.deleteFrom('status_page_viewer_sessions').where('token_hash', '=', hash).execute();
        // Every server forgets it.
        await announcePage(work, page.id);
      });
    },
    forget(pageId) {
      forgotten += 1;
      if (pageId === null) sessions.clear();
      else sessions.delete(pageId);
    },
  };
}

/** The value of a cookie in a Cookie header; null if it is absent. */
export function cookieValue(cookies: string | undefined, name: string): string | null {
  for (const pair of cookies?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
