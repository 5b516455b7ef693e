// The probes of a walk: they fetch monitors and deliver what the walk says, or do not.
import type { Result } from '#src/probe-protocol/contract.ts';
import { resultOf } from '../harness/probe.ts';
import { type Check, noteAsked, noteCheck, noteDelivered } from './facts.ts';
import type { WalkedMonitor, WalkedProbe } from './place.ts';
import type { Mode } from './walk.ts';

const FAULTS = { busy: 'probe_busy', away: 'probe_network' } as const;
/** A probe asks for its monitors so often: more often than it would lose its share. */
const ASKS_MS = 10_000;
/** What keeps a probe from checking a monitor of the type at all. */
const NEVER: Readonly<Record<string, string>> = { ping: 'ping_unavailable' };

export type Runner = ReturnType<typeof makeRunner>;

export function makeRunner({ facts, client }: WalkedProbe, monitors: readonly WalkedMonitor[]) {
  let mode: Mode = 'works';
  let askedMs = 0;
  let given: readonly { id: string; seconds: number }[] = [];
  const checkedMs = new Map<string, number>();
  /** Results that wait for the server. */
  const kept: Result[] = [];

  const walked = (id: string) => monitors.find((each) => each.facts.id === id);

  function check(id: string, nowMs: number): Result {
    const monitor = walked(id);
    const fault = (failureClass: string) =>
      resultOf(id, nowMs, { status: 'down', failure_class: failureClass, cause_layer: 'probe' });
    if (mode === 'busy' || mode === 'away') return fault(FAULTS[mode]);
    if (monitor?.isHindered) return fault(NEVER[monitor.type] ?? 'blocked_target');
    return resultOf(id, nowMs, monitor?.isUp === false ? 'down' : 'up');
  }

  function checkWhatIsDue(nowMs: number): void {
    for (const { id, seconds } of given) {
      if (nowMs - (checkedMs.get(id) ?? 0) < seconds * 1000) continue;
      checkedMs.set(id, nowMs);
      kept.push(check(id, nowMs));
    }
  }

  async function ask(nowMs: number): Promise<void> {
    if (nowMs - askedMs < ASKS_MS) return;
    askedMs = nowMs;
    const { status, body } = await client.ask();
    if (status !== (facts.admitted ? 200 : 403)) throw new Error(`assignments answered ${status}`);
    if (!facts.admitted) {
      given = [];
      return;
    }
    const { monitors: all } = body;
    given = all.map(({ monitor_id, interval_seconds }) => ({ id: monitor_id, seconds: interval_seconds }));
    const shortest = given.length === 0 ? null : Math.min(...given.map(({ seconds }) => seconds));
    noteAsked(facts, shortest, nowMs);
  }

  async function deliver(nowMs: number): Promise<void> {
    const results = kept.splice(0);
    if (results.length === 0) return;
    const { status, body } = await client.post(results);
    // A refused probe keeps its results. Within 5 s of its refusal they may still be taken.
    if (status === 403 && !facts.admitted) {
      kept.unshift(...results);
      return;
    }
    if (status !== 200) throw new Error(`results answered ${status}: ${JSON.stringify(body)}`);
    const stored = results.filter((result) =>
      noteCheck(walked(result.monitor_id)?.facts, facts.region, checkOf(result), nowMs),
    );
    if (facts.admitted) noteDelivered(facts, stored.length > 0, nowMs);
    if (results.some(({ failure_class }) => failure_class === 'probe_busy')) facts.busyMs = nowMs;
    if (body.accepted + body.duplicates !== stored.length || body.refused.length > 0)
      throw new Error(`of ${stored.length} results that count the server took ${JSON.stringify(body)}`);
  }

  return {
    turn: (to: Mode) => {
      mode = to;
    },
    /** It is registered anew with its next request. */
    removed: () => {
      askedMs = 0;
    },
    /** What it does now, given whether a server runs. */
    async act(nowMs: number, isServed: boolean): Promise<void> {
      if (mode === 'stopped') return;
      const isReached = isServed && mode !== 'cut';
      if (isReached) await ask(nowMs);
      if (mode !== 'mute') checkWhatIsDue(nowMs);
      if (isReached && mode !== 'mute') await deliver(nowMs);
    },
  };
}

function checkOf({ checked_at_ms: atMs, status, cause_layer, failure_class }: Result): Check {
  const passes = Object.values(FAULTS).some((each) => each === failure_class);
  const kind = cause_layer !== 'probe' ? 'result' : passes ? 'fault' : 'never';
  return { atMs, kind, status };
}
