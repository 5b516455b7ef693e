import type { Log } from '../probe/log.ts';
import { pause } from '../probe/retry.ts';
import { retryDelayMs } from './backoff.ts';
import type { Link } from './link.ts';
import type { MachineName } from './machine-name.ts';
import type { Identity, Store } from './store.ts';

export type EnrolOptions = {
  url: string;
  token: string;
  labels: string | undefined;
  machine: MachineName;
  agentVersion: string;
  store: Store;
  link: Link;
  log: Log;
  /** Tries once only: an unreachable server is a failure. */
  once: boolean;
  signal: AbortSignal;
  random?: () => number;
};

/**
 * Enrols this machine (docs/rules/agents.md#enrolment) and stores its credential. Tries again while the server is away; the
 * agent's own enrolment id makes all attempts one enrolment. Resolves to null after an abort; rejects with a sentence if
 * refused.
 */
export async function enrol(options: EnrolOptions): Promise<Identity | null> {
  const { url, token, labels, machine, agentVersion, store, link, log, once, signal } = options;
  const { random = Math.random } = options;
  const enrollment = {
    ...{ token, ...machine, agent_version: agentVersion, enrollment_id: store.enrollmentId() },
    ...(labels === undefined ? {} : { labels }),
  };
  for (let attempt = 0; !signal.aborted; attempt++) {
    const outcome = await link.enrol(enrollment);
    if (outcome.kind === 'ok') {
      const { agent_id: agentId, credential } = outcome.value;
      const identity = { url, agentId, credential };
      store.writeIdentity(identity);
      log('info', 'Enrolled', { agent_id: agentId, url: new URL(url).origin });
      return identity;
    }
    if (outcome.kind === 'unknown')
      throw new Error(`The server does not accept this enrolment token. ${outcome.message}`);
    if (outcome.kind === 'refused')
      throw new Error(`The server refuses to enrol this machine: ${outcome.message}`);
    if (once) throw new Error(outcome.message);
    await pause(retryDelayMs(attempt, outcome.retryAfterMs, random()), signal);
  }
  return null;
}
