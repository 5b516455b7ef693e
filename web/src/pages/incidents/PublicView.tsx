import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { INCIDENT_SEVERITIES } from '#src/domain/names.ts';
import { getPostmortem, listNotes } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { getStatusPage, type StatusPage } from '#src/status-pages/contract.ts';
import { useFormats } from '#web/format.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { Markdown } from '#web/ui/Markdown.tsx';
import { Moment } from '#web/ui/Times.tsx';
import { isOnline } from '../status-pages/page-access.ts';
import { IncidentStatus, wordOf } from './IncidentStatus.tsx';
import styles from './PublicView.module.css';
import { usePostmortemPublished } from './postmortem/use-postmortem-published.ts';

type Props = {
  orgId: string;
  incident: IncidentDetail;
  pages: readonly StatusPage[];
  /** The pages that the incident is linked to. */
  linked: readonly StatusPage[];
};

/** Each page costs a request, and everybody who is paged opens the incident. */
const MAX_ASKED = 5;

/** The incident as the public sees it, or would (docs/rules/status-pages.md#what-the-public-sees). */
export function PublicView({ orgId, incident, pages, linked }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const params = { org_id: orgId, incident_id: incident.id };
  const notes = useQuery(read(listNotes, { params, query: MAX_PAGE }));
  const isPublished = usePostmortemPublished(params);
  const postmortem = useQuery({ ...read(getPostmortem, { params }), enabled: isPublished });
  // While it is on no page: its title on the pages that are likely.
  const details = useQueries({
    queries: (linked.length > 0 ? linked : pages.slice(0, MAX_ASKED)).map(({ id }) =>
      read(getStatusPage, { params: { id } }),
    ),
  });
  const labels = new Set(
    details.flatMap(({ data }) =>
      (data?.monitors ?? []).flatMap(({ monitor, label }) =>
        monitor === incident.monitor_id ? [label] : [],
      ),
    ),
  );
  const texts = (notes.data ?? []).filter(({ visibility }) => visibility === 'public').toReversed();
  const names = (some: readonly StatusPage[]) => formats.list(some.map(({ name }) => name));
  const seen = linked.filter(isOnline);
  const hidden = linked.filter((page) => !isOnline(page));
  const isPublic = postmortem.data?.visibility === 'public';
  const severity = t(
    `publicView.severity.${INCIDENT_SEVERITIES.find((each) => each === incident.severity) ?? 'default'}`,
  );
  const called =
    labels.size === 0 ? severity : t('publicView.name', { severity, labels: formats.list([...labels]) });
  if (incident.lifecycle_state === 'discarded')
    return <p className={styles.where}>{t('publicView.discarded')}</p>;
  return (
    <section aria-label={t('publicView.title')}>
      <h3 className={styles.title}>{t('publicView.title')}</h3>
      <p className={styles.where}>
        {seen.length > 0 ? t('publicView.seen', { pages: names(seen) }) : t('publicView.unseen')}
        {hidden.length === 0
          ? null
          : ` ${t('publicView.hidden', { pages: names(hidden), count: hidden.length })}`}
      </p>
      <div className={styles.view} data-seen={seen.length > 0 || undefined}>
        <p className={styles.name}>{(isPublic && postmortem.data?.title) || called}</p>
        <p className={styles.state}>
          <IncidentStatus word={wordOf(incident)} />
          <Moment unix={incident.started_at_unix} />
          {incident.resolved_at_unix === null ? null : (
            <>
              <span aria-hidden="true">–</span>
              <Moment unix={incident.resolved_at_unix} />
            </>
          )}
        </p>
        {texts.length === 0 ? <p className={styles.none}>{t('publicView.noNotes')}</p> : null}
        <ol className={styles.notes}>
          {texts.map((note) => (
            <li key={note.id}>
              <p className={styles.when}>
                {t(`note.kind.${note.kind}`)} · <Moment unix={note.created_at_unix} />
              </p>
              <Markdown text={note.body} headings={3} />
            </li>
          ))}
        </ol>
        {isPublic ? <p className={styles.with}>{t('publicView.postmortem')}</p> : null}
      </div>
      <p className={styles.never}>{t('publicView.never')}</p>
    </section>
  );
}
