import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeMonitors,
  type ListedMonitor,
  MAX_CHANGED,
  type MonitorAnswer,
} from '#src/monitors/all/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { partSentence } from '#web/ui/refusal-sentence.ts';
import { send } from '#web/write.ts';
import { showOptimistically } from '../show-optimistically.ts';
import { type Change, shownAs } from './shown-as.ts';

/** The outcome of a bulk change: how many monitors were changed, and why the others were not. */
export type Outcome = { done: string[]; refused: { name: string; message: string }[] };

/**
 * Changes monitors, as many per request as the server accepts; `progress` is the number processed, null while idle.
 * Predictable results show at once on all of them, and are rolled back if the server refuses.
 */
export function useBulk() {
  const orgId = useOrgId();
  const texts = useTranslation();
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
        const left = monitors.slice(at).map(({ id }) => id);
        // Again for each request: they were all refetched after the one before.
        const takeBack = await showOptimistically(left, (monitor) => shownAs(monitor, wanted));
        const body = { ...wanted, monitor_ids: left.slice(0, MAX_CHANGED) };
        try {
          answers.push(...(await send(changeMonitors, { params: { org_id: orgId }, body })));
        } catch (refused) {
          takeBack();
          throw refused;
        }
      }
    } finally {
      setProgress(null);
    }
    return {
      done: answers.filter(({ done }) => done).map(({ monitor_id }) => monitor_id),
      refused: answers.flatMap(({ monitor_id, refusal }) =>
        refusal === null
          ? []
          : [{ name: names.get(monitor_id) ?? monitor_id, message: partSentence(refusal, texts) }],
      ),
    };
  }

  return { progress, change };
}
