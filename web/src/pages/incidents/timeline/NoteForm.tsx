import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTE_KINDS, type NoteKind, VISIBILITIES, type Visibility } from '#src/domain/names.ts';
import { createNote, listNotes, listPageLinks, type Note } from '#src/incidents/actions-contract.ts';
import { useFormats } from '#web/format.ts';
import { MAX_PAGE, queryClient, read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { Markdown } from '#web/ui/Markdown.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { useCommandRefusal } from '../use-command-refusal.ts';
import { addPendingNote, onPendingChange, takeUnsentNote } from './pending-notes.ts';
import styles from './Timeline.module.css';

const MAX_CHARACTERS = 20_000;

type Props = { orgId: string; incidentId: string; field: RefObject<HTMLTextAreaElement | null> };

/**
 * A form for notes and status updates, which says who will see them. An internal note appears at once and can be undone for
 * a while; a public update appears only when the server has accepted it.
 */
export function NoteForm({ orgId, incidentId, field }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useCommandRefusal();
  const usualWords = useRefusalSentence();
  const write = useWrite({ words });
  const session = useQuery(sessionQuery);
  const params = { org_id: orgId, incident_id: incidentId };
  const [body, setBody] = useState('');
  const [sent, setSent] = useState('');
  const [kind, setKind] = useState<NoteKind>('note');
  const [visibility, setVisibility] = useState<Visibility>('internal');
  const [isPreviewed, setPreviewed] = useState(false);
  const isPublic = visibility === 'public';
  const links = useQuery({ ...read(listPageLinks, { params }), enabled: isPublic });
  const pages = (links.data ?? []).map(({ name }) => name);
  const written = body.trim();
  const isTooLong = body.length > MAX_CHARACTERS;

  // Text of an undone or failed note returns, in front of newer text.
  useEffect(() => {
    const take = () => {
      const text = takeUnsentNote(incidentId);
      if (text !== undefined) setBody((now) => (now.trim() === '' ? text : `${text}\n\n${now}`));
    };
    take();
    return onPendingChange(take);
  }, [incidentId]);

  const keep = (note: Note) =>
    queryClient.setQueryData(read(listNotes, { params, query: MAX_PAGE }).queryKey, (notes) =>
      notes === undefined || notes.some(({ id }) => id === note.id) ? notes : [...notes, note],
    );

  function addInternal() {
    const author_name = session.data?.user.name ?? '';
    addPendingNote(
      { incidentId, body: written, kind, author_name },
      {
        send: (onSent) =>
          send(createNote, { params, body: { body: written, kind, visibility: 'internal' } }, (note) => {
            keep(note);
            onSent();
          }),
        onRefused: (error) =>
          notifications.show({
            color: 'red',
            title: t('note.notSaved'),
            message: words(error) ?? usualWords(error),
            autoClose: false,
          }),
      },
    );
    setBody('');
    setPreviewed(false);
  }

  const publish = () => {
    setSent(body);
    return send(createNote, { params, body: { body: written, kind, visibility } }, (note) => {
      keep(note);
      // Text typed meanwhile stays. The next update is not public by mistake.
      setBody((now) => (now === body ? '' : now));
      setPreviewed(false);
      setVisibility('internal');
    });
  };

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (written === '' || isTooLong) return;
    if (isPublic) void write.run(publish);
    else if (!write.busy) addInternal();
  }

  function sendByKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <Textarea
        ref={field}
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
      {/* The choices appear once something is written. */}
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
          {isPreviewed ? (
            <div className={styles.note}>
              <Markdown text={written} headings={3} />
            </div>
          ) : null}
          <div className={styles.formFoot}>
            <p className={styles.hint} data-public={isPublic || undefined} aria-live="polite">
              {isPublic
                ? t('note.publicHint', { count: pages.length, pages: formats.list(pages) })
                : t('note.internalHint')}
            </p>
            <div className={styles.formButtons}>
              <Button
                variant="default"
                size="xs"
                aria-pressed={isPreviewed}
                onClick={() => setPreviewed(!isPreviewed)}
              >
                {t('note.preview')}
              </Button>
              <Button type="submit" size="xs" loading={write.busy} disabled={isTooLong}>
                {t(isPublic ? 'note.publish' : 'note.add')}
              </Button>
            </div>
          </div>
        </>
      )}
      <UnsavedGuard isDirty={written !== '' && !(write.busy && body === sent)} />
      <Refused write={write} />
    </form>
  );
}
