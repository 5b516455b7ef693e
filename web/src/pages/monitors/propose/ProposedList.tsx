import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorProposals, ProposedMonitor } from '#src/check-now/propose/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { partSentence } from '#web/ui/refusal-sentence.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { useWrite } from '#web/use-write.ts';
import { useCreateMany } from '../many/use-create-many.ts';
import { isMonitorType } from '../monitor-types.ts';
import styles from './ProposeMonitors.module.css';
import { useFindingWords } from './use-finding-words.ts';

/** The proposed monitors as checkboxes; the recommended ones that do not exist yet start checked. */
export function ProposedList({ found, projectId }: { found: MonitorProposals; projectId: string }) {
  const texts = useTranslation();
  const { t } = texts;
  const orgId = useOrgId();
  const navigate = useNavigate();
  const write = useWrite();
  const { create } = useCreateMany(projectId);
  const [open, setOpen] = useState(found.proposals);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        found.proposals
          .filter(({ recommended, existing_monitor_id }) => recommended && existing_monitor_id === null)
          .map(({ monitor }) => monitor.name),
      ),
  );
  const [refusals, keepRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  if (open.length === 0) return <p className={styles.none}>{t('propose.none', { host: found.host })}</p>;

  const wanted = open.filter(({ monitor }) => chosen.has(monitor.name));
  function toggle(name: string) {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  }

  const make = () =>
    write.run(async () => {
      const answers = await create(wanted.map(({ monitor }) => monitor));
      const made = answers.filter(({ monitor_id }) => monitor_id !== null);
      if (made.length > 0)
        notifications.show({
          message: t('propose.made', { count: made.length }),
          closeButtonProps: { 'aria-label': t('ui.close') },
        });
      if (made.length === answers.length)
        return navigate({ to: '/o/$orgId/monitors/all', params: { orgId } });
      const left = wanted.flatMap(({ monitor }, i) =>
        answers[i]?.refusal ? [[monitor.name, partSentence(answers[i].refusal, texts)] as const] : [],
      );
      keepRefusals(new Map(left));
      const done = wanted.filter((_, i) => answers[i]?.refusal === null);
      setOpen(open.filter((each) => !done.includes(each)));
    });

  return (
    <div className={styles.found}>
      <ul className={styles.list} aria-label={t('propose.found', { host: found.host })}>
        {open.map((proposed) => (
          <Line
            key={proposed.monitor.name}
            proposed={proposed}
            isChosen={chosen.has(proposed.monitor.name)}
            refusal={refusals.get(proposed.monitor.name)}
            orgId={orgId}
            onToggle={toggle}
          />
        ))}
      </ul>
      <Refused write={write} />
      <div className={styles.end}>
        <Button disabled={wanted.length === 0} loading={write.busy} onClick={() => void make()}>
          {t('propose.create', { count: wanted.length })}
        </Button>
      </div>
    </div>
  );
}

type LineProps = {
  proposed: ProposedMonitor;
  isChosen: boolean;
  refusal: string | undefined;
  orgId: string;
  onToggle: (name: string) => void;
};

function Line({ proposed, isChosen, refusal, orgId, onToggle }: LineProps) {
  const { t } = useTranslation();
  const seenWords = useFindingWords();
  const { monitor, seen, existing_monitor_id: existing } = proposed;
  const state = seen.status === 'up' ? 'passed' : seen.status === 'degraded' ? 'degraded' : 'failed';
  return (
    <li className={styles.row}>
      <Checkbox
        checked={isChosen}
        onChange={() => onToggle(monitor.name)}
        label={monitor.name}
        description={isMonitorType(monitor.type) ? t(`types.${monitor.type}.name`) : monitor.type}
        error={refusal}
      />
      <span className={styles.seen}>
        <StatusGlyph state={state} size={11} />
        <span className={styles.words} title={seenWords(proposed)}>
          {seenWords(proposed)}
        </span>
      </span>
      {existing === null ? null : (
        <Link
          className={styles.existing}
          to="/o/$orgId/monitors/$monitorId"
          params={{ orgId, monitorId: existing }}
        >
          {t('propose.existing')}
        </Link>
      )}
    </li>
  );
}
