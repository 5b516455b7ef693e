// Sign-ins a second: each one hashes a password (scrypt), off the event loop. The important figure is the effect on everybody
// else.
import { createUser, passwordHash } from '../src/accounts/create-user.ts';
import { runWork, SYSTEM } from '../src/platform/work.ts';
import { startChild } from './child.ts';
import { count, ms, quantile, type RunBench, times } from './figure.ts';
import { sendRequests } from './requests.ts';
import { startSubject } from './subject.ts';

const USERS = 50;
const IN_FLIGHT = 8;
const PASSWORD = 'a long enough password';

export const signIns: RunBench = async (context) => {
  const seconds = context.quick ? 3 : 15;
  // One client stands for many, so its address would be rate limited.
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  context.say(`making ${USERS} users`);
  const hash = await passwordHash(PASSWORD);
  const emails = Array.from({ length: USERS }, (_, i) => `person-${i}@example.com`);
  await runWork(subject.database.db, new Date(), SYSTEM, async (work) => {
    for (const email of emails)
      await createUser(work, { email, name: email, passwordHash: hash, operator: false });
  });
  const signIn = (inFlight: number, forSeconds: number) =>
    sendRequests(context, {
      url: subject.url,
      requests: emails.map((email) => ({
        method: 'POST',
        path: '/auth/sign-in/email',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: PASSWORD }),
      })),
      inFlight,
      seconds: forSeconds,
      status: 200,
    });
  const others = () =>
    sendRequests(context, {
      url: subject.url,
      requests: [{ method: 'GET', path: '/healthz', headers: {} }],
      inFlight: 1,
      seconds,
      status: 200,
    });
  context.say('warming up');
  await signIn(IN_FLIGHT, 2);
  context.say(`${seconds} s without sign-ins, then ${seconds} s of them`);
  await loopLagMs(subject.url);
  const quiet = await others();
  const quietLagMs = await loopLagMs(subject.url);
  const [many, meanwhile] = await Promise.all([signIn(IN_FLIGHT, seconds), others()]);
  const busyLagMs = await loopLagMs(subject.url);

  context.say('the hash alone');
  const bare = startChild(context, 'bare-hash-process.ts');
  await bare.next('ready');
  const done = bare.next<{ hashes: number; seconds: number }>('done');
  bare.send({ hash, password: PASSWORD, inFlight: IN_FLIGHT, seconds });
  const alone = await done;

  const perSecond = many.answered / many.seconds;
  const bareSecond = alone.hashes / alone.seconds;
  return {
    rows: [
      {
        figure: `Sign-ins a second, ${IN_FLIGHT} in flight`,
        tocsin: perSecond.toFixed(1),
        beside: `${bareSecond.toFixed(1)} the hash alone`,
        ratio: times(perSecond, bareSecond),
      },
      {
        figure: 'a sign-in: median, p99',
        tocsin: `${ms(quantile(many.tookMs, 0.5))}, ${ms(quantile(many.tookMs, 0.99))}`,
      },
      {
        figure: 'Event loop delay of the server meanwhile, p99',
        tocsin: ms(busyLagMs),
        beside: `${ms(quietLagMs)} without sign-ins`,
      },
      {
        figure: 'Another request meanwhile: median, p99',
        tocsin: `${ms(quantile(meanwhile.tookMs, 0.5))}, ${ms(quantile(meanwhile.tookMs, 0.99))}`,
        beside: `${ms(quantile(quiet.tookMs, 0.5))}, ${ms(quantile(quiet.tookMs, 0.99))} without sign-ins`,
      },
    ],
    notes: [
      `${count(USERS)} users in turn, scrypt as the sign-in library has it (N 16384, r 16, p 1), in Node's thread pool.`,
      'The delay is what the server says of itself (nodejs_eventloop_lag_p99_seconds, sampled every 10 ms: an idle loop shows about 10 ms).',
      'Rate limits off: one client stands for many addresses.',
    ],
  };
};

/** The server's own histogram since the last call, which resets it. */
async function loopLagMs(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  if (found === undefined) throw new Error('the server does not tell its event loop delay');
  return Number(found) * 1000;
}
