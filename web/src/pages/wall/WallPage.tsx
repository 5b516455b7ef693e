import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wall } from '#src/walls/contract.ts';
import { useLostSince } from '#web/connection.ts';
import { useFormats } from '#web/format.ts';
import { useOpenIncidentsInTitle, usePageTitle } from '#web/page-title.ts';
import { NotConnectedBar } from '#web/shell/NotConnected.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { TocsinLogo } from '#web/ui/TocsinLogo.tsx';
import { Frame } from '../accounts/Frame.tsx';
import { sentenceOf, toneOf } from '../overview/summary.ts';
import { useWakeLock } from './use-wake-lock.ts';
import { useWall } from './use-wall.ts';
import { WallFacts } from './WallFacts.tsx';
import { WallField } from './WallField.tsx';
import styles from './WallPage.module.css';

/** The wall display: shown to a room, opened by a link, without sign-in. */
export default function WallPage() {
  const { t } = useTranslation();
  const token = useToken();
  if (token === '')
    return (
      <Frame title={t('wall.noLink')}>
        <p>{t('wall.noLinkText')}</p>
      </Frame>
    );
  return <Shown key={token} token={token} />;
}

/** The token follows the #, so that browsers send it to no server. */
function useToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const changed = () => setToken(location.hash.slice(1));
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, []);
  return token;
}

function Shown({ token }: { token: string }) {
  const { t } = useTranslation();
  const { wall, isRevoked, oldSince } = useWall(token);
  const isLost = useLostSince() !== null;
  const isAwake = useWakeLock();
  usePageTitle(wall?.organization_name ?? t('wall.title'));
  useOpenIncidentsInTitle(wall?.open.total ?? 0);
  // The notice that the server is down must be readable from afar too.
  useEffect(() => {
    document.documentElement.dataset.wall = 'true';
    return () => {
      delete document.documentElement.dataset.wall;
    };
  }, []);
  if (isRevoked)
    return (
      <Frame title={t('wall.revoked')}>
        <p>{t('wall.revokedText')}</p>
      </Frame>
    );
  return (
    <>
      {oldSince === null || isLost ? null : <NotConnectedBar since={oldSince} />}
      {wall === null ? (
        <main className={styles.wall} aria-label={t('wall.title')}>
          <LoadingRows count={3} height={120} />
        </main>
      ) : (
        <Screen wall={wall} isAwake={isAwake} />
      )}
    </>
  );
}

function Screen({ wall, isAwake }: { wall: Wall; isAwake: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const tone = toneOf(wall);
  return (
    <main className={styles.wall} data-tone={tone}>
      <header className={styles.head}>
        <p className={styles.brand}>
          <TocsinLogo size={34} ringing={wall.open.total > 0} /> {wall.organization_name}
        </p>
        <Clock />
      </header>
      <h1 className={styles.sentence}>{sentenceOf(wall, { t, formats })}</h1>
      {wall.nobody_notified ? <p className={styles.nobodyNotified}>{t('wall.nobodyNotified')}</p> : null}
      <WrongNames wall={wall} />
      <WallField tiles={wall.tiles} />
      <WallFacts wall={wall} />
      {isAwake ? null : <p className={styles.asleep}>{t('wall.asleep')}</p>}
    </main>
  );
}

/** The failing monitors, worst first, and declared incidents. */
function WrongNames({ wall: { wrong, declared } }: { wall: Wall }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (wrong.length + declared.length === 0) return null;
  return (
    <ul className={styles.wrong}>
      {declared.map(({ cause, started_at_unix }) => (
        <li key={`${cause} ${started_at_unix}`} className={styles.one} data-state="failed">
          <strong>{cause}</strong>{' '}
          <span>{t('overview.since', { moment: formats.minute(started_at_unix) })}</span>
        </li>
      ))}
      {wrong.map(({ name, state, since_unix }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and nothing else tells them apart
        <li key={`${name} ${place}`} className={styles.one} data-state={state}>
          <strong>{name}</strong>{' '}
          <span>
            {state === 'maintenance' ? '' : t(`status.${state}`)}
            {since_unix === null ? '' : ` ${t('overview.since', { moment: formats.minute(since_unix) })}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The time by the screen's own clock: it shows that the page is alive. */
function Clock() {
  const formats = useFormats();
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time className={styles.clock} dateTime={new Date(now * 1_000).toISOString()}>
      {formats.minute(now)}
    </time>
  );
}
