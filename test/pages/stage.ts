// The installation of all walks. How often a page is read goes by the clock of the walk, too.
import { makeClock, startTestApp, type TestApp } from '../harness/app.ts';
import { type Mailbox, startMailbox } from '../harness/mailbox.ts';

/** `stayOnline`: the probe reports on a monitor that is none of the walk's. */
export type Stage = AsyncDisposable & {
  app: TestApp;
  mailbox: Mailbox;
  stayOnline: () => Promise<unknown>;
};

/** Starts it, on the cluster of the tests. It works no stored jobs: the walk does, when they are due. */
export async function startStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const mailbox = await startMailbox();
    stack.defer(mailbox.stop);
    const clock = makeClock();
    const app = stack.use(
      await startTestApp({
        clock,
        elapsedMs: clock.ms,
        roles: ['api', 'ingest', 'pages'],
        env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' },
      }),
    );
    const { id } = await app.alice.ok<{ id: string }>('POST', `/projects/${app.home.projectId}/monitors`, {
      ...{ name: 'Elsewhere', type: 'http', config: { url: 'https://shop.example.com/' } },
    });
    const stayOnline = () => app.probe().says(id, 'up');
    return { app, mailbox, stayOnline, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
