import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getBlindSpots } from '#src/self-monitoring/contract.ts';
import { useFormats } from '../format.ts';
import { read } from '../read.ts';
import { Banner } from './Banner.tsx';
import { useOrgId } from './chosen-project.ts';

const EVERY_MS = 30_000;
/** The number named in the banner; the list of monitors has all. */
const MAX_NAMED = 5;

/** A notice on every page of an organization about monitors without data. */
export function BlindSpots() {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const spots = useQuery({
    ...read(getBlindSpots, { params: { org_id: orgId } }),
    refetchInterval: EVERY_MS,
  });
  const { total = 0, since_unix: since = null, monitors = [] } = spots.data ?? {};
  if (total === 0 || since === null) return null;
  const named = monitors.slice(0, MAX_NAMED);
  return (
    <Banner tone="warning" title={t('blindSpots.title', { count: total, moment: formats.minute(since) })}>
      <p>{t('blindSpots.text', { count: total })}</p>
      <ul>
        {named.map(({ monitor_id, name }) => (
          <li key={monitor_id}>
            <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: monitor_id }}>
              {name}
            </Link>
          </li>
        ))}
        {total > named.length ? <li>{t('blindSpots.more', { count: total - named.length })}</li> : null}
      </ul>
    </Banner>
  );
}
