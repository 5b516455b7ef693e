import { IconEye, IconFileText, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getIncident, listIncidents } from '#src/incidents/contract.ts';
import { getMonitor } from '#src/monitors/contract.ts';
import { acknowledge } from '../pages/incidents/actions/acknowledge.ts';
import { othersRinging } from '../pages/incidents/list/storms.ts';
import { useToggleMonitor } from '../pages/monitors/detail/use-toggle-monitor.tsx';
import { read } from '../read.ts';
import type { Write } from '../use-write.ts';
import type { Item } from './item.ts';
import type { PaletteContext } from './use-palette-context.ts';

const ICON = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;

/** The actions on the monitor or the incident on screen, as its buttons offer them. */
export function useCurrentPageItems(where: PaletteContext, write: Write): Item[] {
  return [...useMonitorItems(where), ...useIncidentItems(where, write)];
}

function useMonitorItems({ organization, monitorId, mayManage }: PaletteContext): Item[] {
  const turn = useToggleMonitor();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const params = { monitor_id: monitorId ?? '' };
  const { data: monitor } = useQuery({ ...read(getMonitor, { params }), enabled: monitorId !== undefined });
  if (monitorId === undefined || monitor === undefined || organization === undefined || !mayManage) return [];
  const orgId = organization.id;
  return [
    {
      key: 'turn-monitor',
      group: 'subject',
      label: t(monitor.enabled ? 'palette.pause' : 'palette.resume', { name: monitor.name }),
      icon: monitor.enabled ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />,
      run: () => turn(monitor),
    },
    {
      key: 'edit-monitor',
      group: 'subject',
      label: t('palette.editMonitor', { name: monitor.name }),
      icon: <IconPencil {...ICON} />,
      run: () => navigate({ to: '/o/$orgId/monitors/$monitorId/edit', params: { orgId, monitorId } }),
    },
  ];
}

function useIncidentItems({ organization, incidentId, mayAct }: PaletteContext, write: Write): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const orgId = organization?.id ?? '';
  const isAsked = organization !== undefined && incidentId !== undefined;
  const params = { org_id: orgId, incident_id: incidentId ?? '' };
  const { data: incident } = useQuery({ ...read(getIncident, { params }), enabled: isAsked });
  const open = useQuery({
    ...read(listIncidents, { params: { org_id: orgId }, query: { status: 'open', limit: 1000 } }),
    enabled: isAsked && incident?.group_id != null,
  });
  if (incidentId === undefined || incident === undefined) return [];
  const name = incident.monitor_name ?? incident.cause;
  const postmortem: Item = {
    key: 'postmortem',
    group: 'subject',
    label: t('palette.postmortem', { name }),
    icon: <IconFileText {...ICON} />,
    run: () => navigate({ to: '/o/$orgId/incidents/$incidentId/postmortem', params: { orgId, incidentId } }),
  };
  if (!mayAct) return [];
  if (incident.status !== 'open' || incident.acknowledged_at_unix !== null) return [postmortem];
  const step = (group: boolean): Item => ({
    key: `acknowledge ${group}`,
    group: 'subject',
    label: t(group ? 'palette.acknowledgeAll' : 'palette.acknowledge', { name }),
    icon: <IconEye {...ICON} />,
    run: () => write.run(() => acknowledge(params, group)),
  });
  const isStorm = othersRinging(open.data ?? [], incident) > 0;
  return [...(isStorm ? [step(true)] : []), step(false), postmortem];
}
