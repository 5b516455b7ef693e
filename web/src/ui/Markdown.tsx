import { renderMarkdown } from '#src/domain/markdown.ts';
import styles from './Markdown.module.css';

type Props = { text: string; headings: 3 | 4 };

/** Renders a person's Markdown as on public pages. `headings`: one level below the heading above it. */
export function Markdown({ text, headings }: Props) {
  return (
    <div
      className={styles.text}
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer emits nothing that could run
      dangerouslySetInnerHTML={{ __html: renderMarkdown(text, { headings }) }}
    />
  );
}
