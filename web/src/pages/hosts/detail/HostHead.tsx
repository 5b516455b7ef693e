import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { HostStateWord } from '../HostStateWord.tsx';
import { labelsOf } from '../host-state.ts';
import { UpgradeBadge } from '../UpgradeBadge.tsx';
import styles from './HostHead.module.css';
import { RemoveHost } from './RemoveHost.tsx';

/** The host's name and system, whether it reports, and the actions on it. */
export function HostHead({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const [removing, removal] = useDisclosure(false);
  const labels = labelsOf(agent);
  return (
    <>
      <PageHead
        title={agent.hostname}
        above={
          <BackLink to="/o/$orgId/hosts" params={{ orgId }}>
            {t('hosts.title')}
          </BackLink>
        }
        below={
          <span className={styles.below}>
            <span aria-live="polite">
              <HostStateWord agent={agent} size={14} />
            </span>
            {labels.map((label) => (
              <span key={label} className={styles.label}>
                {label}
              </span>
            ))}
          </span>
        }
      >
        {mayManage ? (
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={removal.open}>
            {t('hosts.remove')}
          </Button>
        ) : (
          <ReadOnly />
        )}
      </PageHead>
      <Facts agent={agent} />
      <RemoveHost agent={agent} opened={removing} onClose={removal.close} />
    </>
  );
}

function Facts({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const { booted_at_unix: booted } = agent;
  return (
    <dl className={styles.facts}>
      <Fact label={t('hosts.system')}>{agent.os}</Fact>
      <Fact label={t('hosts.arch')}>{agent.arch}</Fact>
      <Fact label={t('hosts.agent')}>
        {agent.agent_version} <UpgradeBadge agent={agent} />
      </Fact>
      {booted === null ? null : (
        <Fact label={t('hosts.uptime')}>
          <span title={t('hosts.bootedAt', { moment: formats.full(booted) })}>
            {agent.online
              ? formats.duration(now - booted)
              : t('hosts.bootedAt', { moment: formats.dateAndTime(booted) })}
          </span>
        </Fact>
      )}
      <Fact label={t('hosts.enrolled')}>
        <span title={formats.full(agent.enrolled_at_unix)}>{formats.date(agent.enrolled_at_unix)}</span>
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
