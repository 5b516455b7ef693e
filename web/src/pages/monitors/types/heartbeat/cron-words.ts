// A crontab line in the reader's language.
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de.js';

/** "At 04:30, Monday through Friday"; the line itself if it cannot be described. */
export function cronWords(expression: string, language: string): string {
  try {
    return cronstrue.toString(expression.trim(), {
      locale: language.slice(0, 2),
      use24HourTimeFormat: true,
      verbose: true,
      throwExceptionOnParseError: true,
    });
  } catch {
    return expression;
  }
}
