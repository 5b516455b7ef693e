// Why a check failed, in the reader's language: the failure class, and the probe's detail.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckWords } from '#web/i18n/check-words.ts';

type FailedCheck = {
  failure_class?: string | null;
  cause_layer?: string | null;
  detail?: string | null;
  response_code?: number | null;
};

/** Returns a function that explains a failed or slow check; null if the probe gave no reason. */
export function useFailureSentence(): (check: FailedCheck) => string | null {
  const { t, i18n } = useTranslation();
  const detailWords = useCheckWords('detail');
  return useCallback(
    (check: FailedCheck) => {
      const key = `failures.${check.failure_class}`;
      const said = check.failure_class
        ? i18n.exists(key)
          ? t(key as 'failures.http_status')
          : check.failure_class.replaceAll('_', ' ')
        : null;
      const code = check.response_code == null ? null : `HTTP ${check.response_code}`;
      const detail = check.detail == null ? code : detailWords(check.detail);
      if (said === null || detail === null) return said ?? detail;
      return `${said}: ${detail}`;
    },
    [t, i18n, detailWords],
  );
}
