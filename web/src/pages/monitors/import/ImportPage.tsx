import {
  Button,
  Checkbox,
  FileButton,
  Progress,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CreatedMonitor } from '#src/monitors/many/contract.ts';
import { ApiError } from '#web/call.ts';
import { chooseProject, useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { EMPTY_LINE } from '#web/ui/empty-line.ts';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';
import { useAllMonitors } from '../all/use-all-monitors.ts';
import { useCreateMany } from '../many/use-create-many.ts';
import { checkLines, isWanted } from './check-lines.ts';
import styles from './ImportPage.module.css';
import { ImportPreview } from './ImportPreview.tsx';
import { type BareHost, type ImportLine, readLines, sameTarget, targetKeyOf } from './lines.ts';
import { usePreview } from './use-preview.ts';

/** The largest plausible list, in bytes; a larger file is something else. */
const MAX_BYTES = 2 * 1024 * 1024;
const NONE: ReadonlyMap<number, never> = new Map<number, never>();
const keyOf = ({ monitor }: ImportLine) => (monitor === null ? '' : targetKeyOf(monitor));

/** Creates monitors from a list of addresses: previews each line first, then creates them, a hundred per request. */
export default function ImportPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { projects, project } = useChosenProject();
  const monitors = useAllMonitors(orgId);
  const write = useWrite();
  const sentence = useRefusalSentence();
  const { done, create, stop } = useCreateMany(project?.id ?? '');
  const [text, setText] = useState('');
  const [bare, setBare] = useState<BareHost>('http');
  const [tags, setTags] = useState<string[]>([]);
  const [again, setAgain] = useState(false);
  const [tooLarge, setTooLarge] = useState(false);
  const [made, setMade] = useState<ReadonlyMap<number, CreatedMonitor>>(NONE);
  const isOver = made.size > 0;

  // Parsing a thousand lines takes a moment: the field must accept typing meanwhile.
  const read = useDeferredValue(text);
  const lines = useMemo(() => tagged(readLines(read, bare), tags), [read, bare, tags]);
  const watched = useMemo(
    () => new Set((monitors.data ?? []).map(({ type, target }) => sameTarget(type, target ?? ''))),
    [monitors.data],
  );
  const asked = useMemo(
    () =>
      checkLines(lines, { watched: again ? null : watched, keyOf, refused: NONE, made: NONE }).filter(
        isWanted,
      ),
    [lines, watched, again],
  );
  const preview = usePreview(isOver || done !== null ? undefined : project?.id, asked);
  const refused = useMemo(() => {
    if (!isOver) return preview.refused;
    const after = [...made].flatMap(([no, { refusal }]) =>
      refusal === null ? [] : [[no, sentence(new ApiError(400, refusal))] as const],
    );
    return new Map(after);
  }, [isOver, made, preview.refused, sentence]);
  const shown = useMemo(
    () => checkLines(lines, { watched: again || isOver ? null : watched, keyOf, refused, made }),
    [lines, watched, again, isOver, refused, made],
  );
  const wanted = shown.filter(({ verdict }) => verdict === 'ready');
  const isSkipping = watched.size > 0 && lines.some((line) => watched.has(keyOf(line)));

  function edit(next: string) {
    setText(next);
    setMade(NONE);
    write.reset();
  }

  async function take(file: File | null | undefined) {
    if (!file) return;
    setTooLarge(file.size > MAX_BYTES);
    if (file.size <= MAX_BYTES) edit(await file.text());
  }

  function drop(event: DragEvent) {
    const file = event.dataTransfer.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void take(file);
  }

  const start = () =>
    write.run(async () => {
      const answers = await create(wanted.flatMap(({ monitor }) => monitor ?? []));
      setMade(new Map(answers.map((answer, i) => [wanted[i]?.no ?? 0, answer])));
    });

  const unmade = shown.filter(({ verdict }) => verdict !== 'made' && verdict !== 'twice');
  return (
    <>
      <PageHead
        title={t('importing.title')}
        above={project?.name ?? EMPTY_LINE}
        below={t('importing.text')}
      />
      <UnsavedGuard isDirty={text.trim() !== '' && !isOver} />
      <div className={styles.page}>
        <div className={styles.input}>
          <Textarea
            className={styles.text}
            label={t('importing.addresses')}
            description={t('importing.hint')}
            placeholder={PLACEHOLDER}
            rows={9}
            spellCheck={false}
            autoCapitalize="off"
            disabled={done !== null}
            value={text}
            error={tooLarge ? t('importing.tooLarge') : undefined}
            onChange={(event) => edit(event.currentTarget.value)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={drop}
          />
          <div className={styles.choices}>
            <FileButton accept="text/plain,text/csv,.csv,.txt" onChange={(file) => void take(file)}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconUpload size={16} aria-hidden="true" />}
                >
                  {t('importing.file')}
                </Button>
              )}
            </FileButton>
            {projects.length < 2 ? null : (
              <Select
                label={t('allMonitors.project')}
                allowDeselect={false}
                searchable={projects.length > 8}
                data={projects.map(({ id, name }) => ({ value: id, label: name }))}
                value={project?.id ?? null}
                onChange={(id) => id !== null && chooseProject(orgId, id)}
              />
            )}
            <div>
              <span className={styles.label} id="bare-host">
                {t('importing.bare')}
              </span>
              <SegmentedControl
                fullWidth
                aria-labelledby="bare-host"
                value={bare}
                data={[
                  { value: 'http', label: t('importing.page') },
                  { value: 'ping', label: t('types.ping.name') },
                ]}
                onChange={(value) => setBare(value as BareHost)}
              />
            </div>
            <TagsInput label={t('importing.tags')} value={tags} onChange={setTags} maxTags={20} />
            {isSkipping || again ? (
              <Checkbox
                checked={again}
                label={t('importing.again')}
                onChange={(event) => setAgain(event.currentTarget.checked)}
              />
            ) : null}
          </div>
        </div>
        {lines.length === 0 ? null : (
          <ImportPreview
            lines={shown}
            checking={preview.checking}
            failure={preview.failure}
            isOver={isOver}
          />
        )}
        <Refused write={write} />
        <div className={styles.end} aria-live="polite">
          {done === null ? null : (
            <>
              <Progress
                className={styles.progress}
                aria-label={t('importing.progress', { done, count: wanted.length })}
                value={(100 * done) / Math.max(1, wanted.length)}
              />
              <span>{t('importing.progress', { done, count: wanted.length })}</span>
              <Button variant="default" onClick={stop}>
                {t('importing.stop')}
              </Button>
            </>
          )}
          {isOver && unmade.length > 0 ? (
            <Button variant="default" onClick={() => edit(unmade.map((line) => line.text).join('\n'))}>
              {t('importing.keep', { count: unmade.length })}
            </Button>
          ) : null}
          {isOver || done !== null ? null : (
            <Button
              disabled={wanted.length === 0 || project === undefined || preview.checking}
              loading={write.busy}
              onClick={() => void start()}
            >
              {t('importing.create', { count: wanted.length })}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

/** With the tags for all of them. */
function tagged(lines: readonly ImportLine[], tags: readonly string[]): ImportLine[] {
  if (tags.length === 0) return [...lines];
  return lines.map((line) =>
    line.monitor === null
      ? line
      : {
          ...line,
          monitor: { ...line.monitor, tags: [...new Set([...(line.monitor.tags ?? []), ...tags])] },
        },
  );
}

const PLACEHOLDER = `https://example.com/health
db.example.com:5432
Shop, https://shop.example.com/, prod, shop`;
