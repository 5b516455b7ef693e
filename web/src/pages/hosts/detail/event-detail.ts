// The detail of a host event (docs/rules/agents.md#events-of-a-host), in the reader's language.
import type { TFunction } from 'i18next';
import type { AgentEvent } from '#src/agents/contract.ts';
import type { Formats } from '#web/format.ts';

/** The detail in words; a detail unknown to this dashboard is shown unchanged. */
export function eventDetail(
  { at_unix: at, kind, detail }: AgentEvent,
  t: TFunction,
  formats: Formats,
): string {
  if (kind === 'enrolled') {
    const [, version] = /^with version (.+)$/.exec(detail) ?? [];
    return version === undefined ? detail : t('hosts.eventDetail.enrolled', { version });
  }
  if (kind !== 'silent' && kind !== 'back') return detail;
  const since = Math.floor(Date.parse(detail) / 1_000);
  if (Number.isNaN(since)) return detail;
  return kind === 'silent'
    ? t('hosts.eventDetail.silent', { moment: formats.moment(since) })
    : t('hosts.eventDetail.back', { duration: formats.durationInWords(at - since) });
}
