import type { PageLanguage } from '../domain/names.ts';
import { browserLanguage } from '../platform/http/current-request.ts';
import type { Database } from '../platform/work.ts';

/** The language of what a person asks for about their account: their own, else that of the browser that asks. */
export async function languageOf(db: Database, userId: string): Promise<PageLanguage> {
  const user = await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst();
  return (user?.language as PageLanguage | null | undefined) ?? browserLanguage() ?? 'en';
}
