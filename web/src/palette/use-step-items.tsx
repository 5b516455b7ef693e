import { IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { acknowledge } from '../pages/incidents/actions/acknowledge.ts';
import { collapseStorms } from '../pages/incidents/list/storms.ts';
import { useToggleMonitor } from '../pages/monitors/detail/use-toggle-monitor.tsx';
import { isRegionless } from '../pages/monitors/monitor-types.ts';
import type { Write } from '../use-write.ts';
import type { Item } from './item.ts';
import { leadTo } from './lead.ts';
import { STEPS, type Step, type StepName } from './steps.ts';
import type { PaletteContext } from './use-palette-context.ts';
import { waiting } from './use-step-lines.tsx';
import {
  useClosedIncidents,
  useFoundMonitors,
  useIncidentLine,
  useMonitorLine,
  useOpenIncidents,
} from './use-watched-items.tsx';

/** The monitors or incidents that a step applies to. */
export function useStepItems(where: PaletteContext, name: StepName, typed: string, write: Write) {
  const { of } = STEPS[name];
  const search = useFoundMonitors(where, typed, { isAll: of === 'monitors', isPaused: name === 'resume' });
  const open = useOpenIncidents(where);
  const closed = useClosedIncidents(where, name === 'postmortem');
  const ofMonitor = useMonitorStep(where, name);
  const ofIncident = useIncidentStep(where, name, write);
  if (of === 'monitors')
    return { ...search, items: search.monitors.filter((each) => allows(name, each)).map(ofMonitor) };
  const incidents = name === 'postmortem' ? closed : name === 'resolve' ? open : waiting(open);
  return { items: ofIncident(incidents), isSearching: false, hasFailed: false };
}

/** Whether a step can be taken with a monitor. */
function allows(name: StepName, { enabled, example, type }: ListedMonitor): boolean {
  if (name === 'pause' || name === 'quiet') return enabled && !example;
  if (name === 'resume') return !enabled;
  if (name === 'test') return !isRegionless(type);
  return !example;
}

function useMonitorStep({ organization }: PaletteContext, name: StepName): (monitor: ListedMonitor) => Item {
  const line = useMonitorLine();
  const turn = useToggleMonitor();
  const navigate = useNavigate();
  const { lead, press }: Step = STEPS[name];
  return (monitor) => {
    const params = { orgId: organization?.id ?? '', monitorId: monitor.id };
    const isEdit = name === 'edit' || name === 'tag';
    const to = isEdit ? '/o/$orgId/monitors/$monitorId/edit' : '/o/$orgId/monitors/$monitorId';
    const open = async () => {
      await navigate({ to, params });
      if (lead !== undefined) await leadTo(lead, press);
    };
    return { ...line(monitor), run: name === 'pause' || name === 'resume' ? () => turn(monitor) : open };
  };
}

function useIncidentStep({ organization }: PaletteContext, name: StepName, write: Write) {
  const { t } = useTranslation();
  const line = useIncidentLine();
  const navigate = useNavigate();
  const { lead, press }: Step = STEPS[name];
  const orgId = organization?.id ?? '';
  const take = ({ id }: IncidentSummary, group: boolean) =>
    write.run(() => acknowledge({ org_id: orgId, incident_id: id }, group));
  async function open({ id }: IncidentSummary): Promise<void> {
    const params = { orgId, incidentId: id };
    await navigate({
      to:
        name === 'postmortem'
          ? '/o/$orgId/incidents/$incidentId/postmortem'
          : '/o/$orgId/incidents/$incidentId',
      params,
    });
    if (lead !== undefined) await leadTo(lead, press);
  }
  const itemOf = (incident: IncidentSummary): Item => ({
    ...line(incident),
    run: () => (name === 'acknowledge' ? take(incident, false) : open(incident)),
  });
  return (incidents: readonly IncidentSummary[]): Item[] => {
    if (name !== 'acknowledge') return incidents.map(itemOf);
    return collapseStorms(incidents).flatMap((row): Item[] => {
      if (row.is === 'incident') return [itemOf(row.incident)];
      const [newest] = row.incidents;
      if (newest === undefined) return [];
      const storm: Item = {
        key: `storm ${row.groupId}`,
        group: 'incidents',
        label: t('palette.acknowledgeStorm', { count: row.incidents.length }),
        detail: row.name ?? '',
        icon: <IconUsersGroup size={17} stroke={1.7} aria-hidden />,
        run: () => take(newest, true),
      };
      return [storm, ...row.incidents.map(itemOf)];
    });
  };
}
