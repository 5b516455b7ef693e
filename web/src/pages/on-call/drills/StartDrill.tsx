import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listMembers } from '#src/members/contract.ts';
import { type Drill, startDrill } from '#src/on-call/drills/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import form from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './Drills.module.css';

const ALL = 'all';

/** Starts a drill for the whole chain or for one person, and opens its record. */
export function StartDrill({ running }: { running: Drill | null }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const params = { org_id: orgId };
  const members = useQuery(read(listMembers, { params, query: MAX_PAGE }));
  const navigate = useNavigateWhileShown();
  const write = useWrite();
  const [who, setWho] = useState(ALL);
  const start = () =>
    write.run(() =>
      send(
        startDrill,
        { params, body: who === ALL ? {} : { user_id: who } },
        ({ id }) =>
          void navigate({ to: '/o/$orgId/on-call/drills/$drillId', params: { orgId, drillId: id } }),
      ),
    );
  return (
    <Panel title={t('drills.start.title')}>
      <div className={form.stack}>
        <p className={styles.text}>{t(who === ALL ? 'drills.start.all' : 'drills.start.person')}</p>
        {running === null ? (
          <>
            <Select
              label={t('drills.start.who')}
              searchable
              allowDeselect={false}
              nothingFoundMessage={t('shell.nothingFound')}
              data={[
                { value: ALL, label: t('drills.whole') },
                ...(members.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name })),
              ]}
              value={who}
              onChange={(id) => setWho(id ?? ALL)}
            />
            <Refused write={write} />
            <div className={form.actions}>
              <Button data-lead="start-drill" loading={write.busy} onClick={() => void start()}>
                {t('drills.start.button')}
              </Button>
            </div>
          </>
        ) : (
          <p className={styles.text}>
            {t('drills.start.running')}{' '}
            <Link to="/o/$orgId/on-call/drills/$drillId" params={{ orgId, drillId: running.id }}>
              {t('drills.start.look')}
            </Link>
          </p>
        )}
      </div>
    </Panel>
  );
}
