import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EVENT_NAMES } from '#src/domain/names.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { useWithoutDeleted } from '#web/undoable.ts';
import { DeliveryHealth } from './DeliveryHealth.tsx';
import { KindGlyph } from './KindGlyph.tsx';
import { familyOf, kindOf } from './kinds.ts';
import styles from './NotificationsPage.module.css';
import { isForEverything, useRoutingWords } from './routing-words.ts';
import { targetsOf } from './targets-of.ts';

export default function NotificationsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const targets = useQuery({
    ...targetsOf(orgId),
    refetchInterval: 30_000,
  });
  const list = useWithoutDeleted(targets.data);

  return (
    <>
      <PageHead title={t('targets.title')} below={t('targets.lead')}>
        {list.length === 0 ? null : <NewTarget orgId={orgId} />}
      </PageHead>
      {targets.isPending ? <LoadingRows count={3} height={64} /> : null}
      {targets.isError ? <Failure error={targets.error} retry={targets.refetch} /> : null}
      {targets.isSuccess && list.length === 0 ? (
        <Empty title={t('targets.none')} text={t('targets.noneText')}>
          <NewTarget orgId={orgId} />
        </Empty>
      ) : null}
      {list.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('targets.title')}>
          {list.map((target) => (
            <TargetRow key={target.id} orgId={orgId} target={target} />
          ))}
        </ul>
      )}
    </>
  );
}

function NewTarget({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} to="/o/$orgId/notifications/new" params={{ orgId }} />}
    >
      {t('targets.new')}
    </Button>
  );
}

function TargetRow({ orgId, target }: { orgId: string; target: WebhookTarget }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const kind = kindOf(target.kind);
  const words = useRoutingWords();
  const wordOf = (event: string) => {
    const known = EVENT_NAMES.find((name) => name === event);
    return known === undefined ? event : t(`events.${known}`);
  };
  return (
    <li className={styles.row}>
      <KindGlyph kind={kind} />
      <span className={styles.what}>
        <Link
          className={styles.name}
          to="/o/$orgId/notifications/$targetId"
          params={{ orgId, targetId: target.id }}
        >
          {target.name}
        </Link>
        <span className={styles.where}>
          {t(`targets.kinds.${kind}`)}
          {familyOf(kind) === 'paging' ? (
            <span> · {t(`targets.regions.${target.region === 'eu' ? 'eu' : 'global'}`)}</span>
          ) : (
            <span className="mono"> · {hostOf(target.url)}</span>
          )}
        </span>
        {isForEverything(target) ? null : <span className={styles.routing}>{words(target)}</span>}
      </span>
      <span className={styles.events}>{formats.list(target.events.map((event) => wordOf(event)))}</span>
      <span className={styles.health}>
        <DeliveryHealth target={target} />
      </span>
    </li>
  );
}

/** Only the target's own page shows the whole URL: for chats it is secret, and long. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
