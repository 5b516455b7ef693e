import { renderMarkdown } from '#src/domain/markdown.ts';
import styles from './Markdown.module.css';

type Props = { text: string; headings: 3 | 4 };

/** What somebody wrote, rendered as public pages render it. `headings`: one level below the heading above it. */
export function Markdown({ text, headings }: Props) {
  return (
    <div
      className={styles.text}
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer lets nothing through that could run
      dangerouslySetInnerHTML={{ __html: renderMarkdown(text, { headings }) }}
    />
  );
}
