import { Autocomplete, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UPTIME_WINDOW_DAYS } from '#src/domain/names.ts';
import form from '#web/ui/Form.module.css';
import styles from './MonitorsPart.module.css';
import { groupOf, type ShownMonitor } from './monitor-list.ts';

type Props = {
  item: ShownMonitor;
  /** Its name in the dashboard. */
  name: string;
  groups: string[];
  /** The page shows no other monitor, so there is none to show like this one. */
  isAlone: boolean;
  onChange: (change: Partial<ShownMonitor>) => void;
  onGroup: (group: string) => void;
  onApplyToAll: () => void;
};

/** The public details of a monitor. */
export function MonitorDetails({ item, name, groups, isAlone, onChange, onGroup, onApplyToAll }: Props) {
  const { t } = useTranslation();
  const group = groupOf(item);
  // While its group is being typed the monitor stays in place: the group applies on blur.
  const [typed, setTyped] = useState<string | null>(null);

  function finish(wanted: string) {
    setTyped(null);
    if (wanted.trim() !== '' && wanted.trim() !== group) onGroup(wanted.trim());
  }

  return (
    <div className={styles.details}>
      <div className={form.row}>
        <TextInput
          label={t('statusPages.monitors.publicName')}
          description={t('statusPages.monitors.publicNameHint')}
          placeholder={name}
          maxLength={200}
          value={item.displayName}
          onChange={(event) => onChange({ displayName: event.currentTarget.value })}
        />
        <Autocomplete
          label={t('statusPages.monitors.group')}
          description={t('statusPages.monitors.groupHint')}
          maxLength={200}
          data={[...new Set([...groups, item.project])].filter((each) => each !== group)}
          // Offers all of them until something is typed.
          filter={({ options, search }) =>
            typed === null || search === '' ? options : options.filter(matches(search))
          }
          value={typed ?? group}
          onChange={setTyped}
          onOptionSubmit={finish}
          onBlur={() => (typed === null ? undefined : finish(typed))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter applies the group, and does not submit the form.
            event.preventDefault();
            if (typed !== null) finish(typed);
          }}
        />
      </div>
      <fieldset className={styles.parts}>
        <legend className={styles.label}>{t('statusPages.monitors.parts')}</legend>
        <div className={styles.checks}>
          {(['sparkline', 'bars', 'chart'] as const).map((part) => (
            <Checkbox
              key={part}
              label={t(`statusPages.monitors.partWords.${part}`)}
              checked={item[part]}
              onChange={(event) => onChange({ [part]: event.currentTarget.checked })}
            />
          ))}
        </div>
      </fieldset>
      <div className={styles.end}>
        <Select
          className={styles.window}
          label={t('statusPages.monitors.window')}
          allowDeselect={false}
          data={UPTIME_WINDOW_DAYS.map((days) => ({
            value: String(days),
            label: t('plan.days', { count: days }),
          }))}
          value={String(item.windowDays)}
          onChange={(value) =>
            onChange({
              windowDays: UPTIME_WINDOW_DAYS.find((days) => String(days) === value) ?? item.windowDays,
            })
          }
        />
        {isAlone ? null : (
          <Button variant="subtle" size="compact-sm" onClick={onApplyToAll}>
            {t('statusPages.monitors.alike')}
          </Button>
        )}
      </div>
    </div>
  );
}

const matches =
  (search: string) =>
  (option: { label?: string } | object): boolean =>
    'label' in option && String(option.label).toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
