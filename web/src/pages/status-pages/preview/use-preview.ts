// The page with its unsaved changes, rendered by the server as for visitors.
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
/** Earlier versions are not cached: each is a whole document. */
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
    // Logos are not in the request: a new detail may mean new logos.
    queryKey: [previewStatusPage.id, id, detail, body],
    queryFn: () => call(previewStatusPage, { params: { id }, body }),
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
