// Saves the text automatically after a pause in typing: one save at a time, in order.
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Postmortem, putPostmortem } from '#src/incidents/actions-contract.ts';
import { send } from '#web/write.ts';
import { afterSave, type Draft, tooLong, type Writable } from './draft.ts';

const PAUSE_MS = 900;
/** A failed save is retried automatically. */
const AGAIN_MS = 10_000;

type Params = { org_id: string; incident_id: string };

/**
 * `write` changes a field; `flush` saves at once and resolves with whether everything is saved. `first` is the initial
 * content while nothing is stored: it is saved with the first change, or when somebody saves or publishes it unchanged.
 */
export function useAutosave(params: Params, onSaved: (saved: Postmortem) => void, first: Draft | null) {
  const [draft, setDraft] = useState<Draft>({});
  const [saving, setSaving] = useState(false);
  const [savedAtUnix, setSavedAtUnix] = useState<number | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  // The newest values, for callbacks that outlive a render.
  const latest = useRef({ draft, params, onSaved, first });
  latest.current = { ...latest.current, params, onSaved, first };
  const under = useRef<Promise<boolean> | null>(null);

  const replace = useCallback((next: Draft) => {
    latest.current.draft = next;
    setDraft(next);
  }, []);

  const save = useCallback(async (): Promise<boolean> => {
    const { draft: written, first: begun } = latest.current;
    const sent = Object.keys(written).length === 0 ? (begun ?? {}) : written;
    if (Object.keys(sent).length === 0) return true;
    if (tooLong(sent).length > 0) return false;
    setSaving(true);
    try {
      const saved = await send(putPostmortem, { params: latest.current.params, body: sent as never });
      latest.current.onSaved(saved);
      replace(afterSave(latest.current.draft, sent));
      setRefused(null);
      setSavedAtUnix(Math.floor(Date.now() / 1_000));
      return Object.keys(latest.current.draft).length === 0;
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
      const { draft: written, first: begun } = latest.current;
      const under = Object.keys(written).length === 0 ? begun : null;
      replace({ ...under, ...written, [field]: text });
    },
    [replace],
  );

  const isDirty = Object.keys(draft).length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke restarts the pause
  useEffect(() => {
    if (!isDirty) return;
    const timer = setTimeout(() => void flush(), refused === null ? PAUSE_MS : AGAIN_MS);
    return () => clearTimeout(timer);
  }, [draft, refused, isDirty, flush]);

  return { draft, isDirty, saving, savedAtUnix, refused, write, flush };
}

export type Autosave = ReturnType<typeof useAutosave>;
