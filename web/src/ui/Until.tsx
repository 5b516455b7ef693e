import { useFormats } from '../format.ts';
import { useNow } from './use-now.ts';

/** The time until a future moment, kept up to date; the exact moment is in the title. */
export function Until({ unix }: { unix: number }) {
  const formats = useFormats();
  const now = useNow();
  return (
    <time dateTime={new Date(unix * 1_000).toISOString()} title={formats.full(unix)}>
      {formats.until(unix - now)}
    </time>
  );
}
