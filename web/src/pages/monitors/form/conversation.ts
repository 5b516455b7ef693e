// The section for the text that a check sends and expects, shared by the types that have one.
import type { FormSection } from '../types/type-form.ts';

type Talk = { send: string; expect: string };

/** `fields` are inside the section; its summary shows the values in use. */
export function conversationSection<Values extends Talk>(fields: readonly string[]): FormSection<Values> {
  return {
    id: 'conversation',
    fields,
    title: (t) => t('fields.conversation'),
    summary: (t, _formats, { send, expect }) => {
      const said = [
        ...(send === '' ? [] : [t('fields.sends', { text: shortened(send) })]),
        ...(expect === '' ? [] : [t('fields.expects', { text: shortened(expect) })]),
      ];
      return said.length === 0 ? t('fields.connectingIsEnough') : said.join(' · ');
    },
  };
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 32 ? `${line.slice(0, 31)}…` : line;
}
