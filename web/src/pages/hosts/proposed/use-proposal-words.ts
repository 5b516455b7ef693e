// Names of proposed monitors, and their thresholds, in the reader's language.
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { unitOfMetric } from '#src/domain/agent.ts';
import { useFormats } from '#web/format.ts';
import { type Proposal, type RunningService, serviceKey } from './proposals.ts';

type ProposalSubject = Pick<Proposal, 'what' | 'of'>;
const MAX_CHARACTERS = 200;
const KINDS = ['systemd', 'docker', 'process'] as const;

export function useProposalWords() {
  const { t } = useTranslation();
  const formats = useFormats();
  const titleOf = ({ what, of }: ProposalSubject) => t(`hosts.proposed.what.${what}`, { of: of ?? '' });
  return {
    titleOf,
    /** The name of the monitor. */
    nameOf: ({ hostname }: Pick<Agent, 'hostname'>, proposal: ProposalSubject) =>
      `${hostname}: ${titleOf(proposal)}`.slice(0, MAX_CHARACTERS),
    ruleOf: ({ what, limits, key }: Proposal) => {
      if (limits === null) return t(`hosts.proposed.rule.${what === 'online' ? 'online' : 'service'}`);
      const as = (value: number) => formats.measured(value, unitOfMetric(key) ?? 'none');
      const values = { threshold: as(limits.threshold), degraded: as(limits.degraded ?? 0) };
      return t(`hosts.proposed.rule.${limits.degraded === null ? 'above' : 'aboveTwo'}`, values);
    },
    /** The current value; "" if nothing is measured. */
    nowOf: ({ now, key }: Proposal) =>
      now === null ? '' : t('hosts.now', { value: formats.measured(now, unitOfMetric(key) ?? 'none') }),
    /** For a select, by kind. */
    serviceOptions: (running: readonly RunningService[]) =>
      KINDS.map((kind) => ({
        group: t(`hosts.kinds.${kind}`),
        items: running
          .filter((each) => each.kind === kind)
          .map(({ name }) => ({ value: serviceKey(kind, name), label: name })),
      })).filter(({ items }) => items.length > 0),
  };
}
