import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import type { Submission } from './use-submission.ts';

type Props = {
  submission: Submission;
  /** Better words for some errors of this form; undefined: the usual ones. */
  words?: (error: unknown) => string | undefined;
};

/** What the last try was refused with; after too many tries it counts the time down. */
export function Refused({ submission: { error, waitSeconds }, words }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const formats = useFormats();
  if (error === null) return null;
  if (waitSeconds > 0) {
    return (
      <Alert color="red">
        {/* Said once; a clock that ticks aloud would be a nuisance. */}
        <span className="visually-hidden" role="alert">
          {t('accounts.tooManySaid')}
        </span>
        <span aria-hidden="true">
          {t('accounts.tooMany', { time: formats.durationInWords(waitSeconds) })}
        </span>
      </Alert>
    );
  }
  return (
    <Alert color="red" role="alert">
      {words?.(error) ?? sentence(error)}
    </Alert>
  );
}
