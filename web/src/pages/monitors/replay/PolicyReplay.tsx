import { Collapse } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import type { InheritedPolicy } from '../form/policy-levels.ts';
import type { PolicyValues } from '../form/policy-values.ts';
import styles from './PolicyReplay.module.css';
import { ReplayedOutages } from './ReplayedOutages.tsx';
import { countSentence, timeSentences } from './replay-words.ts';
import { usePolicyReplay } from './use-policy-replay.ts';

type Props = { monitor: Monitor; policy: PolicyValues; inherited: InheritedPolicy; isShown: boolean };

/** How the settings on screen would have handled the checks of the last 30 days. */
export function PolicyReplay({ monitor, policy, inherited, isShown }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const [opened, setOpened] = useState(false);
  const { replay, error, isOutdated, isChanged, isValid } = usePolicyReplay(
    monitor,
    policy,
    inherited,
    isShown,
  );
  const some = replay !== undefined && replay.check_count > 0;
  return (
    <section className={styles.replay} aria-label={t('replay.title')} data-outdated={isOutdated || undefined}>
      <h3 className={styles.title}>{t('replay.title')}</h3>
      <div className={styles.sentences} aria-live="polite" aria-busy={isOutdated}>
        {replay === undefined && error === null ? (
          <p>{t(isValid ? 'replay.running' : 'replay.invalid')}</p>
        ) : null}
        {replay === undefined && error !== null ? <p>{t('replay.unread')}</p> : null}
        {replay !== undefined && !some ? <p>{t('replay.noChecks')}</p> : null}
        {some ? (
          <>
            <p className={styles.count}>{countSentence(t, formats, replay, isChanged)}</p>
            {timeSentences(t, formats, replay).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </>
        ) : null}
      </div>
      {some ? (
        <>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={opened}
            aria-controls={id}
            onClick={() => setOpened(!opened)}
          >
            <IconChevronRight
              size={15}
              className={styles.chevron}
              data-opened={opened || undefined}
              aria-hidden="true"
            />
            {t('replay.list')}
          </button>
          <Collapse expanded={opened} id={id}>
            <ReplayedOutages monitor={monitor} replay={replay} isChanged={isChanged} />
          </Collapse>
        </>
      ) : null}
    </section>
  );
}
