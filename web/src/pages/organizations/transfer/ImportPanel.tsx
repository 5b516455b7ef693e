import { Button, FileButton, Progress } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportReport, importConfiguration } from '#src/configuration-import/contract.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { upload } from '#web/write.ts';
import { type Configuration, configurationLines, UnusableFile } from './configuration-lines.ts';
import { ImportResult } from './ImportResult.tsx';
import styles from './TransferPage.module.css';

type Chosen = { file: File; configuration: Configuration };

/** Imports a file in two steps: shows the effect, then applies it. */
export function ImportPanel({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [read, setRead] = useState<{ name: string; pct: number } | null>(null);
  const clear = useRef<() => void>(null);
  const result = useRef<HTMLDivElement>(null);
  const write = useWrite({
    words: (error) => (error instanceof UnusableFile ? t(`transfer.import.${error.why}`) : undefined),
  });
  const isOver = report !== null && !report.preview;
  const made = report?.things.filter(({ outcome }) => outcome === 'made').length ?? 0;
  // The button is gone, so the focus moves to the result in its place.
  useEffect(() => {
    if (isOver) result.current?.focus();
  }, [isOver]);

  const ask = (lines: Blob, preview: boolean) =>
    upload(importConfiguration, { params: { org_id: orgId }, query: { preview } }, lines);

  const choose = (file: File | null) => {
    // The same file may be chosen again after it was edited.
    clear.current?.();
    if (file === null) return;
    setChosen(null);
    setReport(null);
    void write.run(async () => {
      try {
        setRead({ name: file.name, pct: 0 });
        const configuration = await configurationLines(file, (bytes) =>
          setRead({ name: file.name, pct: (100 * bytes) / file.size }),
        );
        setReport(await ask(configuration.lines, true));
        setChosen({ file, configuration });
      } finally {
        setRead(null);
      }
    });
  };

  const bringIn = ({ configuration }: Chosen) =>
    write.run(async () => setReport(await ask(configuration.lines, false)));

  return (
    <Panel title={t('transfer.import.title')}>
      <div className={styles.parts}>
        <p className={styles.text}>{t('transfer.import.text')}</p>
        <ul className={styles.rules}>
          <li>{t('transfer.import.adds')}</li>
          <li>{t('transfer.import.quiet')}</li>
          <li>{t('transfer.import.without')}</li>
        </ul>
        <div className={styles.actions}>
          <FileButton accept=".jsonl,.ndjson,application/x-ndjson" resetRef={clear} onChange={choose}>
            {(props) => (
              <Button
                {...props}
                data-lead="import"
                variant="default"
                disabled={write.busy}
                leftSection={<IconUpload size={16} aria-hidden="true" />}
              >
                {t(report === null ? 'transfer.import.choose' : 'transfer.import.another')}
              </Button>
            )}
          </FileButton>
          {chosen === null ? null : <span className={styles.file}>{chosen.file.name}</span>}
        </div>
        {read === null ? null : (
          <div role="status">
            <Progress value={read.pct} aria-label={t('transfer.import.reading', { name: read.name })} />
            <p className={styles.progress}>{t('transfer.import.reading', { name: read.name })}</p>
          </div>
        )}
        <Refused write={write} />
        {report === null ? null : (
          <div ref={result} tabIndex={-1} className={styles.result}>
            <ImportResult report={report} leftOut={chosen?.configuration.leftOut ?? new Map()} />
          </div>
        )}
        {report === null || chosen === null || isOver ? null : (
          <div className={styles.actions}>
            <Button loading={write.busy} disabled={made === 0} onClick={() => void bringIn(chosen)}>
              {t('transfer.import.button', { count: made })}
            </Button>
            {made > 0 ? null : <span className={styles.quiet}>{t('transfer.import.nothing')}</span>}
          </div>
        )}
      </div>
    </Panel>
  );
}
