import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { useFormats } from '#web/format.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import table from '#web/ui/Table.module.css';
import styles from './HostServices.module.css';

/** The watched services of the host, as last reported; nothing if none is watched. */
export function HostServices({ agent }: { agent: Agent }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  if (agent.services.length === 0) return null;
  const kindOf = (kind: string) =>
    i18n.exists(`hosts.kinds.${kind}`) ? t(`hosts.kinds.${kind as 'process'}`) : kind;
  return (
    <Panel title={t('hosts.services')} flush>
      <table className={table.table} aria-label={t('hosts.services')}>
        <thead>
          <tr>
            <th scope="col">{t('hosts.service')}</th>
            <th scope="col">{t('hosts.runs')}</th>
            <th scope="col" className={table.figure}>
              {t('hosts.cpu')}
            </th>
            <th scope="col" className={table.figure}>
              {t('hosts.memory')}
            </th>
          </tr>
        </thead>
        <tbody>
          {agent.services.map(({ kind, name, running, cpu_pct: cpu, mem_mb: memory }) => (
            <tr key={`${kind}:${name}`}>
              <td>
                <span className={styles.name}>{name}</span>{' '}
                <span className={styles.kind}>{kindOf(kind)}</span>
              </td>
              <td>
                <span className={styles.state}>
                  <StatusGlyph state={running ? 'passed' : 'paused'} />
                  {t(running ? 'hosts.running' : 'hosts.stopped')}
                </span>
              </td>
              <td className={table.figure}>{cpu === null ? '–' : formats.measured(cpu, 'pct')}</td>
              <td className={table.figure}>{memory === null ? '–' : formats.measured(memory, 'mb')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
