import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DEFAULT_GRACE_SECONDS } from '#src/domain/alarm-gate.ts';
import { announceChange, type Monitor } from '#src/monitors/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct, useMayManage } from '#web/shell/my-role.ts';
import form from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import type { Amount } from '../form/amounts.ts';
import styles from './ChangePanel.module.css';

/** Announces a change in advance, so that it wakes nobody. */
export function ChangePanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const mayAct = useMayAct();
  const origins = monitor.alarm_gate?.origins ?? [];
  if (!mayAct) return null;
  return (
    <Panel title={t('change.title')}>
      {origins.length > 0 ? (
        <Announcement
          monitorId={monitor.id}
          origins={origins}
          grace={monitor.alarm_gate?.grace_seconds ?? DEFAULT_GRACE_SECONDS}
        />
      ) : (
        <p className={styles.text}>
          {t('change.noGate')}{' '}
          {mayManage ? (
            <Link
              to="/o/$orgId/monitors/$monitorId/edit"
              params={{ orgId, monitorId: monitor.id }}
              hash="gate"
            >
              {t('change.toGate')}
            </Link>
          ) : null}
        </p>
      )}
    </Panel>
  );
}

type Props = { monitorId: string; origins: string[]; grace: number };

function Announcement({ monitorId, origins, grace }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const write = useWrite<ReplyOf<typeof announceChange>>();
  const [origin, setOrigin] = useState(origins[0] ?? '');
  const [minutes, setMinutes] = useState<Amount>('');
  const [name, setName] = useState('');
  const atFields = ['origin', 'seconds', 'name'].some((field) => write.at(field) !== null);
  const elsewhere = atFields ? null : write.refusal;
  const chosen = origins.includes(origin) ? origin : (origins[0] ?? '');

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = {
      origin,
      seconds: minutes === '' ? null : Math.round(minutes * 60),
      name: name.trim() === '' ? null : name.trim(),
    };
    void write.run(() => send(announceChange, { params: { monitor_id: monitorId }, body }));
  }

  return (
    <form className={form.stack} onSubmit={submit} noValidate>
      <p className={styles.text}>{t('change.text')}</p>
      <div className={form.row}>
        <Select
          label={t('change.origin')}
          allowDeselect={false}
          data={origins.map((each) => ({ value: each, label: t(`gate.origin.${each as 'manual'}`) }))}
          value={chosen}
          onChange={(value) => setOrigin(value ?? '')}
          error={write.at('origin')}
        />
        <NumberInput
          label={t('change.minutes')}
          description={t('change.minutesHint', { duration: formats.durationInWords(grace) })}
          placeholder={formats.number(grace / 60)}
          min={0}
          max={grace / 60}
          decimalScale={1}
          value={minutes}
          onChange={(value) => setMinutes(typeof value === 'number' ? value : '')}
          error={write.at('seconds')}
        />
      </div>
      <TextInput
        label={t('change.name')}
        placeholder={t('change.namePlaceholder')}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={write.at('name')}
      />
      <div className={styles.end}>
        <Button type="submit" variant="default" loading={write.busy}>
          {t('change.announce')}
        </Button>
        <span aria-live="polite" className={styles.said} data-failed={elsewhere !== null || undefined}>
          {write.reply === undefined
            ? elsewhere
            : t('change.held', { until: formats.clock(write.reply.held_until_unix) })}
        </span>
      </div>
    </form>
  );
}
