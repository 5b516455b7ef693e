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
import { inParts, type Parts } from './in-parts.ts';
import { type Change, shownAs } from './shown-as.ts';

/** The outcome of a bulk change: which monitors were changed, why others were not, and why it ended before the last of them. */
export type Outcome = {
  done: string[];
  refused: { name: string; message: string }[];
  failure: Parts<MonitorAnswer>['failure'];
};

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
    const ids = monitors.map(({ id }) => id);
    const { answers, failure } = await inParts(ids, MAX_CHANGED, async (left, before) => {
      setProgress(before);
      // Again for each request: they were all refetched after the one before.
      const takeBack = await showOptimistically(left, (monitor) => shownAs(monitor, wanted));
      const body = { ...wanted, monitor_ids: left.slice(0, MAX_CHANGED) };
      try {
        return await send(changeMonitors, { params: { org_id: orgId }, body });
      } catch (refused) {
        takeBack();
        throw refused;
      }
    });
    setProgress(null);
    return {
      failure,
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
