import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type EnrollmentToken, listEnrollmentTokens, revokeEnrollmentToken } from '#src/agents/contract.ts';
import { useFormats } from '#web/format.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ValidCommands.module.css';

/** Earlier commands that are still valid, each with a button to revoke it; nothing if there are none. */
export function ValidCommands() {
  const { t } = useTranslation();
  const reading = read(listEnrollmentTokens, { params: { org_id: useOrgId() }, query: MAX_PAGE });
  // The live stream does not cover commands, so the dialog refetches them when it opens.
  const tokens = useQuery({ ...reading, refetchOnMount: 'always' });
  if (tokens.data === undefined || tokens.data.length === 0) return null;
  return (
    <section aria-labelledby="open-commands">
      <h3 id="open-commands" className={styles.title}>
        {t('hosts.enrol.open')}
      </h3>
      <ul className={styles.list}>
        {tokens.data.map((token) => (
          <Row key={token.id} token={token} />
        ))}
      </ul>
    </section>
  );
}

function Row({ token }: { token: EnrollmentToken }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const write = useWrite({ show: inNote });
  const made = formats.dateAndTime(token.created_at_unix);
  const params = { org_id: orgId, token_id: token.id };
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        {t('hosts.enrol.openOf', { made, used: token.used, count: token.uses })}
        {token.labels === '' ? null : <span className={styles.labels}>{token.labels}</span>}
        <span className={styles.until}>
          {t('hosts.enrol.openUntil', { until: formats.dateAndTime(token.expires_at_unix) })}
        </span>
      </span>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('hosts.enrol.revokeOf', { made })}
        loading={write.busy}
        onClick={() => void write.run(() => send(revokeEnrollmentToken, { params }))}
      >
        {t('hosts.enrol.revoke')}
      </Button>
    </li>
  );
}
