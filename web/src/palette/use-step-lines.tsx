import { IconBellRinging, IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { useSeeOutage } from '../pages/examples/use-see-outage.ts';
import { acknowledge } from '../pages/incidents/actions/acknowledge.ts';
import type { Write } from '../use-write.ts';
import type { Item } from './item.ts';
import { STEPS, type Step, type StepName } from './steps.ts';
import type { PaletteContext } from './use-palette-context.ts';
import { useOpenIncidents } from './use-watched-items.tsx';

const ICON = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;

/** Whether a person is offered an action. */
const mayTake = ({ acted, managed }: Step, where: PaletteContext): boolean =>
  (!acted || where.mayAct) && (!managed || where.mayManage);

/** Open incidents that nobody has acknowledged yet. */
export const waiting = (open: readonly IncidentSummary[]): IncidentSummary[] =>
  open.filter(({ lifecycle_state }) => lifecycle_state === 'triggered');

/** The actions on a monitor or an incident, from every page: each asks which one. */
export function useStepLines(where: PaletteContext, write: Write): Item[] {
  const { t } = useTranslation();
  const ringing = waiting(useOpenIncidents(where));
  const see = useSeeOutage(write);
  const { organization, incidentId } = where;
  if (organization === undefined) return [];
  const names = Object.keys(STEPS) as StepName[];
  const lines = names
    .filter((name) => mayTake(STEPS[name], where))
    .map((name): Item => {
      const { icon: Icon } = STEPS[name];
      return {
        key: `step ${name}`,
        group: 'actions',
        label: t(`palette.steps.${name}.line`),
        words: [t(`palette.steps.${name}.words`)],
        icon: <Icon {...ICON} />,
        step: name,
      };
    });
  const [only] = ringing;
  // With a single one there is nothing to ask; its own page offers it already.
  if (only !== undefined && ringing.length === 1 && where.mayAct && only.id !== incidentId)
    lines.unshift({
      key: `acknowledge ${only.id}`,
      group: 'actions',
      label: t('palette.acknowledge', { name: only.monitor_name ?? only.cause }),
      words: [t('palette.steps.acknowledge.words')],
      icon: <IconEye {...ICON} />,
      run: () => write.run(() => acknowledge({ org_id: organization.id, incident_id: only.id }, false)),
    });
  if (where.mayManage)
    lines.push({
      key: 'example',
      group: 'actions',
      label: t('example.offer'),
      words: [t('palette.words.example')],
      icon: <IconBellRinging {...ICON} />,
      run: () => see(organization.id),
    });
  return lines;
}
