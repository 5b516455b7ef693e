import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertSquare } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type IncidentSummary, listIncidents } from '#src/incidents/contract.ts';
import { type ListedMonitor, listAllMonitors } from '#src/monitors/all/contract.ts';
import { type ApiError, call } from '../call.ts';
import { useFormats } from '../format.ts';
import { stateOf } from '../pages/incidents/list/search.ts';
import { useCauseWords } from '../pages/incidents/use-cause-words.ts';
import { read } from '../read.ts';
import { StatusGlyph } from '../ui/StatusGlyph.tsx';
import type { Item } from './item.ts';
import type { PaletteContext } from './use-palette-context.ts';

/** Debounce: faster typists do not need each step. */
const PAUSE_MS = 120;
/** The server searches for one word; the others are matched among the results. */
const MAX_MONITORS = 50;
const MAX_CLOSED = 50;

/** The server matches one text within a name, so the longest word gives the fewest results. */
const longestWord = (typed: string): string =>
  typed
    .trim()
    .split(/\s+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/** Monitors of all projects, found by the server; typing on aborts the search. */
export function useMonitorItems({ organization }: PaletteContext, typed: string) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search] = useDebouncedValue(longestWord(typed), PAUSE_MS);
  const orgId = organization?.id ?? '';
  const query = { search, limit: MAX_MONITORS, sort: 'name' as const };
  const found = useQuery<ListedMonitor[], ApiError>({
    queryKey: [listAllMonitors.id, { org_id: orgId }, query],
    queryFn: ({ signal }) => call(listAllMonitors, { params: { org_id: orgId }, query }, signal),
    enabled: organization !== undefined && search !== '',
    placeholderData: keepPreviousData,
  });
  const monitors = typed.trim() === '' ? [] : (found.data ?? []);
  const items = monitors.map(
    ({ id, name, target, tags, state }): Item => ({
      key: id,
      group: 'monitors',
      label: name,
      words: [target ?? '', ...tags],
      detail: t(`status.${state}`),
      icon: <StatusGlyph state={state} size={12} />,
      run: () => navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId: id } }),
    }),
  );
  return { items, isSearching: found.isFetching, hasFailed: found.isError };
}

/** Open incidents, and once something is typed recently closed ones too. */
export function useIncidentItems({ organization }: PaletteContext, isTyped: boolean): Item[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const causeWords = useCauseWords();
  const navigate = useNavigate();
  const orgId = organization?.id ?? '';
  const params = { org_id: orgId };
  const known = organization !== undefined;
  const open = useQuery({
    ...read(listIncidents, { params, query: { status: 'open', limit: 1000 } }),
    enabled: known,
  });
  const closed = useQuery({
    ...read(listIncidents, { params, query: { status: 'closed', limit: MAX_CLOSED } }),
    enabled: known && isTyped,
  });
  const itemOf = (incident: IncidentSummary): Item => ({
    key: incident.id,
    group: 'incidents',
    label: incident.monitor_name ?? incident.cause,
    words: [causeWords(incident.cause), incident.project_name ?? '', incident.severity],
    detail: `${t(`incidents.state.${stateOf(incident)}`)} · ${formats.moment(incident.started_at_unix)}`,
    icon: <IconAlertSquare size={17} stroke={1.7} aria-hidden />,
    run: () =>
      navigate({ to: '/o/$orgId/incidents/$incidentId', params: { orgId, incidentId: incident.id } }),
  });
  return [...(open.data ?? []), ...(isTyped ? (closed.data ?? []) : [])].map(itemOf);
}
