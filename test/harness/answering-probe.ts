// A probe that checks nothing and answers every "test now" at once, with the test's answer by type.
import type { Probe } from './probe.ts';

type Said = { observed: object; judgements?: object[] };

/** Answers until stopped. */
export function answerTests(url: string, probe: Probe, say: (type: string, config: never) => Said) {
  let isOver = false;
  const working = (async () => {
    let assigned = await probe.assignments();
    while (!isOver) {
      for (const { test_id, type, config } of assigned.tests) {
        const { observed, judgements = [] } = say(type, config as never);
        const body = { probe_id: 'probe-1', test_id, observed, judgements, reached_private: false };
        await fetch(`${url}/probe/test-results`, {
          method: 'POST',
          headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      }
      assigned = await probe.assignments({ since: assigned.revision, epoch: assigned.epoch, wait: 1 });
    }
  })();
  return {
    async stop() {
      isOver = true;
      await working;
    },
  };
}
