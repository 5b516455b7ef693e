// The page as it would be with what is not saved yet, drawn by the server as it draws it for visitors.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PageLanguage } from '#src/domain/names.ts';
import { previewStatusPage } from '#src/status-pages/contract.ts';
import { call } from '#web/call.ts';
import { monitorsBody } from '../editor/monitor-list.ts';
import { settingsBody } from '../editor/page-draft.ts';
import type { Editor } from '../editor/use-page-draft.ts';

/** A pause in typing. */
const PAUSE_MS = 400;
/** Earlier versions are of no use: each is a whole document. */
const KEPT_MS = 5_000;

export function usePreview({ detail, draft }: Editor, language: PageLanguage) {
  const { id } = detail.page;
  const wanted = useMemo(
    () => ({
      settings: settingsBody(draft),
      monitors: monitorsBody(draft.monitors),
      tags: draft.tags,
      language,
    }),
    [draft, language],
  );
  const [body] = useDebouncedValue(wanted, PAUSE_MS);
  return useQuery({
    // Logos are no part of what is sent: with another detail they may be others.
    queryKey: [previewStatusPage.id, id, detail, body],
    queryFn: () => call(previewStatusPage, { params: { id }, body }),
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
