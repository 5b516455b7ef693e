import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '#web/session.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { Ago, Moment } from '#web/ui/Times.tsx';
import { useWrite } from '#web/use-write.ts';
import { deviceOf } from './device.ts';
import { Section } from './Section.tsx';
import styles from './SessionsSection.module.css';
import { endOtherSessions, endSession, type Session, sessionsQuery, unixOf } from './sessions.ts';

const ICONS = { desktop: IconDeviceDesktop, phone: IconDeviceMobile, program: IconTerminal2 };

/** Lists the account's sessions, and ends them. */
export function SessionsSection() {
  const { t } = useTranslation();
  const sessions = useQuery(sessionsQuery);
  const isCurrent = useQuery(sessionQuery).data?.session.id;
  const write = useWrite();

  // This session first, then by last use.
  const shown = [...(sessions.data ?? [])].sort(
    (a, b) =>
      Number(b.id === isCurrent) - Number(a.id === isCurrent) || b.updatedAt.localeCompare(a.updatedAt),
  );
  return (
    <Section name="sessions" title={t('security.sessions.title')} lead={t('security.sessions.lead')} flush>
      {sessions.isPending ? (
        <div className={styles.inset}>
          <LoadingRows count={2} />
        </div>
      ) : null}
      {sessions.isError ? (
        <div className={styles.inset}>
          <Failure error={sessions.error} retry={sessions.refetch} />
        </div>
      ) : null}
      <ul className={styles.list}>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} isCurrent={session.id === isCurrent} />
        ))}
      </ul>
      {write.refusal === null ? null : (
        <div className={styles.inset}>
          <Refused write={write} />
        </div>
      )}
      {shown.length > 1 ? (
        <div className={styles.foot}>
          <Button
            variant="default"
            loading={write.busy}
            disabled={write.waitSeconds > 0}
            onClick={() => void write.run(endOtherSessions)}
          >
            {t('security.sessions.endOthers')}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

function SessionRow({ session, isCurrent }: { session: Session; isCurrent: boolean }) {
  const { t } = useTranslation();
  const write = useWrite();
  const device = deviceOf(session.userAgent);
  const Icon = ICONS[device.kind];
  const name =
    device.browser !== null && device.system !== null
      ? t('security.sessions.device', { browser: device.browser, system: device.system })
      : (device.browser ?? device.system ?? t('security.sessions.unknown'));
  return (
    <li className={styles.row}>
      <Icon className={styles.icon} size={22} stroke={1.5} aria-hidden="true" />
      <div className={styles.what}>
        <span className={styles.device} title={session.userAgent ?? undefined}>
          {name}
          {isCurrent ? <span className={styles.current}>{t('security.sessions.thisOne')}</span> : null}
        </span>
        <span className={styles.facts}>
          {session.ipAddress ? <span className="mono">{session.ipAddress}</span> : null}
          <span>
            {t('security.sessions.started')} <Moment unix={unixOf(session.createdAt)} />
          </span>
          {isCurrent ? null : (
            <span>
              {t('security.sessions.active')} <Ago unix={unixOf(session.updatedAt)} />
            </span>
          )}
        </span>
        <Refused write={write} />
      </div>
      {isCurrent ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('security.sessions.endOf', { device: name })}
          loading={write.busy}
          onClick={() => void write.run(() => endSession(session.token))}
        >
          {t('security.sessions.end')}
        </Button>
      )}
    </li>
  );
}
