import { Button } from '@mantine/core';
import { IconEye, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Ref, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getPostmortem, type Postmortem } from '#src/incidents/actions-contract.ts';
import { getIncident, type IncidentDetail } from '#src/incidents/contract.ts';
import { isMissing } from '#web/missing.ts';
import { read } from '#web/read.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { MissingFeature } from '../MissingFeature.tsx';
import { useHasIncidentCommand } from '../use-command-refusal.ts';
import { EMPTY } from './draft.ts';
import styles from './Postmortem.module.css';
import { PostmortemEditor } from './PostmortemEditor.tsx';
import { PostmortemState } from './PostmortemState.tsx';
import { PostmortemText } from './PostmortemText.tsx';
import type { Autosave } from './use-autosave.ts';
import { useFirstDraft } from './use-first-draft.ts';

/** The post-mortem of an incident. Every member can read it; it can be edited if the plan includes it. */
export default function PostmortemPage() {
  const { t } = useTranslation();
  const { orgId, incidentId } = useParams({ from: '/signed-in/o/$orgId/incidents/$incidentId/postmortem' });
  const params = { org_id: orgId, incident_id: incidentId };
  const incident = useQuery(read(getIncident, { params }));
  // Asked for only where the incident has one: a browser reports a 404 as an error.
  const has = incident.data?.has_postmortem;
  const postmortem = useQuery({ ...read(getPostmortem, { params }), enabled: has === true });
  const hasPlan = useHasIncidentCommand(orgId);
  // What the cache says may be older than somebody else's post-mortem.
  const isMissingNow = (has === false && !incident.isFetching) || isMissing(postmortem.error);
  // A refetch is pending for a moment: the editor must not disappear while somebody writes.
  const [unwritten, setUnwritten] = useState<string | null>(null);
  if (isMissingNow && unwritten !== incidentId) setUnwritten(incidentId);
  const isUnwritten = unwritten === incidentId;
  if (incident.data === undefined || (postmortem.data === undefined && !isUnwritten) || hasPlan === undefined)
    return (
      <PagePlaceholder
        query={incident.error === null && !isUnwritten ? postmortem : incident}
        title={t('postmortem.title')}
        gone={t('incidents.gone')}
        back={
          <BackLink to="/o/$orgId/incidents" params={{ orgId }}>
            {t('incidents.title')}
          </BackLink>
        }
        count={6}
        height={80}
      />
    );
  return (
    <Loaded orgId={orgId} incident={incident.data} postmortem={postmortem.data ?? null} mayWrite={hasPlan} />
  );
}

/** A new post-mortem starts with the incident's title, times and timeline. */
function Editor({ orgId, incident, postmortem, flush }: EditorProps) {
  const first = useFirstDraft(orgId, incident, postmortem === null);
  if (first === undefined) return <LoadingRows count={6} height={80} />;
  return (
    <PostmortemEditor
      orgId={orgId}
      incident={incident}
      saved={postmortem ?? EMPTY}
      first={postmortem === null ? first : null}
      flush={flush}
    />
  );
}

type Props = {
  orgId: string;
  incident: IncidentDetail;
  postmortem: Postmortem | null;
  mayWrite: boolean;
};

type EditorProps = Omit<Props, 'mayWrite'> & { flush: Ref<Autosave['flush']> };

function Loaded({ orgId, incident, postmortem, mayWrite }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<'read' | 'write' | null>(null);
  const isPublished = postmortem?.status === 'published';
  const mayAct = useMayAct();
  const isWriting = mayWrite && mayAct && (chosen ?? (isPublished ? 'read' : 'write')) === 'write';
  const name = incident.monitor_name ?? incident.cause;
  const flush = useRef<Autosave['flush']>(null);

  /** The editor goes off the page, and what it has not saved yet with it. */
  async function preview() {
    if ((await flush.current?.()) !== false) setChosen('read');
  }

  return (
    <>
      <PageHead
        title={t('postmortem.of', { name })}
        above={
          <BackLink to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: incident.id }}>
            {name}
          </BackLink>
        }
        below={<PostmortemState incident={incident} postmortem={postmortem} />}
      >
        {mayWrite && mayAct && postmortem !== null ? (
          <Button
            variant="default"
            leftSection={isWriting ? <IconEye size={17} /> : <IconPencil size={17} />}
            onClick={() => (isWriting ? void preview() : setChosen('write'))}
          >
            {t(isWriting ? 'postmortem.read' : 'postmortem.edit')}
          </Button>
        ) : null}
      </PageHead>
      {mayWrite ? null : <MissingFeature orgId={orgId} />}
      {isWriting && isPublished ? <p className={styles.live}>{t('postmortem.live')}</p> : null}
      {isWriting ? (
        <Editor orgId={orgId} incident={incident} postmortem={postmortem} flush={flush} />
      ) : postmortem === null ? (
        <Empty title={t('postmortem.nothingYet')} />
      ) : (
        <PostmortemText postmortem={postmortem} />
      )}
    </>
  );
}
