import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import stack from '#web/ui/Form.module.css';
import styles from './ChangedMeanwhile.module.css';
import type { Clash, Prefer } from './clashes.ts';
import { excerptsOf } from './excerpt.ts';

type Props = {
  clashes: readonly Clash[];
  /** How often saving was stopped: each time, the form scrolls to this notice. */
  stopped: number;
  /** The label of a field; undefined: its path is shown. */
  labelOf: (path: string) => string | undefined;
  /** A value in words, of the reader or of somebody else; undefined: as it is. */
  wordsOf?: (path: string, value: unknown, of: Prefer) => string | undefined;
  onSettle: (prefer: Prefer) => void;
  mb?: number;
};

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
  function shown(path: string, value: unknown, of: Prefer): string | null {
    const words = wordsOf?.(path, value, of);
    if (words !== undefined) return words;
    if (typeof value === 'boolean') return t(value ? 'activity.yes' : 'activity.no');
    const list = Array.isArray(value) ? value : [value];
    if (list.some((each) => (typeof each === 'object' && each !== null) || ID.test(String(each))))
      return null;
    const text = list.map((each) => (each === null ? '' : String(each))).join(', ');
    return text.trim() === '' ? t('meanwhile.empty') : text;
  }

  return (
    <div ref={notice} className={styles.notice} role="alert" style={{ marginBottom: mb }}>
      <p className={styles.title}>{t('meanwhile.title')}</p>
      <p>{t('meanwhile.text')}</p>
      <ul className={styles.fields}>
        {clashes.map(({ path, mine, theirs }) => {
          const label = labelOf(path);
          const [own, other] = [shown(path, mine, 'mine'), shown(path, theirs, 'theirs')];
          return (
            <li key={path}>
              <strong className={label === undefined ? 'mono' : undefined}>{label ?? path}</strong>
              {own === null || other === null ? (
                <span>{t('meanwhile.both')}</span>
              ) : (
                excerptsOf(own, other).map((value, at) => (
                  <span key={at === 0 ? 'mine' : 'theirs'}>
                    {t(at === 0 ? 'meanwhile.mine' : 'meanwhile.theirs', { value })}
                  </span>
                ))
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
