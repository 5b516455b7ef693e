import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../call.ts';
import { Empty } from './Empty.tsx';
import { Failure } from './Failure.tsx';
import { LoadingRows } from './LoadingRows.tsx';
import { PageHead } from './PageHead.tsx';

type Props = {
  query: { error: unknown; refetch: () => unknown };
  /** What kind of thing the page is about: its name is not known yet. */
  title: string;
  /** The link to the list that it stands in. */
  back: ReactNode;
  /** That it does not exist, as a sentence. */
  gone: string;
  /** It was read, and is not there. */
  isGone?: boolean;
  /** Lines, and how high each is, while it is on its way. */
  count?: number;
  height?: number;
};

/** Whether the server said that there is no such thing. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** A page whose subject is on its way, could not be had or does not exist: where it belongs stands all the same. */
export function Unread({ query, title, back, gone, isGone = false, count = 3, height = 110 }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={title} above={back} />
      {isGone || isMissing(query.error) ? (
        <Empty title={gone} text={t('ui.goneText')}>
          {back}
        </Empty>
      ) : query.error === null ? (
        <LoadingRows count={count} height={height} />
      ) : (
        <Failure error={query.error} retry={query.refetch} />
      )}
    </>
  );
}
