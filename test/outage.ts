// One outage from end to end, with how long each step took: a journey test asserts it.
import { openEventStream } from './harness/event-stream.ts';
import { type Installation, startInstallation } from './harness/installation.ts';
import { type Received, type Receiver, startReceiver } from './harness/receiver.ts';
import { startTarget, type Target } from './harness/target.ts';

export type Outage = {
  opened: Received;
  resolved: Received;
  incident: Record<string, unknown>;
  afterRecovery: Record<string, unknown>;
  /** Milliseconds after the target answered the deciding check. */
  tookMs: {
    incidentDurable: number;
    webhookOpened: number;
    resolvedDurable: number;
    webhookResolved: number;
  };
};

/** Runs the outage on an installation of its own and tells it step by step. */
export async function runOutage(say: (line: string) => void): Promise<Outage> {
  const target = await startTarget();
  const receiver = await startReceiver();
  let installation: Installation | null = null;
  try {
    say('Starting Tocsin on a temporary folder …');
    installation = await startInstallation();
    say(`It serves at ${installation.url}\n`);
    return await outage(say, installation, target, receiver);
  } finally {
    await installation?.remove();
    await receiver.stop();
    await target.stop();
  }
}

async function outage(
  say: (line: string) => void,
  installation: Installation,
  target: Target,
  receiver: Receiver,
): Promise<Outage> {
  const alice = await installation.admin();
  const organization = await alice.ok<{ id: string }>('POST', '/organizations', { name: 'Demo' });
  const project = await alice.ok<{ id: string }>('POST', `/organizations/${organization.id}/projects`, {
    name: 'Shop',
  });
  const hook = await alice.ok<{ secret: string }>('POST', `/organizations/${organization.id}/webhooks`, {
    name: 'Receiver',
    kind: 'webhook',
    url: receiver.url,
    events: ['opened', 'acknowledged', 'resolved'],
  });
  receiver.trust(hook.secret);
  const live = await openEventStream(
    `${installation.url}/organizations/${organization.id}/events`,
    alice.cookie(),
  );
  const monitor = await alice.ok<{ id: string }>('POST', `/projects/${project.id}/monitors`, {
    name: 'Shop front',
    type: 'http',
    config: { url: target.url },
    interval_seconds: 1,
  });
  try {
    await live.next(
      (e) => e.event === 'monitor' && e.data.change === 'status' && e.data.last_status === 'passed',
    );
    say(`Monitor "Shop front" (${monitor.id}) checks ${target.url} every second: passed.`);

    target.answer(503);
    say('\nThe server is broken now: it answers 503.');
    const openedLive = await live.next((e) => e.event === 'incident' && e.data.change === 'opened');
    const opened = await receiver.next((r) => r.event === 'opened');
    const deciding = target.answers.filter((a) => a.status === 503)[1];
    const path = `/organizations/${organization.id}/incidents/${String(opened.body.incident?.id)}`;
    const incident = await alice.ok<Record<string, unknown>>('GET', path);
    say('\nThe incident:');
    say(JSON.stringify(incident, null, 2));
    say(
      `\nThe delivery "${opened.event}" (${opened.id}): signature ${opened.genuine ? 'genuine' : 'FORGED'}.`,
    );

    target.answer(200);
    say('\nThe server is mended: it answers 200.');
    const resolvedLive = await live.next((e) => e.event === 'incident' && e.data.change === 'resolved');
    const resolved = await receiver.next((r) => r.event === 'resolved');
    const recovering = target.answers.slice(target.answers.findLastIndex((a) => a.status === 503) + 1)[1];
    const afterRecovery = await alice.ok<Record<string, unknown>>('GET', path);
    say(
      `The incident is ${String(afterRecovery.status)} (auto_resolved: ${String(afterRecovery.auto_resolved)}).`,
    );
    say(
      `The delivery "${resolved.event}" (${resolved.id}): signature ${resolved.genuine ? 'genuine' : 'FORGED'}.`,
    );

    if (!deciding || !recovering)
      throw new Error('the target was not checked twice on either side of the outage');
    const tookMs = {
      incidentDurable: openedLive.atMs - deciding.atMs,
      webhookOpened: opened.atMs - deciding.atMs,
      resolvedDurable: resolvedLive.atMs - recovering.atMs,
      webhookResolved: resolved.atMs - recovering.atMs,
    };
    const ms = (value: number) => `${value.toFixed(1).padStart(8)} ms`;
    say('\nAfter the target answered the deciding check:');
    say(`  incident committed and seen by a dashboard ${ms(tookMs.incidentDurable)}`);
    say(`  signed webhook "opened" arrived            ${ms(tookMs.webhookOpened)}`);
    say('After it answered the check that completed the recovery:');
    say(`  incident resolved and seen by a dashboard  ${ms(tookMs.resolvedDurable)}`);
    say(`  signed webhook "resolved" arrived          ${ms(tookMs.webhookResolved)}`);
    return { opened, resolved, incident, afterRecovery, tookMs };
  } finally {
    live.stop();
  }
}
