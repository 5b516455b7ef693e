import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../format.ts';
import type { Write } from '../use-write.ts';

type Props = {
  write: Pick<Write, 'refusal' | 'at' | 'waitSeconds'>;
  /** Fields that show their own refusals. */
  fields?: readonly string[];
  /** Margin below, in pixels. */
  mb?: number;
};

/** The refusal of the last write; after too many attempts it counts down. */
export function Refused({ write, fields = [], mb }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { refusal, waitSeconds } = write;
  if (refusal === null || fields.some((field) => write.at(field) !== null)) return null;
  if (waitSeconds > 0) {
    return (
      <Alert color="red" mb={mb}>
        {/* Announced once; a ticking clock would be a nuisance. */}
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
    <Alert color="red" role="alert" mb={mb}>
      {refusal}
    </Alert>
  );
}
