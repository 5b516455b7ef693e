import { useRef, useState } from 'react';
import type { MonitorCreate } from '#src/monitors/contract.ts';
import { type CreatedMonitor, createMonitors, MAX_CREATED } from '#src/monitors/many/contract.ts';
import { send } from '#web/write.ts';

/**
 * Creates monitors, as many per request as the server accepts, each request in one transaction; `done` is the number
 * processed, null while idle. `create` returns a result for each, in order, and fewer after `stop`, which prevents further
 * requests.
 */
export function useCreateMany(projectId: string) {
  const [done, setDone] = useState<number | null>(null);
  const stopped = useRef(false);

  async function create(monitors: readonly MonitorCreate[]): Promise<CreatedMonitor[]> {
    const answers: CreatedMonitor[] = [];
    stopped.current = false;
    try {
      for (let at = 0; at < monitors.length && !stopped.current; at += MAX_CREATED) {
        setDone(at);
        const body = { monitors: monitors.slice(at, at + MAX_CREATED) };
        answers.push(...(await send(createMonitors, { params: { project_id: projectId }, body })));
      }
    } finally {
      setDone(null);
    }
    return answers;
  }

  const stop = () => {
    stopped.current = true;
  };
  return { done, create, stop };
}
