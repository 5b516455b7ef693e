// The public side of status pages: HTML under /status/{slug}, all other documents under /public/status-pages/{slug}. Plain
// routes and not operations of the mount: a visitor is no caller, and most answers are ready bytes.
import type { FastifyInstance } from 'fastify';
import type { SlowDown } from '#src/accounts/slow-down.ts';
import type { FirstOwnerOf } from '#src/organizations/first-owner.ts';
import type { Listener } from '#src/platform/db/listener.ts';
import type { Reads } from '#src/platform/db/replica/reads.ts';
import { answerFirst } from '#src/platform/http/answer-first.ts';
import type { Log } from '#src/platform/log.ts';
import type { Mail } from '#src/platform/mail/mail.ts';
import type { Database } from '#src/platform/work.ts';
import { serveSubscriptions } from '../subscriptions/serve.ts';
import { serveBeside } from './beside-routes.ts';
import type { Directory } from './directory.ts';
import { parseForms, serveForms } from './form-routes.ts';
import { makeGate } from './gate.ts';
import { serveHtml } from './html-routes.ts';
import { servePasswords } from './password-routes.ts';
import { startReadingAhead } from './read-ahead.ts';
import { makeAnswerReady } from './ready.ts';
import type { Site } from './site.ts';
import { makeViews } from './views.ts';

export type StatusPagesOptions = {
  db: Database;
  reads: Reads;
  listener: Listener;
  directory: Directory;
  clock: () => Date;
  elapsedMs: () => number;
  log: Log;
  firstOwnerOf: FirstOwnerOf;
  mail: Mail | null;
  slowDown: SlowDown;
  /** Signs the cookies of visitors; the same on every server. */
  key: Buffer;
  /** Base address of the installation, without a slash at the end. */
  baseUrl: string;
  /** See Site. */
  edgePort: string;
};

/** Serves all public status pages of the installation. Resolves when the first pages have been read ahead, or soon after. */
export async function serveStatusPages(
  http: FastifyInstance,
  options: StatusPagesOptions,
): Promise<{ stop: () => void }> {
  const { db, reads, listener, directory, clock, elapsedMs, log, firstOwnerOf, mail } = options;
  const { slowDown, key, baseUrl, edgePort } = options;
  const canMail = mail !== null;
  const views = makeViews({ reads, listener, directory, clock, elapsedMs, log, firstOwnerOf, canMail });
  const gate = makeGate({ db, key });
  directory.onChange(gate.forget);
  const site: Site = { db, directory, views, gate, clock, baseUrl, edgePort, canMail };
  await http.register((pages, _options, done) => {
    parseForms(pages);
    serveHtml(pages, site);
    serveBeside(pages, site);
    serveForms(pages, site, { slowDown });
    servePasswords(pages, site, { log, mail });
    serveSubscriptions(pages, site, key);
    done();
  });
  answerFirst(http, makeAnswerReady(directory, views));
  const ahead = startReadingAhead(site, log);
  await ahead.soon;
  return {
    stop() {
      ahead.stop();
      views.stop();
    },
  };
}
