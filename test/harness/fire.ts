// Posts results continuously, from several sides at once, and keeps a ledger of the acknowledged ones.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Result, ResultsReply } from '#src/probe-protocol/contract.ts';
import { makeClient } from './client.ts';
import { resultOf } from './probe.ts';

const GUNS = 4;
const BATCH = 50;

export type Fire = { acknowledged: Set<string>; repeated: number; stop: () => Promise<void> };
/** The acknowledged results of earlier rounds. */
export type Ledger = { acknowledged: Set<string>; lastMs: number };

/** Posts results continuously: each batch until it is acknowledged, as a probe does. */
export function openFire(url: string, token: string, monitors: readonly Monitor[], ledger: Ledger): Fire {
  const fire = { acknowledged: ledger.acknowledged, repeated: 0 };
  let ceased = false;
  const client = makeClient(url);
  const batch = (): Result[] =>
    Array.from({ length: BATCH }, (_, i) => {
      ledger.lastMs = Math.max(ledger.lastMs + 1, Date.now() - BATCH);
      const at = i % monitors.length;
      return resultOf(monitors[at]?.id ?? '', ledger.lastMs, at === 0 ? 'down' : 'up');
    });
  const gun = async () => {
    while (!ceased) {
      const results = batch();
      for (;;) {
        const body = { probe_id: 'gun', results };
        const answer = await client
          .send<ResultsReply>('POST', '/probe/results', body, { authorization: `Bearer ${token}` })
          .catch(() => null);
        if (answer?.status === 200) {
          const { accepted, duplicates } = answer.body;
          assert.equal(accepted + duplicates, BATCH, JSON.stringify(answer.body));
          fire.repeated += duplicates;
          break;
        }
        assert.ok(
          answer === null || answer.status === 503,
          `results answered ${answer?.status} ${JSON.stringify(answer?.body)}`,
        );
        await pause(50);
      }
      for (const result of results) fire.acknowledged.add(`${result.monitor_id} ${result.checked_at_ms}`);
    }
  };
  const guns = Promise.all(Array.from({ length: GUNS }, gun));
  guns.catch(() => undefined); // reported when the load ends
  return Object.assign(fire, {
    async stop() {
      ceased = true;
      await guns;
    },
  });
}
