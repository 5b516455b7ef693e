import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage, useMyRole } from '#web/shell/my-role.ts';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import styles from './FailingTargets.module.css';
import { familyOf, kindOf } from './kinds.ts';
import { targetsOf } from './targets-of.ts';

/** Failing paging is itself an outage, so people who manage targets see it on every page about incidents. */
export function FailingTargets() {
  const orgId = useOrgId();
  const known = useMyRole() !== undefined;
  const mayManage = useMayManage();
  const targets = useQuery({
    ...targetsOf(orgId),
    refetchInterval: 60_000,
    enabled: known && mayManage,
  });
  // A paused target was paused by a person: nobody expects it to page.
  const failing = (targets.data ?? []).filter(
    (target) =>
      target.active && familyOf(kindOf(target.kind)) === 'paging' && target.last_delivery_ok === false,
  );
  if (!mayManage || failing.length === 0) return null;
  return failing.map((target) => <Trouble key={target.id} orgId={orgId} target={target} />);
}

function Trouble({ orgId, target }: { orgId: string; target: WebhookTarget }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  const since = target.failing_since_unix;
  const kind = t(`targets.kinds.${kindOf(target.kind)}`);
  const values = { kind, name: target.name, when: since === null ? '' : formats.moment(since) };
  const why = target.last_error === null ? null : explain({ failure_class: target.last_error });
  return (
    <div className={styles.trouble} role="status">
      <IconPlugConnectedX size={19} stroke={1.7} aria-hidden="true" />
      <p>
        <Link to="/o/$orgId/notifications/$targetId" params={{ orgId, targetId: target.id }}>
          {t(since === null ? 'targets.trouble.unreachable' : 'targets.trouble.unreachableSince', values)}
        </Link>
        {why === null ? null : <span className={styles.why}> {why}.</span>} {t('targets.trouble.meaning')}
      </p>
    </div>
  );
}
