import { Button, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MaintenanceScope } from '#src/domain/names.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { useFormats } from '#web/format.ts';
import { type Meanwhile, useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { BROWSER_ZONE, zoneName } from '#web/pages/on-call/zones.ts';
import { serverUnix } from '#web/server-clock.ts';
import { isDifferent } from '#web/ui/differ.ts';
import stack from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';
import { TagChoice } from '../monitors/all/TagChoice.tsx';
import { useOrganizationMonitors } from '../monitors/form/use-organization-monitors.ts';
import { MonitorChoice } from './MonitorChoice.tsx';
import { RepeatFields } from './RepeatFields.tsx';
import { saidOfDays } from './repeat-values.ts';
import { ScopeChoice } from './ScopeChoice.tsx';
import styles from './WindowForm.module.css';
import { WindowMeanwhile } from './WindowMeanwhile.tsx';
import { endAfter, hasRule, movedTo, newValues, timesOf, type Values, valuesOf } from './window-values.ts';

/** A form that may be saved; its times are in Unix seconds. */
export type Filled = {
  values: Values;
  times: { start: number; end: number };
  scope: MaintenanceScope;
  meanwhile: Meanwhile<Values>;
};

type Props = {
  /** As last read from the server; absent for a new window. */
  window?: MaintenanceWindow;
  submitLabel: string;
  onSubmit: (filled: Filled) => Promise<void>;
  onCancel: () => void;
};

const PRESETS = [1_800, 3_600, 7_200, 14_400] as const;
const REPEAT = ['repeat', 'repeat.rrule', 'repeat.timezone', 'repeat.until_unix'];
const FIELDS = ['title', 'body', 'tags', 'scheduled_start', 'scheduled_end', ...REPEAT];
const nowUnix = () => serverUnix(Date.now());

/** The title, times and monitors of a window. */
export function WindowForm({ window, submitLabel, onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const write = useWrite();
  // The list of them would push down what stands below it.
  const { isPending: arePending } = useOrganizationMonitors();
  const [values, setValues] = useState<Values>(() => (window ? valuesOf(window) : newValues(nowUnix())));
  const [initial] = useState(values);
  // The window that the form's changes are counted from: times and days of the form belong to it.
  const [before, setBefore] = useState(window);
  const [tried, setTried] = useState(false);
  const [scope, setScope] = useState<MaintenanceScope>('this');
  const isRepeated = window !== undefined && window.series_id !== null;
  const isRuleShown = window === undefined || hasRule(window, scope);
  // A change of a rule that is not shown is not sent.
  const written =
    isRuleShown || before === undefined ? values : { ...values, repeat: valuesOf(before).repeat };
  // How it recurs is one field: the days of one rule say nothing beside another.
  const meanwhile = useMeanwhile(window ? valuesOf(window) : initial, written, setValues, 1);
  const change = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const times = timesOf(values, nowUnix(), before);
  const { start, end } = times;
  const isSilent = values.monitors.length > 0 || values.tags.length > 0;
  const seenBy = `${values.isPublic ? 'public' : 'internal'}${isSilent ? '' : 'Alone'}` as const;
  const isTitleMissing = values.title.trim() === '';
  const length = start !== null && end !== null && end > start ? end - start : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    // The form may have been open for long: now is when it is sent.
    const { start, end } = timesOf(values, nowUnix(), before);
    if (isTitleMissing || start === null || end === null || end <= start) return;
    if (isRuleShown && saidOfDays(values.repeat, start, before ?? null) === 'wrong') return;
    void write.run(() => onSubmit({ values: written, times: { start, end }, scope, meanwhile }));
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {window === undefined || before === undefined ? null : (
        <WindowMeanwhile
          window={window}
          meanwhile={meanwhile}
          before={before}
          values={values}
          onSettle={(prefer) => {
            meanwhile.settle(prefer);
            setBefore(window);
          }}
        />
      )}
      <TextInput
        data-autofocus
        label={t('maintenance.form.title')}
        placeholder={t('maintenance.form.titlePlaceholder')}
        maxLength={200}
        value={values.title}
        error={tried && isTitleMissing ? t('maintenance.form.titleNeeded') : write.at('title')}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label={t('maintenance.form.body')}
        description={t('maintenance.form.bodyHint')}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
        value={values.body}
        error={write.at('body')}
        onChange={(event) => change({ body: event.currentTarget.value })}
      />
      <div className={styles.times}>
        {window === undefined ? (
          <SegmentedControl
            className={styles.when}
            aria-label={t('maintenance.form.when')}
            value={values.startsNow ? 'now' : 'later'}
            onChange={(value) => {
              const next = { ...values, startsNow: value === 'now' };
              setValues(length === null ? next : { ...next, end: endAfter(next, length, nowUnix()) });
            }}
            data={(['later', 'now'] as const).map((value) => ({
              value,
              label: t(`maintenance.form.starts.${value}`),
            }))}
          />
        ) : null}
        <div className={stack.row}>
          {values.startsNow ? null : (
            <TextInput
              type="datetime-local"
              label={t('maintenance.form.start')}
              value={values.start}
              error={tried && start === null ? t('maintenance.form.timeNeeded') : write.at('scheduled_start')}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setValues((before) => movedTo(before, value));
              }}
            />
          )}
          <TextInput
            type="datetime-local"
            label={t('maintenance.form.end')}
            value={values.end}
            error={
              tried && end === null
                ? t('maintenance.form.timeNeeded')
                : start !== null && end !== null && end <= start
                  ? t('maintenance.form.endWrong')
                  : write.at('scheduled_end')
            }
            onChange={(event) => change({ end: event.currentTarget.value })}
          />
        </div>
        <div className={styles.presets}>
          {PRESETS.map((seconds) => (
            <Button
              key={seconds}
              variant={length === seconds ? 'light' : 'default'}
              size="compact-sm"
              aria-pressed={length === seconds}
              onClick={() => change({ end: endAfter(values, seconds, nowUnix()) })}
            >
              {formats.duration(seconds)}
            </Button>
          ))}
          <span className={styles.length}>
            {length === null ? null : t('maintenance.form.lasts', { time: formats.durationInWords(length) })}
          </span>
        </div>
        <p className={styles.hint}>
          {t('maintenance.zone', { zone: zoneName(BROWSER_ZONE) })}
          {start !== null && start < nowUnix() - 60 ? ` ${t('maintenance.form.past')}` : ''}
        </p>
      </div>
      {isRepeated ? <ScopeChoice scope={scope} onChange={setScope} /> : null}
      {isRuleShown ? (
        <RepeatFields
          values={values.repeat}
          start={start}
          before={before ?? null}
          error={REPEAT.map((field) => write.at(field)).find(Boolean)}
          onChange={(repeat) => change({ repeat: { ...repeat, rule: values.repeat.rule } })}
        />
      ) : null}
      <MonitorChoice
        chosen={values.monitors}
        onChoose={(monitors) => change({ monitors })}
        hint={t('maintenance.form.monitorsHint')}
      />
      {arePending ? null : (
        <>
          <TagChoice
            label={t('maintenance.form.tags')}
            description={t('maintenance.form.tagsHint')}
            tags={values.tags}
            named={values.monitors}
            error={write.at('tags')}
            onChange={(tags) => change({ tags })}
          />
          <Switch
            label={t('maintenance.form.public')}
            description={t(`maintenance.form.seen.${seenBy}`)}
            checked={values.isPublic}
            onChange={(event) => change({ isPublic: event.currentTarget.checked })}
          />
          <Refused write={write} fields={FIELDS} />
          <FormActions submit={submitLabel} busy={write.busy} onCancel={onCancel} />
        </>
      )}
      <UnsavedGuard isDirty={isDifferent(values, meanwhile.base)} isSaving={write.busy} />
    </form>
  );
}
