import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { linkPage, listPageLinks, type PageLink, unlinkPage } from '#src/incidents/actions-contract.ts';
import { listIncidentTimeline } from '#src/incidents/contract.ts';
import { listStatusPages, type StatusPage } from '#src/status-pages/contract.ts';
import { call } from '#web/call.ts';
import { useFormats } from '#web/format.ts';
import { everyRead, queryClient, read } from '#web/read.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { useTelling } from './actions/use-telling.ts';
import styles from './PageLinks.module.css';

type Place = { orgId: string; incidentId: string };

/** On which status pages the incident is shown; nothing where the organization has none. */
export function PageLinks({ orgId, incidentId }: Place) {
  const { t } = useTranslation();
  const mayManage = useMayManage();
  const pages = useQuery(read(listStatusPages, { params: { org_id: orgId } }));
  const some = (pages.data?.length ?? 0) > 0;
  const links = useQuery({
    ...read(listPageLinks, { params: { org_id: orgId, incident_id: incidentId } }),
    enabled: some,
  });
  if (!some || links.data === undefined) return null;
  const linkOf = (page: StatusPage) => links.data.find((link) => link.status_page_id === page.id);
  const shown = mayManage ? pages.data : pages.data?.filter(linkOf);
  return (
    <Panel title={t('pageLinks.title')}>
      <p className={styles.lead}>{t('pageLinks.lead')}</p>
      {shown?.length === 0 ? <p>{t('pageLinks.none')}</p> : null}
      <ul className={styles.list}>
        {shown?.map((page) => (
          <PageLine
            key={page.id}
            page={page}
            link={linkOf(page)}
            mayChange={mayManage}
            orgId={orgId}
            incidentId={incidentId}
          />
        ))}
      </ul>
    </Panel>
  );
}

type LineProps = Place & { page: StatusPage; link: PageLink | undefined; mayChange: boolean };

function PageLine({ orgId, incidentId, page, link, mayChange }: LineProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const tell = useTelling();
  const params = { org_id: orgId, incident_id: incidentId, status_page_id: page.id };
  // At once what was chosen, until the server's answer is there.
  const [wanted, setWanted] = useState<boolean | null>(null);

  async function change(shown: boolean): Promise<void> {
    setWanted(shown);
    try {
      if (shown) await call(linkPage, { params });
      else await call(unlinkPage, { params });
    } finally {
      await Promise.all(
        [listPageLinks, listIncidentTimeline].map((operation) =>
          queryClient.invalidateQueries({ queryKey: everyRead(operation) }),
        ),
      );
      setWanted(null);
    }
  }

  const about = [
    `/status/${page.slug}`,
    ...(page.enabled ? [] : [t('pageLinks.draft')]),
    ...(link === undefined ? [] : [t('pageLinks.since', { time: formats.moment(link.linked_at_unix) })]),
  ].join(' · ');
  if (!mayChange)
    return (
      <li className={styles.line}>
        <span>{page.name}</span>
        <span className={styles.about}>{about}</span>
      </li>
    );
  return (
    <li>
      <Checkbox
        label={page.name}
        aria-label={t('pageLinks.link', { name: page.name })}
        description={about}
        checked={wanted ?? link !== undefined}
        disabled={wanted !== null}
        onChange={(event) => tell(change(event.currentTarget.checked))}
      />
    </li>
  );
}
