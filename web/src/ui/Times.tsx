import { useFormats } from '../format.ts';
import { useNow } from './use-now.ts';

/** How long ago, kept up to date; the exact moment is in the title. */
export function Ago({ unix }: { unix: number }) {
  const formats = useFormats();
  const now = useNow();
  return (
    <time dateTime={new Date(unix * 1_000).toISOString()} title={formats.full(unix)}>
      {formats.ago(now - unix)}
    </time>
  );
}

/** A moment as clock time (with the date if it is not today); the full moment is in the title. */
export function Moment({ unix }: { unix: number }) {
  const formats = useFormats();
  return (
    <time dateTime={new Date(unix * 1_000).toISOString()} title={formats.full(unix)}>
      {formats.moment(unix)}
    </time>
  );
}

/** The duration from `from` until `to`, or until now and counting. */
export function Duration({ from, to }: { from: number; to: number | null }) {
  const formats = useFormats();
  const now = useNow();
  return <span>{formats.duration((to ?? now) - from)}</span>;
}
