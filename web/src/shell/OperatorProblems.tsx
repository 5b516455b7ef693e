import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listTroubles, type Trouble } from '#src/self-monitoring/contract.ts';
import { useFormats } from '../format.ts';
import { read } from '../read.ts';
import { Banner } from './Banner.tsx';
import { useIsOperator } from './my-role.ts';

const EVERY_MS = 10_000;

/** Shows the operator problems of the installation itself on every page; a full disk has its own notice. */
export function OperatorProblems() {
  const { t } = useTranslation();
  const formats = useFormats();
  const isOperator = useIsOperator();
  const troubles = useQuery({ ...read(listTroubles, {}), enabled: isOperator, refetchInterval: EVERY_MS });
  const shown = (troubles.data ?? []).filter(({ kind }) => kind !== 'disk_full');
  if (!isOperator || shown.length === 0) return null;
  return (
    <Banner tone="warning" title={t('troubles.title', { count: shown.length })}>
      <ul>
        {shown.map((trouble) => (
          <li key={`${trouble.kind} ${trouble.subject}`}>
            <Sentence trouble={trouble} since={formats.minute(trouble.began_at_unix)} />
          </li>
        ))}
      </ul>
      {shown.every(({ kind }) => kind === 'edge_failing') ? (
        <Link to="/operator/doctor">{t('troubles.examine')}</Link>
      ) : (
        <Link to="/operator/regions">{t('troubles.open')}</Link>
      )}
    </Banner>
  );
}

const QUEUES = ['deliveries', 'notices', 'jobs'] as const;

function Sentence({ trouble, since }: { trouble: Trouble; since: string }) {
  const { t } = useTranslation();
  const { kind, subject, name = '', probe = '', reason, count = 0 } = trouble;
  switch (kind) {
    case 'region_offline':
      return t('troubles.regionOffline', { name, since, count });
    case 'probe_lagging':
      return t(reason === 'no_results' ? 'troubles.probeNoResults' : 'troubles.probeBusy', {
        name,
        probe,
        since,
      });
    case 'queue_lagging': {
      const queue = QUEUES.find((each) => each === subject);
      return queue === undefined ? trouble.title : t(`troubles.queue.${queue}`, { since, count });
    }
    case 'edge_failing':
      return t(reason === 'away' ? 'troubles.edgeAway' : 'troubles.edgeRefuses', { address: subject, since });
    default:
      return trouble.title;
  }
}
