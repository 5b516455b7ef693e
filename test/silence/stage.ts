// The installation of all walks: two servers, of which either may start again, their watchers, a mail server, and the people.

import { openPool } from '#src/platform/db/pool.ts';
import type { Mail } from '#src/platform/mail/mail.ts';
import { makeMail } from '#src/platform/mail/mail.ts';
import { type Person, startTestApp, type TestApp } from '../harness/app.ts';
import { silent } from '../harness/cluster.ts';
import { type Mailbox, startMailbox } from '../harness/mailbox.ts';
import { watchOnce } from '../harness/self-monitoring.ts';

/** Alice operates the installation and owns the first organization; Ben is its admin, Carl its member. Dora owns the second. */
export type People = { ben: Person; carl: Person; dora: Person };

export type Stage = AsyncDisposable & {
  app: TestApp;
  mailbox: Mailbox;
  people: People;
  /** The address of the second server. */
  secondUrl: () => string;
  /** One turn of the watch, by the first or the second server. */
  watch: (second: boolean) => Promise<void>;
  /** A server starts again: it remembers nothing of what it watched or showed. */
  restart: (second: boolean) => Promise<void>;
  /** Walks of this installation so far: regions have names of their own. */
  walks: number;
};

/** Starts the installation, on the cluster of the tests. */
export async function startStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const mailbox = await startMailbox();
    stack.defer(mailbox.stop);
    const app = stack.use(
      await startTestApp({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' } }),
    );
    let second = await app.another();
    stack.defer(() => Promise.resolve(second[Symbol.asyncDispose]()));
    const mail = makeMail({ smtpUrl: mailbox.url, from: 'tocsin@example.com' });
    const watchers = [makeWatcher(app, mail), makeWatcher(app, mail)];
    stack.defer(async () => void (await Promise.all(watchers.map(({ close }) => close()))));
    return {
      app,
      mailbox,
      people: {
        ben: await app.person('ben'),
        carl: await app.person('carl'),
        dora: await app.person('dora'),
      },
      secondUrl: () => second.url,
      watch: (bySecond) => watchers[Number(bySecond)]!.watch(),
      async restart(ofSecond) {
        await watchers[Number(ofSecond)]!.close();
        watchers[Number(ofSecond)] = makeWatcher(app, mail);
        if (!ofSecond) return;
        await second[Symbol.asyncDispose]();
        second = await app.another();
      },
      walks: 0,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** The watch of one server. What it remembers belongs to its pool. */
function makeWatcher({ databaseUrl, clock }: TestApp, mail: Mail | null) {
  const pool = openPool({ url: databaseUrl, log: silent, size: 2 });
  return {
    watch: () => watchOnce({ db: pool.db, clock: clock.now, mail, baseUrl: 'http://localhost' }),
    close: () => pool.close(),
  };
}
