import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { displayState } from '#web/ui/StatusGlyph.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { AddHost } from './add/AddHost.tsx';
import styles from './HostsPage.module.css';
import { HOSTS_POLL_MS, hostsOf, readingsOfHosts } from './hosts.ts';
import { HostRow } from './list/HostRow.tsx';
import { byUrgency, matches } from './urgency.ts';
import { useHostMonitors } from './use-host-monitors.ts';

/** The hosts with an agent, those that need attention first. */
export default function HostsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const [adding, add] = useDisclosure(false);
  const hosts = useQuery({ ...hostsOf(orgId), refetchInterval: HOSTS_POLL_MS });
  const some = (hosts.data?.length ?? 0) > 0;
  const addButton = mayManage ? (
    <Button leftSection={<IconPlus size={16} />} data-lead="add-host" onClick={add.open}>
      {t('hosts.add')}
    </Button>
  ) : (
    <ReadOnly />
  );
  return (
    <>
      <PageHead title={t('hosts.title')} below={t('hosts.lead')}>
        {some ? addButton : null}
      </PageHead>
      {hosts.isPending ? <LoadingRows count={5} height={72} /> : null}
      {hosts.isLoadingError ? <Failure error={hosts.error} retry={hosts.refetch} /> : null}
      {hosts.data === undefined || some ? null : (
        <Empty title={t('hosts.none')} text={t('hosts.noneText')}>
          {addButton}
        </Empty>
      )}
      {hosts.data !== undefined && some ? <Hosts orgId={orgId} hosts={hosts.data} /> : null}
      {adding ? <AddHost onClose={add.close} /> : null}
    </>
  );
}

type HostsProps = { orgId: string; hosts: Parameters<typeof matches>[0][] };

function Hosts({ orgId, hosts }: HostsProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const now = useNow();
  const curves = useQuery({ ...readingsOfHosts(orgId), refetchInterval: 60_000 });
  const curveOf = new Map(curves.data?.map((curve) => [curve.agent_id, curve]));
  const { byHost } = useHostMonitors();
  const shown = hosts
    .filter((agent) => matches(agent, search))
    .map((agent) => {
      const states = (byHost.get(agent.id) ?? []).map((monitor) => displayState(monitor, now));
      return { agent, failing: states.filter((state) => state === 'failed').length };
    })
    .sort(byUrgency);
  return (
    <>
      <TextInput
        className={styles.search}
        leftSection={<IconSearch size={16} />}
        aria-label={t('hosts.search')}
        placeholder={t('hosts.search')}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <Empty title={t('hosts.nothingMatches')}>
          <Button variant="default" onClick={() => setSearch('')}>
            {t('monitors.showAll')}
          </Button>
        </Empty>
      ) : (
        <div className={styles.frame}>
          <div className={styles.columns} aria-hidden="true">
            <span>{t('hosts.host')}</span>
            <span>{t('hosts.cpu')}</span>
            <span>{t('hosts.memory')}</span>
            <span>{t('hosts.disk')}</span>
            <span>{t('hosts.monitors')}</span>
          </div>
          <ul className={styles.list} aria-label={t('hosts.title')}>
            {shown.map(({ agent, failing }) => (
              <HostRow
                key={agent.id}
                orgId={orgId}
                agent={agent}
                failing={failing}
                curve={curveOf.get(agent.id)}
              />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
