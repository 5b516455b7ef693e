import { useEffect, useState } from 'react';
import { createMonitors, MAX_CREATED } from '#src/monitors/many/contract.ts';
import { ApiError, call } from '#web/call.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import type { ImportLine } from './lines.ts';

/** The lines that the server would refuse, by line number; `checking`: not all lines are validated yet. */
export type Preview = { refused: ReadonlyMap<number, string>; checking: boolean; failure: string | null };

/** Waits for a pause in typing. */
const PAUSE_MS = 500;
const NOTHING: Preview = { refused: new Map(), checking: false, failure: null };

/** Lets the server validate these lines; drops the results when the lines change. */
export function usePreview(projectId: string | undefined, lines: readonly ImportLine[]): Preview {
  const sentence = useRefusalSentence();
  const [preview, setPreview] = useState(NOTHING);
  useEffect(() => {
    if (projectId === undefined || lines.length === 0) {
      setPreview(NOTHING);
      return;
    }
    let isOver = false;
    setPreview({ ...NOTHING, checking: true });
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    async function ask(): Promise<void> {
      const refused = new Map<number, string>();
      let fine = 0;
      try {
        for (let at = 0; at < lines.length; at += MAX_CREATED) {
          const part = lines.slice(at, at + MAX_CREATED);
          const monitors = part.flatMap(({ monitor }) => monitor ?? []);
          const body = { monitors, preview: true, preview_after: fine };
          const answers = await call(createMonitors, { params: { project_id: projectId ?? '' }, body });
          if (isOver) return;
          for (const [i, { refusal }] of answers.entries())
            if (refusal !== null) refused.set(part[i]?.no ?? 0, sentence(new ApiError(400, refusal)));
          fine += answers.filter(({ refusal }) => refusal === null).length;
          setPreview({
            refused: new Map(refused),
            checking: at + MAX_CREATED < lines.length,
            failure: null,
          });
        }
      } catch (error) {
        if (!isOver) setPreview({ refused, checking: false, failure: sentence(error) });
      }
    }
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [projectId, lines, sentence]);
  return preview;
}
