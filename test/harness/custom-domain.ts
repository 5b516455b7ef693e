// Verified domains of status pages, as rows, because the edge reads nothing else.
import { randomBytes } from 'node:crypto';
import { newId } from '#src/platform/ids.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { announcePage } from '#src/status-pages/changed.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { Place, TestApp } from './app.ts';
import { newPage, settings } from './status-page.ts';

type Domain = { id: string; domain: string; page: StatusPage };

/** A public page of an organization with a domain, verified by default. */
export async function newDomain(
  app: TestApp,
  domain: string,
  { place = app.home, status = 'verified' }: { place?: Pick<Place, 'orgId'>; status?: string } = {},
): Promise<Domain> {
  const page = await newPage(app.alice, place, `The page of ${domain}`);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  const id = newId('spd');
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    await work.tx
      .insertInto('status_page_domains')
      .values({
        ...{ id, org_id: place.orgId, status_page_id: page.id, domain, status },
        target_label: randomBytes(8).toString('hex'),
        verification_token: randomBytes(8).toString('hex'),
        created_at: work.now,
        pending_since: work.now,
        verified_at: status === 'verified' ? work.now : null,
      })
      .execute();
    await announcePage(work, page.id);
  });
  return { id, domain, page };
}

/** Removes a domain, as its owner would. */
export const dropDomain = ({ db, clock }: TestApp, { id, page }: Domain): Promise<void> =>
  runWork(db, clock.now(), SYSTEM, async (work) => {
    await work.tx.deleteFrom('status_page_domains').where('id', '=', id).execute();
    await announcePage(work, page.id);
  });
