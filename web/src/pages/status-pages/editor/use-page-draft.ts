// The draft of a status page: its changes, their validation, and saving them.
import { useMemo, useState } from 'react';
import {
  getStatusPage,
  type StatusPageDetail,
  setStatusPageMonitors,
  updateStatusPage,
} from '#src/status-pages/contract.ts';
import { type Clash, clashesOf, followedOf, mergedOf, type Prefer } from '#web/meanwhile/clashes.ts';
import { queryClient, read } from '#web/read.ts';
import { isDifferent } from '#web/ui/differ.ts';
import { useWrite, type Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { useAddressRefusal } from '../use-address-refusal.ts';
import { monitorsBody, type ShownMonitor } from './monitor-list.ts';
import {
  changesOf,
  draftOf,
  type PageDraft,
  type Problems,
  problemsOf,
  type Settings,
  settingsBody,
  settingsOf,
} from './page-draft.ts';

export type Editor = {
  detail: StatusPageDetail;
  draft: PageDraft;
  isDirty: boolean;
  problems: Problems;
  /** Whether somebody has tried to save: problems are shown from then on. */
  tried: boolean;
  /** What somebody else has changed as well since the changes began. */
  clashes: Clash[];
  /** How often saving was stopped by that. */
  stopped: number;
  settle: (prefer: Prefer) => void;
  write: Write<void>;
  change: (settings: Partial<Settings>) => void;
  setMonitors: (monitors: ShownMonitor[]) => void;
  setTags: (tags: string[]) => void;
  /** Saves the changes; false: a problem, somebody else's change or the server's refusal prevented it. */
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
  const isTouched = settings !== null || monitors !== null || tags !== null;
  const [begun, setBegun] = useState(stored);
  // As the page was when its changes began.
  const base = isTouched ? begun : stored;
  const mine = useMemo(
    () => ({
      settings: settings ?? base.settings,
      monitors: monitors ?? base.monitors,
      tags: tags ?? base.tags,
      tagged: stored.tagged,
    }),
    [settings, monitors, tags, base, stored],
  );
  // What others change meanwhile shows at once, except where the reader has changed it too.
  const draft = useMemo(() => mergedOf(base, mine, stored, 'mine'), [base, mine, stored]);
  const [stopped, setStopped] = useState(0);
  // What is on screen is what the next change is made of.
  const shown = (own: Settings) => mergedOf(base.settings, own, stored.settings, 'mine', 1);
  function begin() {
    setBegun(followedOf(base, mine, stored));
    setSettings((own) => (own === null ? null : shown(own)));
    setMonitors((own) => (own === null || isDifferent(own, base.monitors) ? own : null));
    setTags((own) => (own === null || isDifferent(own, base.tags) ? own : null));
  }
  const areSettingsChanged = isDifferent(settingsBody(draft), settingsBody(stored));
  const areMonitorsChanged =
    isDifferent(monitorsBody(draft.monitors), monitorsBody(stored.monitors)) ||
    isDifferent(draft.tags, stored.tags);
  const problems = problemsOf(draft, detail.page.shared_password_set);
  const isComplete = Object.keys(problems).length === 1 && problems.headerNav.size === 0;

  const params = { id: detail.page.id };
  const { queryKey } = read(getStatusPage, { params });

  async function sendChanges(): Promise<boolean> {
    const now = draftOf(await queryClient.fetchQuery({ ...read(getStatusPage, { params }), staleTime: 0 }));
    if (clashesOf(base, mine, now).length > 0) {
      setStopped(stopped + 1);
      return false;
    }
    const sent = mergedOf(base, mine, now, 'mine');
    // Monitors first: if this publishes the page, it must appear with them.
    if (areMonitorsChanged) {
      const body = { monitors: monitorsBody(sent.monitors), tags: sent.tags };
      await send(setStatusPageMonitors, { params, body }, (reply) => {
        queryClient.setQueryData(queryKey, reply);
        // Changes made during the request are not part of it.
        setMonitors((now) => (now === monitors ? null : now));
        setTags((now) => (now === tags ? null : now));
        const { monitors: kept, tags: keptTags } = draftOf(reply);
        setBegun((before) => ({ ...before, monitors: kept, tags: keptTags }));
      });
    }
    if (areSettingsChanged) {
      await send(updateStatusPage, { params, body: changesOf(sent, now) }, (page) => {
        queryClient.setQueryData(queryKey, (before) => (before === undefined ? before : { ...before, page }));
        setSettings((now) => (now === settings ? null : now));
        setBegun((before) => ({ ...before, settings: settingsOf(page) }));
      });
    }
    setTried(false);
    return true;
  }

  return {
    detail,
    draft,
    isDirty: areSettingsChanged || areMonitorsChanged,
    problems,
    tried,
    write,
    clashes: clashesOf(base, mine, stored),
    stopped,
    settle(prefer) {
      const settled = mergedOf(base, mine, stored, prefer);
      setBegun(stored);
      setSettings(settled.settings);
      setMonitors(settled.monitors);
      setTags(settled.tags);
    },
    change(changed) {
      begin();
      setSettings((own) => ({ ...(own ?? stored.settings), ...changed }));
    },
    setMonitors(next) {
      begin();
      setMonitors(next);
    },
    setTags(next) {
      begin();
      setTags(next);
    },
    async save() {
      setTried(true);
      let isSaved = false;
      const isDone =
        isComplete &&
        (await write.run(async () => {
          isSaved = await sendChanges();
        }));
      return isDone && isSaved;
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
