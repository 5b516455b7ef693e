import { Button, Modal, Select } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testMonitor } from '#src/check-now/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { listRegions } from '#src/regions/contract.ts';
import { ApiError } from '#web/call.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { firstRegion, type OfferedRegion } from './first-region.ts';
import styles from './TestNow.module.css';
import { TestProgress } from './TestProgress.tsx';
import { TestReport } from './TestReport.tsx';

export type TestSubject = {
  projectId: string;
  type: string;
  config: Record<string, unknown>;
  /** The monitor whose stored secrets are used; null for a new one. */
  monitorId: string | null;
  /** The monitor's regions; the first is tried first. */
  regions: readonly string[];
};

type Props = {
  subject: TestSubject;
  onClose: () => void;
  /** Shows a refusal at its field in the form, if there is one. */
  onFieldRefused?: (error: ApiError) => void;
};

/** Runs one check now, from a chosen region, and shows everything the probe saw. */
export function TestNow({ subject, onClose, onFieldRefused }: Props) {
  const { t } = useTranslation();
  // Read anew: a probe that has come online since the list was last read can make the test.
  const regions = useQuery({ ...read(listRegions, {}), staleTime: 0 });
  const isRead = regions.isFetchedAfterMount;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('tryout.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      {isRead ? null : <LoadingRows count={2} />}
      {regions.isLoadingError ? <Failure error={regions.error} retry={regions.refetch} /> : null}
      {isRead && regions.data ? (
        <Testing
          subject={subject}
          offered={regions.data.filter((region) => !region.internal)}
          onFieldRefused={onFieldRefused}
        />
      ) : null}
    </Modal>
  );
}

type TestingProps = Pick<Props, 'subject' | 'onFieldRefused'> & { offered: OfferedRegion[] };

function Testing({ subject, offered, onFieldRefused }: TestingProps) {
  const { t } = useTranslation();
  const [first] = useState(() => firstRegion(subject.regions, offered));
  const [region, setRegion] = useState(first.slug);
  const nameOf = (slug: string) => offered.find((each) => each.slug === slug)?.name ?? slug;
  const { projectId, type, config, monitorId } = subject;
  const [asked, setAsked] = useState(region);
  const write = useWrite<ReplyOf<typeof testMonitor>>({
    show: ({ error }) => {
      const isOfTheForm = error instanceof ApiError && error.field?.startsWith('config');
      if (isOfTheForm) onFieldRefused?.(error);
      return false;
    },
  });

  function test() {
    setAsked(region);
    const body = { type, config, region: region === '' ? null : region, monitor_id: monitorId };
    void write.run(() => send(testMonitor, { params: { project_id: projectId }, body }));
  }

  const started = useRef(false);
  useEffect(() => {
    // The dialog was opened for the test, so it starts by itself. Once, even if effects run twice.
    if (started.current || !first.starts) return;
    started.current = true;
    test();
  });
  const refusedRegion = write.at('region');
  const isUntried = !write.busy && write.reply === undefined && write.error === null;

  return (
    <div className={styles.test}>
      <div className={styles.from}>
        <Select
          className={styles.region}
          label={t('tryout.region')}
          allowDeselect={false}
          data={offered.map(({ slug, name, online }) => ({
            value: slug,
            label: online ? name : t('tryout.offline', { name }),
          }))}
          value={region}
          onChange={(value) => setRegion(value ?? region)}
          error={refusedRegion}
        />
        <Button variant="default" leftSection={<IconRefresh size={16} />} loading={write.busy} onClick={test}>
          {t(isUntried ? 'tryout.button' : 'tryout.again')}
        </Button>
      </div>
      <div aria-live="polite">
        {isUntried && !first.starts ? <p>{t('tryout.ownOffline')}</p> : null}
        {write.busy ? <TestProgress region={nameOf(asked)} /> : null}
        {write.refusal !== null && refusedRegion === null ? (
          <p className={styles.refused} role="alert">
            {write.refusal}
          </p>
        ) : null}
        {write.reply ? <TestReport report={write.reply} regionName={nameOf(write.reply.region)} /> : null}
      </div>
    </div>
  );
}
