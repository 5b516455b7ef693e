import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { type MonitorProposals, proposeMonitors } from '#src/check-now/propose/contract.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { atField, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { TestProgress } from '../test/TestProgress.tsx';
import { ProposedList } from './ProposedList.tsx';
import styles from './ProposeMonitors.module.css';

/** Proposes monitors for a domain: a probe scans it, and the chosen monitors are created in one go. */
export function ProposeMonitors({ projectId, region }: { projectId: string; region: string }) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { address: '' } });
  const atAddress = atField(form, 'address');
  const write = useWrite<MonitorProposals>({
    show: (refusal) => refusal.field === 'address' && atAddress(refusal),
  });

  const search = ({ address }: { address: string }) =>
    void write.run(() =>
      send(proposeMonitors, { params: { project_id: projectId }, body: { address, region } }),
    );

  return (
    <section className={styles.box} aria-labelledby="propose-title">
      <h2 className={styles.title} id="propose-title">
        {t('propose.title')}
      </h2>
      <p className={styles.text}>{t('propose.text')}</p>
      <form className={styles.form} onSubmit={form.onSubmit(search)} noValidate>
        <TextInput
          className={styles.address}
          size="md"
          aria-label={t('propose.address')}
          placeholder="example.com"
          inputMode="url"
          autoCapitalize="off"
          spellCheck={false}
          {...form.getInputProps('address')}
        />
        <Button type="submit" size="md" loading={write.busy} disabled={form.values.address.trim() === ''}>
          {t('propose.look')}
        </Button>
      </form>
      <div aria-live="polite">{write.busy ? <TestProgress region={region} /> : null}</div>
      <Refused write={write} />
      {write.reply === undefined || write.busy ? null : (
        <ProposedList
          key={write.reply.host + write.reply.proposals.map(({ monitor }) => monitor.name).join()}
          found={write.reply}
          projectId={projectId}
        />
      )}
    </section>
  );
}
