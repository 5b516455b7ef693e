import { type ReactNode, useRef } from 'react';
import { isMissing } from '../missing.ts';
import { Failure } from './Failure.tsx';
import { Gone } from './Gone.tsx';
import { LoadingRows } from './LoadingRows.tsx';
import { PageHead } from './PageHead.tsx';

type Props = {
  query: { error: unknown; errorUpdateCount: number; refetch: () => unknown };
  /** The kind of thing that the page shows: its name is not known yet. */
  title: string;
  /** The link to its list. */
  back: ReactNode;
  /** The sentence that it does not exist. */
  gone: string;
  /** The read succeeded, but the thing is not in it. */
  isGone?: boolean;
  /** The number and height of the placeholder rows. */
  count?: number;
  height?: number;
};

/** A page whose subject is loading, failed to load or does not exist: title and link back are shown all the same. */
export function PagePlaceholder({
  query,
  title,
  back,
  gone,
  isGone = false,
  count = 3,
  height = 110,
}: Props) {
  // While it is asked for again, the query has no error: a page that said "does not exist" would flicker, and lose the focus.
  const wasMissing = useRef(false);
  if (query.error !== null || query.errorUpdateCount === 0) wasMissing.current = isMissing(query.error);
  return (
    <>
      <PageHead title={title} above={back} />
      {isGone || wasMissing.current ? (
        <Gone title={gone}>{back}</Gone>
      ) : query.error === null ? (
        <LoadingRows count={count} height={height} />
      ) : (
        <Failure error={query.error} retry={query.refetch} />
      )}
    </>
  );
}
