import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import type { ReportQuery } from '#src/reports/contract.ts';
import {
  listReportSubscriptions,
  type ReportSubscription,
  subscribeToReport,
  unsubscribeFromReport,
} from '#src/reports/mailed/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useIsOperator } from '#web/shell/my-role.ts';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './MailedReport.module.css';

type Subject = Pick<ReportQuery, 'project_id' | 'tag' | 'status_page_id'>;

/** Whether this report is mailed each month, and a switch for that. Without a mail server, what is missing for that. */
export function MailedReport({ subject, zone }: { subject: Subject; zone: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const installation = useQuery(read(getInstallation, {}));
  const mine = useQuery(read(listReportSubscriptions, { params: { org_id: orgId } }));
  const write = useWrite();
  const isOperator = useIsOperator();
  const explain = useFailureSentence();
  if (installation.data === undefined || mine.data === undefined) return null;
  const canMail = installation.data.mail;
  const known = mine.data.find((each) => isAbout(each, subject));

  const subscribe = () =>
    write.run(() =>
      send(subscribeToReport, { params: { org_id: orgId }, body: { ...subject, timezone: zone } }, () =>
        notifications.show({ color: 'green', message: t('reports.mail.subscribed') }),
      ),
    );
  const unsubscribe = ({ id }: ReportSubscription) =>
    write.run(async () => {
      await send(unsubscribeFromReport, { params: { org_id: orgId, subscription_id: id } });
      notifications.show({ message: t('reports.mail.unsubscribed') });
    });

  return (
    <section className={styles.mailed} aria-label={t('reports.mail.title')}>
      <div className={styles.words}>
        <p className={styles.title}>{t('reports.mail.title')}</p>
        <p className={styles.text}>
          {!canMail
            ? t(isOperator ? 'reports.mail.noServerOperator' : 'reports.mail.noServer')
            : known
              ? t('reports.mail.next', {
                  time: formats.inZone(known.next_at_unix, known.timezone),
                  zone: known.timezone.replaceAll('_', ' '),
                })
              : t('reports.mail.offer', { zone: zone.replaceAll('_', ' ') })}
        </p>
        {canMail && known?.last_error ? (
          <p className={styles.failed}>
            {t('reports.mail.failed', { error: explain({ failure_class: known.last_error }) })}
          </p>
        ) : null}
        {canMail || !isOperator ? null : (
          <p className={styles.text}>
            <Link to="/operator/doctor">{t('troubles.examine')}</Link>
          </p>
        )}
        <Refused write={write} />
      </div>
      {known ? (
        <Button
          variant="default"
          loading={write.busy}
          leftSection={<IconMailOff size={16} aria-hidden="true" />}
          onClick={() => void unsubscribe(known)}
        >
          {t('reports.mail.stop')}
        </Button>
      ) : !canMail ? null : (
        <Button
          variant="default"
          loading={write.busy}
          leftSection={<IconMail size={16} aria-hidden="true" />}
          onClick={() => void subscribe()}
        >
          {t('reports.mail.start')}
        </Button>
      )}
    </section>
  );
}

function isAbout({ subject: { kind, id } }: ReportSubscription, subject: Subject): boolean {
  const { project_id: project, tag, status_page_id: page } = subject;
  if (project !== undefined) return kind === 'project' && id === project;
  if (tag !== undefined) return kind === 'tag' && id === tag;
  if (page !== undefined) return kind === 'status_page' && id === page;
  return kind === 'organization';
}
