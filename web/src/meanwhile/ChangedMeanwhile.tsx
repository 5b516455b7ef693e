import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import stack from '#web/ui/Form.module.css';
import styles from './ChangedMeanwhile.module.css';
import type { Clash, Prefer } from './clashes.ts';

type Props = {
  clashes: readonly Clash[];
  /** How often saving was stopped: each time, the form scrolls to this notice. */
  stopped: number;
  /** The label of a field; undefined: its path is shown. */
  labelOf: (path: string) => string | undefined;
  /** A value in words; undefined: as it is. */
  wordsOf?: (path: string, value: unknown) => string | undefined;
  onSettle: (prefer: Prefer) => void;
  mb?: number;
};

const MAX_SHOWN = 120;
const ID = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/;

/** What somebody else changed while the form was open, beside the reader's own change: nothing is overwritten unseen. */
export function ChangedMeanwhile({ clashes, stopped, labelOf, wordsOf, onSettle, mb = 0 }: Props) {
  const { t } = useTranslation();
  const notice = useRef<HTMLDivElement>(null);
  const isShown = clashes.length > 0;
  useEffect(() => {
    if (stopped > 0 && isShown) notice.current?.scrollIntoView({ block: 'center' });
  }, [stopped, isShown]);
  if (!isShown) return null;

  /** null: it has no words. */
  function shown(path: string, value: unknown): string | null {
    const words = wordsOf?.(path, value);
    if (words !== undefined) return words;
    if (typeof value === 'boolean') return t(value ? 'activity.yes' : 'activity.no');
    const list = Array.isArray(value) ? value : [value];
    if (list.some((each) => (typeof each === 'object' && each !== null) || ID.test(String(each))))
      return null;
    const text = list.map((each) => (each === null ? '' : String(each))).join(', ');
    if (text.trim() === '') return t('meanwhile.empty');
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  }

  return (
    <div ref={notice} className={styles.notice} role="alert" style={{ marginBottom: mb }}>
      <p className={styles.title}>{t('meanwhile.title')}</p>
      <p>{t('meanwhile.text')}</p>
      <ul className={styles.fields}>
        {clashes.map(({ path, mine, theirs }) => {
          const label = labelOf(path);
          const [own, other] = [shown(path, mine), shown(path, theirs)];
          return (
            <li key={path}>
              <strong className={label === undefined ? 'mono' : undefined}>{label ?? path}</strong>
              {own === null || other === null ? (
                <span>{t('meanwhile.both')}</span>
              ) : (
                <>
                  <span>{t('meanwhile.mine', { value: own })}</span>
                  <span>{t('meanwhile.theirs', { value: other })}</span>
                </>
              )}
            </li>
          );
        })}
      </ul>
      <div className={stack.actions}>
        <Button variant="default" onClick={() => onSettle('theirs')}>
          {t('meanwhile.take')}
        </Button>
        <Button variant="default" onClick={() => onSettle('mine')}>
          {t('meanwhile.keep')}
        </Button>
      </div>
    </div>
  );
}
