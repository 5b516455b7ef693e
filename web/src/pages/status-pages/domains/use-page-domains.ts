import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listDomains } from '#src/status-pages/domains/contract.ts';
import { read } from '#web/read.ts';
import { makePollingInterval } from './polling-interval.ts';

/** The custom domains of a page, polled while one of them is in progress and the page is visible. */
export function usePageDomains(pageId: string) {
  const [pace] = useState(makePollingInterval);
  return useQuery({
    ...read(listDomains, { params: { id: pageId } }),
    refetchInterval: ({ state }) => pace(state.data ?? [], Date.now()),
  });
}
