import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { useFormats } from '#web/format.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './HostStateWord.module.css';
import { GLYPHS, hostState } from './host-state.ts';

/** Whether a host reports; if not, since when. */
export function HostStateWord({ agent, size = 12 }: { agent: Agent; size?: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const state = hostState(agent);
  const last = agent.last_heartbeat_at_unix;
  const isGone = state === 'silent' || state === 'away';
  return (
    <span
      className={styles.word}
      data-state={state}
      title={last === null ? undefined : t('hosts.lastReport', { moment: formats.full(last) })}
    >
      <StatusGlyph state={GLYPHS[state]} size={size} />
      <span>
        {isGone && last !== null
          ? t(`hosts.state.${state}Since`, { moment: formats.minute(last) })
          : t(`hosts.state.${state}`)}
      </span>
    </span>
  );
}
