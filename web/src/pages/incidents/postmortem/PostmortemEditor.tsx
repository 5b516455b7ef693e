import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type Ref, useImperativeHandle, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { POSTMORTEM_FIELDS, VISIBILITIES, type Visibility as Visible } from '#src/domain/names.ts';
import { getPostmortem, type Postmortem, publishPostmortem } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { queryClient, read } from '#web/read.ts';
import { BottomBar } from '#web/ui/BottomBar.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { send } from '#web/write.ts';
import { type Draft, type Field, maxLengthOf } from './draft.ts';
import { LeaveGuard } from './LeaveGuard.tsx';
import styles from './Postmortem.module.css';
import { SaveState } from './SaveState.tsx';
import { type Autosave, useAutosave } from './use-autosave.ts';

/** `first`: the initial texts while nothing is stored; null if something is. */
type Props = {
  orgId: string;
  incident: IncidentDetail;
  saved: Postmortem;
  first: Draft | null;
  /** Receives the function that saves at once, for whoever takes the editor off the page. */
  flush: Ref<Autosave['flush']>;
};

/** The eight texts, saved while they are written, and the button that publishes them. */
export function PostmortemEditor({ orgId, incident, saved: stored, first, flush }: Props) {
  const { t } = useTranslation();
  const params = { org_id: orgId, incident_id: incident.id };
  const autosave = useAutosave(params, first);
  useImperativeHandle(flush, () => autosave.flush, [autosave.flush]);
  const saved = { ...stored, ...first };
  const isFilled = first !== null && Object.keys(first).length > 0;
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void autosave.flush();
      }}
    >
      <p className={styles.quiet}>{t('postmortem.lead')}</p>
      {isFilled ? <p className={styles.filled}>{t('postmortem.draft.filledIn')}</p> : null}
      <ChangedMeanwhile
        clashes={autosave.clashes}
        stopped={autosave.stopped}
        labelOf={(path) =>
          path === 'visibility' ? t('postmortem.visibilityLabel') : t(`postmortem.fields.${path as Field}`)
        }
        wordsOf={(path, value) =>
          path === 'visibility' ? t(`postmortem.visibility.${value as Visible}`) : undefined
        }
        onSettle={autosave.settle}
      />
      {POSTMORTEM_FIELDS.map((field) => (
        <TextField
          key={field}
          field={field}
          text={autosave.draft[field] ?? saved[field]}
          onWrite={(text) => autosave.write(field, text)}
        />
      ))}
      <Visibility
        value={autosave.draft.visibility ?? saved.visibility}
        onChoose={(value) => autosave.write('visibility', value)}
      />
      <BottomBar className={styles.foot}>
        <SaveState autosave={autosave} />
        {saved.status === 'published' ? null : <Publish params={params} autosave={autosave} saved={saved} />}
      </BottomBar>
      <LeaveGuard autosave={autosave} />
    </form>
  );
}

type TextFieldProps = { field: Field; text: string; onWrite: (text: string) => void };

function TextField({ field, text, onWrite }: TextFieldProps) {
  const { t } = useTranslation();
  const shared = {
    label: t(`postmortem.fields.${field}`),
    value: text,
    maxLength: maxLengthOf(field),
  };
  if (field === 'title')
    return (
      <TextInput
        {...shared}
        placeholder={t('postmortem.hints.title')}
        onChange={(event) => onWrite(event.currentTarget.value)}
      />
    );
  return (
    <Textarea
      {...shared}
      description={t(`postmortem.hints.${field}`)}
      // Read the question before answering it.
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      autosize
      minRows={3}
      maxRows={30}
      onChange={(event) => onWrite(event.currentTarget.value)}
    />
  );
}

function Visibility({ value, onChoose }: { value: string; onChoose: (value: string) => void }) {
  const { t } = useTranslation();
  const visibility = value === 'public' ? 'public' : 'internal';
  return (
    <div>
      <p className={styles.label}>{t('postmortem.visibilityLabel')}</p>
      <SegmentedControl
        aria-label={t('postmortem.visibilityLabel')}
        value={visibility}
        onChange={onChoose}
        data={VISIBILITIES.map((each) => ({ value: each, label: t(`postmortem.visibility.${each}`) }))}
      />
      <p className={styles.quiet}>{t(`postmortem.visibilityHint.${visibility}`)}</p>
    </div>
  );
}

type PublishProps = {
  params: { org_id: string; incident_id: string };
  autosave: Autosave;
  saved: Postmortem;
};

/** Publishes the text on the page; saves it first. */
function Publish({ params, autosave, saved }: PublishProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const isPublic = (autosave.draft.visibility ?? saved.visibility) === 'public';
  const hasText = POSTMORTEM_FIELDS.some((field) => (autosave.draft[field] ?? saved[field]).trim() !== '');

  async function publish() {
    if (!(await autosave.flush())) return;
    await send(publishPostmortem, { params }, (published) => {
      queryClient.setQueryData(read(getPostmortem, { params }).queryKey, published);
      notifications.show({ color: 'green', message: t('postmortem.published') });
    });
  }

  return (
    <>
      <Button disabled={!hasText} onClick={() => setAsking(true)}>
        {t('postmortem.publish')}
      </Button>
      <Confirm
        opened={asking}
        title={t('postmortem.publishTitle')}
        text={t(isPublic ? 'postmortem.publishPublic' : 'postmortem.publishInternal')}
        confirm={t('postmortem.publish')}
        onConfirm={publish}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
