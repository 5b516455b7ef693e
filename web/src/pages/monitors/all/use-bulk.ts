import { useState } from 'react';
import {
  changeMonitors,
  type ListedMonitor,
  MAX_CHANGED,
  type ManyMonitors,
  type MonitorAnswer,
} from '#src/monitors/all/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { send } from '#web/write.ts';

export type Change = Omit<ManyMonitors, 'monitor_ids'>;

/** What became of a change: how many monitors have it, and why the others do not. */
export type Outcome = { done: string[]; refused: { name: string; message: string }[] };

/** Changes monitors, as many in a request as the server takes; `progress` is how many are through, null while nothing runs. */
export function useBulk() {
  const orgId = useOrgId();
  const [progress, setProgress] = useState<number | null>(null);

  async function change(
    monitors: readonly Pick<ListedMonitor, 'id' | 'name'>[],
    wanted: Change,
  ): Promise<Outcome> {
    const names = new Map(monitors.map(({ id, name }) => [id, name]));
    const answers: MonitorAnswer[] = [];
    try {
      for (let at = 0; at < monitors.length; at += MAX_CHANGED) {
        setProgress(at);
        const monitor_ids = monitors.slice(at, at + MAX_CHANGED).map(({ id }) => id);
        answers.push(
          ...(await send(changeMonitors, { params: { org_id: orgId }, body: { ...wanted, monitor_ids } })),
        );
      }
    } finally {
      setProgress(null);
    }
    return {
      done: answers.filter(({ done }) => done).map(({ monitor_id }) => monitor_id),
      refused: answers.flatMap(({ monitor_id, refusal }) =>
        refusal === null ? [] : [{ name: names.get(monitor_id) ?? monitor_id, message: refusal.message }],
      ),
    };
  }

  return { progress, change };
}
