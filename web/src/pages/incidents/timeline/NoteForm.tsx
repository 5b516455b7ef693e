import { Alert, Button, SegmentedControl, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTE_KINDS, type NoteKind, VISIBILITIES, type Visibility } from '#src/domain/names.ts';
import { createNote, listNotes, listPageLinks } from '#src/incidents/actions-contract.ts';
import { listIncidentTimeline } from '#src/incidents/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient, read } from '#web/read.ts';
import { useCommandRefusal } from '../use-command-refusal.ts';
import styles from './Timeline.module.css';
import { WHOLE } from './whole.ts';

const MOST_CHARACTERS = 20_000;

/** Writes a note or a status update, and says beforehand who will see it. */
export function NoteForm({ orgId, incidentId }: { orgId: string; incidentId: string }) {
  const { t } = useTranslation();
  const sentence = useCommandRefusal();
  const params = { org_id: orgId, incident_id: incidentId };
  const [body, setBody] = useState('');
  const [kind, setKind] = useState<NoteKind>('note');
  const [visibility, setVisibility] = useState<Visibility>('internal');
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const busy = useRef(false);
  const isPublic = visibility === 'public';
  const links = useQuery({ ...read(listPageLinks, { params }), enabled: isPublic });
  const written = body.trim();
  const isTooLong = body.length > MOST_CHARACTERS;

  async function submit(event?: FormEvent) {
    event?.preventDefault();
    if (busy.current || written === '' || isTooLong) return;
    busy.current = true;
    setRunning(true);
    setRefused(null);
    try {
      const note = await call(createNote, { params, body: { body: written, kind, visibility } });
      queryClient.setQueryData(read(listNotes, { params, query: WHOLE }).queryKey, (notes) =>
        notes === undefined || notes.some(({ id }) => id === note.id) ? notes : [...notes, note],
      );
      // The next thing written is not public by mistake.
      setBody('');
      setVisibility('internal');
      for (const operation of [listNotes, listIncidentTimeline])
        void queryClient.invalidateQueries({ queryKey: everyRead(operation) });
    } catch (error) {
      setRefused(error);
    } finally {
      busy.current = false;
      setRunning(false);
    }
  }

  function sendByKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Textarea
        aria-label={t('note.label')}
        placeholder={t(`note.placeholder.${kind}`)}
        autosize
        minRows={2}
        maxRows={14}
        value={body}
        error={isTooLong ? t('note.tooLong') : null}
        onChange={(event) => setBody(event.currentTarget.value)}
        onKeyDown={sendByKey}
      />
      {/* Until something is written the choices would only be in the way. */}
      {written === '' ? null : (
        <>
          <div className={styles.choices}>
            <SegmentedControl
              size="xs"
              aria-label={t('note.kindLabel')}
              value={kind}
              onChange={(value) => setKind(value as NoteKind)}
              data={NOTE_KINDS.map((value) => ({ value, label: t(`note.kind.${value}`) }))}
            />
            <SegmentedControl
              size="xs"
              aria-label={t('note.visibilityLabel')}
              value={visibility}
              onChange={(value) => setVisibility(value as Visibility)}
              data={VISIBILITIES.map((value) => ({ value, label: t(`note.visibility.${value}`) }))}
            />
          </div>
          <div className={styles.formFoot}>
            <p className={styles.hint} data-public={isPublic || undefined} aria-live="polite">
              {isPublic ? t('note.publicHint', { count: links.data?.length ?? 0 }) : t('note.internalHint')}
            </p>
            <Button type="submit" size="xs" loading={running} disabled={isTooLong}>
              {t(isPublic ? 'note.publish' : 'note.add')}
            </Button>
          </div>
        </>
      )}
      {refused === null ? null : (
        <Alert color="red" role="alert">
          {sentence(refused)}
        </Alert>
      )}
    </form>
  );
}
