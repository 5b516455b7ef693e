import { useTranslation } from 'react-i18next';
import type { PlanInUse } from '#src/plans/contract.ts';
import { useFormats } from '#web/format.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './Limits.module.css';

const COUNTED = ['monitors', 'seats'] as const;

/** The limits of a plan; with a bar if usage is counted. */
export function Limits({ plan }: { plan: PlanInUse }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { limits } = plan;
  const count = (limit: number | null) => (limit === null ? t('plan.none') : formats.integer(limit));
  const plain = [
    { key: 'regions_per_monitor', value: count(limits.regions_per_monitor) },
    { key: 'custom_domains_per_page', value: count(limits.custom_domains_per_page) },
    { key: 'min_interval_seconds', value: formats.durationInWords(limits.min_interval_seconds) },
    {
      key: 'raw_check_retention_days',
      value:
        limits.raw_check_retention_days === null
          ? t('plan.none')
          : t('plan.days', { count: limits.raw_check_retention_days }),
    },
  ] as const;
  return (
    <Panel title={t('plan.limits')}>
      <ul className={styles.list}>
        {COUNTED.map((key) => (
          <Counted key={key} name={key} used={plan.used[key]} limit={limits[key]} />
        ))}
        {plain.map(({ key, value }) => (
          <li key={key} className={styles.row}>
            <span>{t(`plan.limit.${key}`)}</span>
            <span className={styles.value}>{value}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type CountedProps = { name: (typeof COUNTED)[number]; used: number; limit: number | null };

function Counted({ name, used, limit }: CountedProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const state = limit === null || used < limit ? 'free' : used === limit ? 'full' : 'over';
  const values = { used: formats.integer(used), limit: limit === null ? '' : formats.integer(limit) };
  const words = limit === null ? t('plan.used', values) : t('plan.usedOf', values);
  const label = t(`plan.limit.${name}`);
  return (
    <li className={styles.counted} data-state={state}>
      <div className={styles.line}>
        <span>{label}</span>
        <span className={styles.value}>
          {words}
          {limit === null ? <span className={styles.quiet}>, {t('plan.none')}</span> : null}
        </span>
      </div>
      {limit === null ? null : (
        // The text above says the same.
        <div className={styles.bar} aria-hidden="true">
          <div
            className={styles.fill}
            style={{ width: `${Math.min(100, limit === 0 ? 100 : (100 * used) / limit)}%` }}
          />
        </div>
      )}
      <p className={styles.quiet}>
        {state === 'over' ? t('plan.over') : t(`plan.limitWords.${name}`)}
        {state === 'full' ? ` ${t('plan.full')}` : null}
      </p>
    </li>
  );
}
