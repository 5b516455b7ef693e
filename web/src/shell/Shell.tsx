import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncidentEvent } from '#src/events/contract.ts';
import { listIncidents } from '#src/incidents/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { useLostSince } from '../connection.ts';
import { useLive } from '../live.ts';
import { useOpenIncidentsInTitle } from '../page-title.ts';
import { Frame } from '../pages/accounts/Frame.tsx';
import { ExampleGuide } from '../pages/examples/ExampleGuide.tsx';
import { useCauseWords } from '../pages/incidents/use-cause-words.ts';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { read } from '../read.ts';
import { remember } from '../remembered.ts';
import { TocsinLogo } from '../ui/TocsinLogo.tsx';
import { BlindSpots } from './BlindSpots.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { useOrgId } from './chosen-project.ts';
import { Navigation } from './Navigation.tsx';
import { Printed } from './Printed.tsx';
import styles from './Shell.module.css';
import { Switcher } from './Switcher.tsx';
import { UserMenu } from './UserMenu.tsx';

/** The signed-in pages of an organization, for its members. */
export function Shell() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const organizations = useQuery(read(listMyOrganizations, {}));
  if (organizations.isSuccess && !organizations.data.some((each) => each.id === orgId)) {
    return (
      <Frame title={t('noOrganization.title')}>
        <p>{t('noOrganization.text')}</p>
        <Link to="/">{t('notFound.home')}</Link>
      </Frame>
    );
  }
  return <OrganizationShell key={orgId} />;
}

/** The incident events that notify everybody; others only update pages. */
const NEWS = ['opened', 'acknowledged', 'resolved'] as const;

/** The layout of every page: brand, switcher, navigation, connection, account. */
function OrganizationShell() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const words = useCauseWords();
  const [announced, setAnnounced] = useState('');
  const open = useQuery({
    ...read(listIncidents, { params: { org_id: orgId }, query: { status: 'open', limit: 1000 } }),
    refetchInterval: 60_000,
  });
  // An example incident does not count as open.
  const real = open.data?.filter(({ example }) => !example) ?? [];
  const count = real.length;
  const unacknowledged = real.filter((each) => each.lifecycle_state === 'triggered').length;
  useOpenIncidentsInTitle(count);
  useEffect(() => remember('organization', orgId), [orgId]);

  function onIncident(event: IncidentEvent) {
    const news = NEWS.find((change) => change === event.change);
    if (news === undefined) return;
    const sentence = t(`shell.announced.${news}`, { name: event.monitor_name ?? event.cause });
    setAnnounced(sentence);
    // The latest event of an incident replaces the one before; on a phone, several would cover the page.
    const id = window.matchMedia('(max-width: 42.5em)').matches ? 'incident' : event.incident_id;
    notifications.hide(id);
    notifications.show({
      id,
      title: sentence,
      message: event.change === 'opened' ? words(event.cause) : null,
      color: event.change === 'opened' ? 'red' : event.change === 'resolved' ? 'green' : 'gray',
      autoClose: event.change === 'opened' ? 12_000 : 6_000,
      style: { cursor: 'pointer' },
      closeButtonProps: { 'aria-label': t('ui.close') },
      onClick: () => {
        void navigate({
          to: '/o/$orgId/incidents/$incidentId',
          params: { orgId, incidentId: event.incident_id },
        });
      },
    });
  }

  const live = useLive(orgId, onIncident);
  const isLost = useLostSince() !== null;

  return (
    <>
      <BlindSpots />
      <div className={styles.shell}>
        <section className={styles.side} aria-label="Tocsin">
          <Link to="/o/$orgId/overview" params={{ orgId }} className={styles.brand}>
            <TocsinLogo ringing={count > 0} />
            <span className={styles.name}>Tocsin</span>
          </Link>
          <Switcher />
          <PaletteButton />
          <Navigation openIncidents={count} unacknowledged={unacknowledged} />
          <div className={styles.foot}>
            <ConnectionState state={isLost ? 'reconnecting' : live} />
            <UserMenu />
          </div>
        </section>
        <main className={styles.main} id="content" tabIndex={-1}>
          <Outlet />
          <Printed />
        </main>
        <ExampleGuide orgId={orgId} />
        <div className="visually-hidden" role="status" aria-live="assertive">
          {announced}
        </div>
      </div>
    </>
  );
}
