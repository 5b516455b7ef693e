import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { useFormats } from '#web/format.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import type { Prefer } from '#web/meanwhile/clashes.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { fromLocalInput } from '../incidents/actions/local-time.ts';
import { useOrganizationMonitors } from '../monitors/form/use-organization-monitors.ts';
import { useRepeatWords } from './use-repeat-words.ts';
import { editedBody, type Values } from './window-values.ts';

const LABELS: Record<Exclude<keyof Values, 'startsNow'>, `maintenance.${string}`> = {
  title: 'maintenance.form.title',
  body: 'maintenance.form.body',
  start: 'maintenance.form.start',
  end: 'maintenance.form.end',
  monitors: 'maintenance.form.monitors',
  tags: 'maintenance.form.tags',
  isPublic: 'maintenance.form.public',
  repeat: 'maintenance.repeat.title',
};

type Props = {
  /** As last read from the server, and as it was before the form's changes. */
  window: MaintenanceWindow;
  before: MaintenanceWindow;
  values: Values;
  meanwhile: Meanwhile<Values>;
  onSettle: (prefer: Prefer) => void;
};

/** What somebody else has changed of the window. */
export function WindowMeanwhile({ window, before, values, meanwhile, onSettle }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const repeatWords = useRepeatWords();
  const { projects } = useOrganizationMonitors();

  function namesOf(ids: readonly string[]): string | undefined {
    const known = projects.flatMap(({ monitors }) => monitors).filter(({ id }) => ids.includes(id));
    return known.length === ids.length ? known.map(({ name }) => isolated(name)).join(', ') : undefined;
  }

  function recurrence(of: Prefer): string {
    const repeat = of === 'mine' ? editedBody(values, before).repeat : window.repeat;
    return repeat == null ? t('maintenance.repeat.never') : repeatWords(repeat);
  }

  function wordsOf(path: string, value: unknown, of: Prefer): string | undefined {
    if (path === 'repeat') return recurrence(of);
    if (path === 'monitors' && Array.isArray(value) && value.length > 0) return namesOf(value);
    const unix = path === 'start' || path === 'end' ? fromLocalInput(String(value)) : null;
    return unix === null ? undefined : formats.minute(unix);
  }

  return (
    <ChangedMeanwhile
      clashes={meanwhile.clashes}
      stopped={meanwhile.stopped}
      labelOf={(path) => t(LABELS[path as keyof typeof LABELS] as 'maintenance.form.title')}
      wordsOf={wordsOf}
      onSettle={onSettle}
    />
  );
}
