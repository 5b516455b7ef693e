import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wall } from '#src/walls/contract.ts';
import { useFormats } from '#web/format.ts';
import { monthName } from '../overview/month-name.ts';
import styles from './WallPage.module.css';

/** Who is on call, planned work, holds, recent incidents, and the uptime of the month. */
export function WallFacts({ wall }: { wall: Wall }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { on_call, maintenance, holds, recent, uptime } = wall;
  const [window] = maintenance.now;
  const [hold] = holds;
  const [last] = recent;
  return (
    <dl className={styles.facts}>
      {on_call.enabled ? (
        <Fact
          label={t('wall.onDuty')}
          value={on_call.now ?? t('wall.nobody')}
          isWrong={on_call.now === null}
          below={[
            on_call.until_unix === null
              ? null
              : t('overview.dutyUntil', { moment: formats.minute(on_call.until_unix) }),
            on_call.next === null ? null : t('wall.next', { name: on_call.next }),
          ]}
        />
      ) : null}
      {uptime?.pct == null ? null : (
        <Fact
          label={t('overview.uptime', { month: monthName(uptime.period, formats.language) })}
          value={formats.percent(uptime.pct)}
        />
      )}
      {window !== undefined ? (
        <Fact
          label={t('overview.maintenance')}
          value={window.title}
          below={[t('overview.dutyUntil', { moment: formats.minute(window.ends_at_unix) })]}
        />
      ) : maintenance.next !== null ? (
        <Fact
          label={t('wall.planned')}
          value={maintenance.next.title}
          below={[t('overview.dutyFrom', { moment: formats.minute(maintenance.next.starts_at_unix) })]}
        />
      ) : null}
      {hold === undefined ? null : (
        <Fact
          label={t('overview.holds')}
          value={hold.name}
          below={[
            t('overview.holdsBy', {
              who: hold.by_name || t('overview.summary.somebody'),
              moment: formats.minute(hold.until_unix),
            }),
          ]}
        />
      )}
      {last === undefined ? null : (
        <Fact
          label={t('overview.recent')}
          value={last.name}
          below={[
            `${formats.minute(last.started_at_unix)} · ${formats.duration(last.resolved_at_unix - last.started_at_unix)}`,
          ]}
        />
      )}
    </dl>
  );
}

type FactProps = {
  label: string;
  value: ReactNode;
  isWrong?: boolean;
  below?: readonly (string | null)[];
};

function Fact({ label, value, isWrong = false, below = [] }: FactProps) {
  const said = below.filter((line) => line !== null).join(', ');
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd className={styles.value} data-wrong={isWrong || undefined}>
        {value}
      </dd>
      {said === '' ? null : <dd className={styles.below}>{said}</dd>}
    </div>
  );
}
