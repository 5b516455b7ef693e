import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { linkPage, type PageLink, unlinkPage } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { useFormats } from '#web/format.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { accessOf, pagePath } from '../status-pages/page-access.ts';
import styles from './PageLinks.module.css';
import { PublicView } from './PublicView.tsx';
import { useCommandRefusal } from './use-command-refusal.ts';
import { usePageLinks } from './use-page-links.ts';

type Place = { orgId: string; incidentId: string };

/** The status pages that show the incident, and in what form; nothing if the organization has none. */
export function PageLinks({ orgId, incident }: { orgId: string; incident: IncidentDetail }) {
  const { t } = useTranslation();
  const incidentId = incident.id;
  const mayManage = useMayManage();
  const { pages, links } = usePageLinks(orgId, incidentId);
  if (pages.data === undefined || pages.data.length === 0 || links.data === undefined) return null;
  const linkOf = (page: StatusPage) => links.data.find((link) => link.status_page_id === page.id);
  const shown = mayManage ? pages.data : pages.data.filter(linkOf);
  return (
    <Panel title={t('pageLinks.title')}>
      <p className={styles.lead}>{t('pageLinks.lead')}</p>
      {shown.length === 0 ? <p>{t('pageLinks.none')}</p> : null}
      <ul className={styles.list}>
        {shown.map((page) => (
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
      <PublicView orgId={orgId} incident={incident} pages={pages.data} linked={pages.data.filter(linkOf)} />
    </Panel>
  );
}

type LineProps = Place & { page: StatusPage; link: PageLink | undefined; mayChange: boolean };

function PageLine({ orgId, incidentId, page, link, mayChange }: LineProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const write = useWrite({ show: inNote, words: useCommandRefusal() });
  const params = { org_id: orgId, incident_id: incidentId, status_page_id: page.id };
  const isLinked = link !== undefined;
  const change = () =>
    write.run(async () => {
      if (isLinked) await send(unlinkPage, { params });
      else await send(linkPage, { params });
    });

  const about = [
    pagePath(page.slug),
    t(`statusPages.access.${accessOf(page)}`),
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
        // Shows the choice at once, before the server has answered.
        checked={write.busy ? !isLinked : isLinked}
        disabled={write.busy}
        onChange={() => void change()}
      />
    </li>
  );
}
