// Saves the text automatically after a pause in typing: one save at a time, in order.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { getPostmortem, type Postmortem, putPostmortem } from '#src/incidents/actions-contract.ts';
import { getIncident } from '#src/incidents/contract.ts';
import type { Prefer } from '#web/meanwhile/clashes.ts';
import { queryClient, read } from '#web/read.ts';
import { send } from '#web/write.ts';
import {
  afterSave,
  changesIn,
  clashesIn,
  type Draft,
  EMPTY,
  settled,
  tooLong,
  UNWRITTEN,
  type Writable,
  type Written,
  withText,
} from './draft.ts';

const PAUSE_MS = 900;
/** A failed save is retried automatically. */
const AGAIN_MS = 10_000;

type Params = { org_id: string; incident_id: string };

/** What is stored now; null: nothing. Asked for only where there is one: a browser reports a 404 as an error. */
async function readNow(params: Params): Promise<Postmortem | null> {
  const postmortem = read(getPostmortem, { params });
  if (queryClient.getQueryData(postmortem.queryKey) === undefined) {
    const incident = await queryClient.fetchQuery({ ...read(getIncident, { params }), staleTime: 0 });
    if (!incident.has_postmortem) return null;
  }
  return queryClient.fetchQuery({ ...postmortem, staleTime: 0 });
}

/**
 * `write` changes a field; `flush` saves at once and resolves with whether everything is saved. `first` is the initial
 * content while nothing is stored: it is saved with the first change, or when somebody saves or publishes it unchanged.
 * Nothing is saved over what somebody else has written of the same field, until `settle`.
 */
export function useAutosave(params: Params, first: Draft | null) {
  const [written, setWritten] = useState(UNWRITTEN);
  const [saving, setSaving] = useState(false);
  const [savedAtUnix, setSavedAtUnix] = useState<number | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const [stopped, setStopped] = useState(0);
  // From the cache: what was just saved is there before the page is rendered with it.
  const { data: stored = null } = useQuery({ ...read(getPostmortem, { params }), enabled: false });
  // The text that is being saved may be read before the answer comes.
  const clashes = saving ? [] : clashesIn(written, stored);
  const isClashing = clashes.length > 0;
  // The newest values, for callbacks that outlive a render.
  const latest = useRef({ written, params, first, stored });
  latest.current = { ...latest.current, params, first, stored };
  const under = useRef<Promise<boolean> | null>(null);

  const replace = useCallback((next: Written) => {
    latest.current.written = next;
    setWritten(next);
  }, []);

  const save = useCallback(async (): Promise<boolean> => {
    const isUntouched = Object.keys(latest.current.written.draft).length === 0;
    if (isUntouched && Object.keys(latest.current.first ?? {}).length === 0) return true;
    if (tooLong(latest.current.written.draft).length > 0) return false;
    setSaving(true);
    try {
      const now = await readNow(latest.current.params);
      const saved =
        isUntouched && now === null
          ? { draft: latest.current.first ?? {}, before: {} }
          : latest.current.written;
      if (clashesIn(saved, now).length > 0) return false;
      const body = changesIn(saved, now);
      if (Object.keys(body).length > 0)
        await send(putPostmortem, { params: latest.current.params, body: body as never }, (reply) =>
          queryClient.setQueryData(read(getPostmortem, { params: latest.current.params }).queryKey, reply),
        );
      replace(afterSave(latest.current.written, saved.draft));
      setRefused(null);
      setSavedAtUnix(Math.floor(Date.now() / 1_000));
      return Object.keys(latest.current.written.draft).length === 0;
    } catch (error) {
      setRefused(error);
      return false;
    } finally {
      setSaving(false);
    }
  }, [replace]);

  const flush = useCallback(async (): Promise<boolean> => {
    // Text written during a save is not part of it, so save again.
    while (under.current !== null) if (await under.current) return true;
    under.current = save().finally(() => {
      under.current = null;
    });
    return under.current;
  }, [save]);

  const write = useCallback(
    (field: Writable, text: string) => {
      const { written: before, first: begun, stored: now } = latest.current;
      const shown = { ...EMPTY, ...now, ...begun };
      replace(withText(before, field, text, { shown, first: begun }));
    },
    [replace],
  );

  const isDirty = Object.keys(written.draft).length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke restarts the pause
  useEffect(() => {
    if (!isDirty || isClashing) return;
    const timer = setTimeout(() => void flush(), refused === null ? PAUSE_MS : AGAIN_MS);
    return () => clearTimeout(timer);
  }, [written, refused, isDirty, isClashing, flush]);

  return {
    draft: written.draft,
    isDirty,
    saving,
    savedAtUnix,
    refused,
    clashes,
    stopped,
    write,
    /** As somebody asks for it: they are led to the clashes that stop it. */
    async flush(): Promise<boolean> {
      const isSaved = !isClashing && (await flush());
      if (!isSaved) setStopped((before) => before + 1);
      return isSaved;
    },
    settle(prefer: Prefer) {
      if (stored !== null) replace(settled(written, stored, prefer));
      setStopped(0);
    },
  };
}

export type Autosave = ReturnType<typeof useAutosave>;
