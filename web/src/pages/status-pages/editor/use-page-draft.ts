// The draft of a status page: its changes, their validation, and saving them.
import { useMemo, useState } from 'react';
import {
  getStatusPage,
  type StatusPageDetail,
  setStatusPageMonitors,
  updateStatusPage,
} from '#src/status-pages/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { isDifferent } from '#web/ui/differ.ts';
import { useWrite, type Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { useAddressRefusal } from '../use-address-refusal.ts';
import { monitorsBody, type ShownMonitor } from './monitor-list.ts';
import {
  draftOf,
  type PageDraft,
  type Problems,
  problemsOf,
  type Settings,
  settingsBody,
} from './page-draft.ts';

export type Editor = {
  detail: StatusPageDetail;
  draft: PageDraft;
  isDirty: boolean;
  problems: Problems;
  /** Whether somebody has tried to save: problems are shown from then on. */
  tried: boolean;
  write: Write<void>;
  change: (settings: Partial<Settings>) => void;
  setMonitors: (monitors: ShownMonitor[]) => void;
  setTags: (tags: string[]) => void;
  /** Saves the changes; false: a problem or the server's refusal prevented it. */
  save: () => Promise<boolean>;
  discard: () => void;
};

export function usePageDraft(detail: StatusPageDetail): Editor {
  const [settings, setSettings] = useState<Settings | null>(null);
  const [monitors, setMonitors] = useState<ShownMonitor[] | null>(null);
  const [tags, setTags] = useState<string[] | null>(null);
  const [tried, setTried] = useState(false);
  const write = useWrite<void>({ words: useAddressRefusal() });
  const stored = useMemo(() => draftOf(detail), [detail]);
  const draft = useMemo(
    () => ({
      settings: settings ?? stored.settings,
      monitors: monitors ?? stored.monitors,
      tags: tags ?? stored.tags,
      tagged: stored.tagged,
    }),
    [settings, monitors, tags, stored],
  );
  const areSettingsChanged = isDifferent(settingsBody(draft), settingsBody(stored));
  const areMonitorsChanged =
    isDifferent(monitorsBody(draft.monitors), monitorsBody(stored.monitors)) ||
    isDifferent(draft.tags, stored.tags);
  const problems = problemsOf(draft, detail.page.shared_password_set);
  const isComplete = Object.keys(problems).length === 1 && problems.headerNav.size === 0;

  const params = { id: detail.page.id };
  const { queryKey } = read(getStatusPage, { params });

  async function sendChanges(): Promise<void> {
    // Monitors first: if this publishes the page, it must appear with them.
    if (areMonitorsChanged) {
      const body = { monitors: monitorsBody(draft.monitors), tags: draft.tags };
      await send(setStatusPageMonitors, { params, body }, (reply) => {
        queryClient.setQueryData(queryKey, reply);
        // Changes made during the request are not part of it.
        setMonitors((now) => (now === monitors ? null : now));
        setTags((now) => (now === tags ? null : now));
      });
    }
    if (areSettingsChanged) {
      await send(updateStatusPage, { params, body: settingsBody(draft) }, (page) => {
        queryClient.setQueryData(queryKey, (before) => (before === undefined ? before : { ...before, page }));
        setSettings((now) => (now === settings ? null : now));
      });
    }
    setTried(false);
  }

  return {
    detail,
    draft,
    isDirty: areSettingsChanged || areMonitorsChanged,
    problems,
    tried,
    write,
    change: (changed) => setSettings((before) => ({ ...(before ?? stored.settings), ...changed })),
    setMonitors,
    setTags,
    async save() {
      setTried(true);
      return isComplete ? write.run(sendChanges) : false;
    },
    discard() {
      setSettings(null);
      setMonitors(null);
      setTags(null);
      setTried(false);
      write.reset();
    },
  };
}
