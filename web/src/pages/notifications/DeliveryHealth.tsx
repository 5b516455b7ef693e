import { useTranslation } from 'react-i18next';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { type DisplayState, StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { Ago } from '#web/ui/Times.tsx';
import styles from './DeliveryHealth.module.css';

/** The outcome of the last delivery; a paused target says so first. */
export function DeliveryHealth({ target }: { target: WebhookTarget }) {
  const { t } = useTranslation();
  const explain = useFailureSentence();
  const state: DisplayState = !target.active
    ? 'paused'
    : target.last_delivery_ok === null
      ? 'pending'
      : target.last_delivery_ok
        ? 'passed'
        : 'failed';
  return (
    <span className={styles.health} data-state={state}>
      <StatusGlyph state={state} />
      <span className={styles.words}>
        <span>
          {t(`targets.health.${state}`)}
          {target.last_delivery_at_unix === null ? null : (
            <span className={styles.when}>
              {' '}
              <Ago unix={target.last_delivery_at_unix} />
            </span>
          )}
        </span>
        {state === 'failed' && target.last_error !== null ? (
          <span className={styles.error} title={target.last_error}>
            {explain({ failure_class: target.last_error })}
          </span>
        ) : null}
      </span>
    </span>
  );
}
