import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { useFormats } from '#web/format.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { alarmSentences, sourceWords } from '../form/alarm-words.ts';
import { CollapsibleSection } from '../form/CollapsibleSection.tsx';
import { monitorLevel, policyInForce, sourceOf } from '../form/policy-levels.ts';
import { policyValuesOf } from '../form/policy-values.ts';
import { useInherited } from '../form/use-inherited.ts';
import { isRegionless } from '../monitor-types.ts';
import { read as readHttp } from '../types/http/form.ts';
import { expectationSummary } from '../types/http/summaries.ts';
import { Dependencies } from './Dependencies.tsx';
import { fieldsFor, PolicySources } from './PolicySources.tsx';

/** The conditions for an alarm in words, and the source of each value. */
export function AlarmPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const { inherited, isPending } = useInherited(monitor.policy?.alert_profile_id ?? null);
  const own = policyValuesOf(monitor.policy);
  const inForce = policyInForce(own, inherited);
  const regionCount = isRegionless(monitor.type) ? 0 : monitor.regions.length;
  const isGroup = monitor.type === 'group';
  const said = alarmSentences(t, formats, inForce, isGroup ? 'group' : regionCount, monitor.interval_seconds);
  const levels = { ...inherited, monitor: monitorLevel(own) };
  // When collapsed, the sources are named once: most values come from one level.
  const named = fieldsFor(regionCount, isGroup).map(({ field }) =>
    sourceWords(t, sourceOf(field, levels), inherited.profileName),
  );
  const sources = formats.list([...new Set(named)]);
  return (
    <Panel title={t('alarm.title')}>
      {isPending ? (
        <LoadingRows count={4} height={26} />
      ) : (
        <Stack gap={16}>
          <Stack gap={6} maw="66ch" fz="var(--text-l)">
            {said.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {monitor.type === 'http' ? (
              <p>
                {t('form.expectation')}:{' '}
                {expectationSummary(t, formats, readHttp(monitor.config as HttpConfig))}
              </p>
            ) : null}
          </Stack>
          <CollapsibleSection
            title={t('alarm.sources')}
            summary={sources}
            opened={isOpen}
            onToggle={() => setOpen(!isOpen)}
          >
            <PolicySources own={own} inherited={inherited} regionCount={regionCount} isGroup={isGroup} />
          </CollapsibleSection>
          {(monitor.depends_on ?? []).length === 0 ? null : <Dependencies ids={monitor.depends_on} />}
        </Stack>
      )}
    </Panel>
  );
}
