// The installation of all walks, and the people in them.
import { sql } from 'kysely';
import { type Person, startTestApp, type TestApp } from '../harness/app.ts';
import { type Mailbox, startMailbox } from '../harness/mailbox.ts';
import { type PushBrowser, type PushService, startPushService } from '../harness/push-service.ts';
import { PEOPLE } from './walk.ts';

/** `browsers`: one of each person. */
export type Stage = AsyncDisposable & {
  app: TestApp;
  mailbox: Mailbox;
  people: readonly Person[];
  browsers: readonly PushBrowser[];
};

/** A plan that has everything, and one that has everything else. */
export const WITH = 'business';
export const WITHOUT = 'business without on-call';

/** Starts the installation, on the cluster of the tests. */
export async function startStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const mailbox = await startMailbox();
    stack.defer(mailbox.stop);
    const pushes: PushService = await startPushService();
    stack.defer(pushes.stop);
    const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' };
    const app = stack.use(await startTestApp({ env }));
    await sql`INSERT INTO plans SELECT (jsonb_populate_record(p, ${JSON.stringify({ name: WITHOUT, on_call: false })}::jsonb)).*
      FROM plans p WHERE name = ${WITH}`.execute(app.db);
    const people = [app.alice];
    for (const name of PEOPLE.slice(1)) people.push(await app.person(name));
    const { key } = await app.alice.ok<{ key: string }>('GET', '/me/push/key');
    const browsers = people.map(() => pushes.browser(key));
    // Walks go by a clock of their own: tokens of another time are not what is tried here.
    for (const browser of browsers) pushes.answer(browser, 201);
    return { app, mailbox, people, browsers, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
