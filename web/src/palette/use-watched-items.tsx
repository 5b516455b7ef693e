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
const MAX_MONITORS = 50;
const MAX_CLOSED = 50;

/** The longest search that the API takes. */
const MAX_SEARCH = 200;

/**
 * Monitors of all projects, found by the server; typing on aborts the search. `isAll`: the first of them before anything is
 * typed; `isPaused`: only paused ones.
 */
export function useFoundMonitors(
  { organization }: PaletteContext,
  typed: string,
  { isAll = false, isPaused = false }: { isAll?: boolean; isPaused?: boolean } = {},
) {
  const [search] = useDebouncedValue(typed.trim().slice(0, MAX_SEARCH), PAUSE_MS);
  const orgId = organization?.id ?? '';
  const query = {
    ...(search !== '' && { search }),
    ...(isPaused && { state: 'paused' as const }),
    limit: MAX_MONITORS,
    sort: 'name' as const,
  };
  const found = useQuery<ListedMonitor[], ApiError>({
    queryKey: [listAllMonitors.id, { org_id: orgId }, query],
    queryFn: ({ signal }) => call(listAllMonitors, { params: { org_id: orgId }, query }, signal),
    enabled: organization !== undefined && (isAll || search !== ''),
    placeholderData: keepPreviousData,
  });
  const monitors = isAll || typed.trim() !== '' ? (found.data ?? []) : [];
  return { monitors, isSearching: found.isFetching, hasFailed: found.isError };
}

/** How a monitor is shown on a line. */
export function useMonitorLine() {
  const { t } = useTranslation();
  return ({ id, name, target, tags, state }: ListedMonitor) => ({
    key: id,
    group: 'monitors' as const,
    label: name,
    words: [target ?? '', ...tags],
    detail: t(`status.${state}`),
    icon: <StatusGlyph state={state} size={12} />,
  });
}

/** The monitors that are found, each of which opens. */
export function useMonitorItems(where: PaletteContext, typed: string) {
  const navigate = useNavigate();
  const line = useMonitorLine();
  const { monitors, ...search } = useFoundMonitors(where, typed);
  const orgId = where.organization?.id ?? '';
  const items = monitors.map(
    (monitor): Item => ({
      ...line(monitor),
      run: () => navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId: monitor.id } }),
    }),
  );
  return { items, ...search };
}

/** The open incidents of the organization. */
export function useOpenIncidents({ organization }: PaletteContext): IncidentSummary[] {
  const params = { org_id: organization?.id ?? '' };
  const query = { status: 'open', limit: 1000 } as const;
  const open = useQuery({ ...read(listIncidents, { params, query }), enabled: organization !== undefined });
  return open.data ?? [];
}

/** Incidents that closed recently, once they are asked for. */
export function useClosedIncidents({ organization }: PaletteContext, isAsked: boolean): IncidentSummary[] {
  const params = { org_id: organization?.id ?? '' };
  const query = { status: 'closed', limit: MAX_CLOSED } as const;
  const enabled = organization !== undefined && isAsked;
  const closed = useQuery({ ...read(listIncidents, { params, query }), enabled });
  return isAsked ? (closed.data ?? []) : [];
}

/** How an incident is shown on a line. */
export function useIncidentLine() {
  const { t } = useTranslation();
  const formats = useFormats();
  const causeWords = useCauseWords();
  return (incident: IncidentSummary) => ({
    key: incident.id,
    group: 'incidents' as const,
    label: incident.monitor_name ?? incident.cause,
    words: [causeWords(incident.cause), incident.project_name ?? '', incident.severity],
    detail: `${t(`incidents.state.${stateOf(incident)}`)} · ${formats.moment(incident.started_at_unix)}`,
    icon: <IconAlertSquare size={17} stroke={1.7} aria-hidden />,
  });
}

/** Open incidents, and once something is typed recently closed ones too; each opens. */
export function useIncidentItems(where: PaletteContext, isTyped: boolean): Item[] {
  const navigate = useNavigate();
  const line = useIncidentLine();
  const open = useOpenIncidents(where);
  const closed = useClosedIncidents(where, isTyped);
  const orgId = where.organization?.id ?? '';
  return [...open, ...closed].map(
    (incident): Item => ({
      ...line(incident),
      run: () =>
        navigate({ to: '/o/$orgId/incidents/$incidentId', params: { orgId, incidentId: incident.id } }),
    }),
  );
}
