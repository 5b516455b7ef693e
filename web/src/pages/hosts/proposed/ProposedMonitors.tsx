import { Button, Checkbox, MultiSelect, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { createMonitor, type Monitor } from '#src/monitors/contract.ts';
import { chooseProject, useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ProposedMonitors.module.css';
import { type Proposal, proposalsFor, serviceKey, serviceProposal, servicesToWatch } from './proposals.ts';
import { useProposalWords } from './use-proposal-words.ts';

type Props = { agent: Agent; existing: readonly Monitor[] };

/** The monitors proposed for a host, created one by one or as a selection; nothing if all exist. */
export function ProposedMonitors({ agent, existing }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const words = useProposalWords();
  const { projects, project } = useChosenProject();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [chosenServices, setChosenServices] = useState<string[]>([]);
  const write = useWrite();
  const running = servicesToWatch(agent, existing);
  const watched = running.filter(({ kind, name }) => chosenServices.includes(serviceKey(kind, name)));
  const readings = proposalsFor(agent, existing);
  const proposals = [...readings, ...watched.map((each) => serviceProposal(agent, each))];
  const chosen = proposals.filter(({ key }) => !left.has(key));
  if (readings.length === 0 && running.length === 0)
    return <p className={styles.none}>{t('hosts.proposed.none')}</p>;

  /** One after the other: monitors created before a refusal remain. */
  const create = (wanted: readonly Proposal[]) =>
    write.run(async () => {
      for (const { type, config, ...proposal } of wanted) {
        const body = { name: words.nameOf(agent, proposal), type, config };
        await send(createMonitor, { params: { project_id: project?.id ?? '' }, body });
      }
      notifications.show({
        message: t('hosts.proposed.made', { count: wanted.length }),
        closeButtonProps: { 'aria-label': t('ui.close') },
      });
    });

  function toggle(key: string) {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    setLeft(next);
  }

  return (
    <div className={styles.proposed}>
      <ul className={styles.list} aria-label={t('hosts.proposed.title')}>
        {proposals.map((proposal) => (
          <li key={proposal.key} className={styles.row}>
            <Checkbox
              checked={!left.has(proposal.key)}
              onChange={() => toggle(proposal.key)}
              label={words.titleOf(proposal)}
              description={words.ruleOf(proposal)}
            />
            <span className={styles.now}>{words.nowOf(proposal)}</span>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={write.busy || project === undefined}
              aria-label={t('hosts.proposed.createOne', { name: words.titleOf(proposal) })}
              onClick={() => void create([proposal])}
            >
              {t('hosts.proposed.create')}
            </Button>
          </li>
        ))}
      </ul>
      {running.length === 0 ? null : (
        <MultiSelect
          label={t('hosts.proposed.services')}
          description={t('hosts.proposed.servicesHint')}
          placeholder={chosenServices.length === 0 ? t('hosts.proposed.servicesChoose') : ''}
          searchable
          clearable
          hidePickedOptions
          limit={100}
          maxDropdownHeight={280}
          nothingFoundMessage={t('fields.nothingFound')}
          data={words.serviceOptions(running)}
          value={watched.map(({ kind, name }) => serviceKey(kind, name))}
          onChange={setChosenServices}
        />
      )}
      <Refused write={write} />
      <div className={styles.end}>
        {projects.length < 2 ? null : (
          <Select
            className={styles.project}
            aria-label={t('hosts.proposed.project')}
            allowDeselect={false}
            searchable={projects.length > 8}
            data={projects.map(({ id, name }) => ({ value: id, label: t('hosts.proposed.in', { name }) }))}
            value={project?.id ?? null}
            onChange={(id) => id !== null && chooseProject(orgId, id)}
          />
        )}
        <Button
          disabled={chosen.length === 0 || project === undefined}
          loading={write.busy}
          onClick={() => void create(chosen)}
        >
          {t('hosts.proposed.createChosen', { count: chosen.length })}
        </Button>
      </div>
    </div>
  );
}
