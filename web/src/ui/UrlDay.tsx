import { TextInput, type TextInputProps } from '@mantine/core';
import { useUrlText } from './use-url-text.ts';

type Props = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  /** YYYY-MM-DD, or empty. */
  day: string;
  onDay: (day: string) => void;
};

/** A year is typed digit by digit: on the way to 2026 it is 2, 20 and 202. */
const FIRST_WHOLE = '1000-01-01';

/** A date field whose day is kept in the URL. */
export function UrlDay({ day, onDay, ...props }: Props) {
  const [typed, type] = useUrlText(day, (text) => {
    if (text === '' || text >= FIRST_WHOLE) onDay(text);
  });
  return (
    <TextInput {...props} type="date" value={typed} onChange={(event) => type(event.currentTarget.value)} />
  );
}
