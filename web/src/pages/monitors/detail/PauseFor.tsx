import { Button, Menu } from '@mantine/core';
import { IconBellPause, IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { createMaintenance } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { serverUnix } from '#web/server-clock.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';

const LENGTHS = [900, 3_600, 14_400, 28_800, 86_400] as const;

/** Starts maintenance on this monitor now: checks go on, and nobody is woken until it ends. */
export function PauseFor({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const write = useWrite({ show: inNote });

  function pause(seconds: number) {
    const start = serverUnix(Date.now());
    const body = {
      title: t('monitor.pauseForTitle', { name: monitor.name }).slice(0, 200),
      scheduled_start: start,
      scheduled_end: start + seconds,
      monitors: [monitor.id],
      public_visible: false,
    };
    return write.run(() => send(createMaintenance, { params: { org_id: orgId }, body }));
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          data-lead="pause-for"
          variant="default"
          leftSection={<IconBellPause size={16} />}
          rightSection={<IconChevronDown size={14} />}
          loading={write.busy}
          // It keeps its place: without it the others would move under the pointer that pressed "Pause".
          disabled={!monitor.enabled}
        >
          {t('monitor.pauseFor')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('monitor.pauseForHint')}</Menu.Label>
        {LENGTHS.map((seconds) => (
          <Menu.Item key={seconds} onClick={() => void pause(seconds)}>
            {formats.durationInWords(seconds)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
