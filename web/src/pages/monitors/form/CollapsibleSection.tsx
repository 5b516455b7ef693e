import { Collapse } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import styles from './CollapsibleSection.module.css';

type Props = {
  title: string;
  summary: ReactNode;
  opened: boolean;
  onToggle: () => void;
  children: ReactNode;
};

/** A section that most monitors do not need: collapsed, it summarizes its values in one line. */
export function CollapsibleSection({ title, summary, opened, onToggle, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>
        <button
          type="button"
          className={styles.button}
          aria-expanded={opened}
          aria-controls={id}
          onClick={onToggle}
        >
          <IconChevronRight
            size={17}
            className={styles.chevron}
            data-opened={opened || undefined}
            aria-hidden="true"
          />
          <span className={styles.title}>{title}</span>
          {opened ? null : <span className={styles.summary}>{summary}</span>}
        </button>
      </h2>
      <Collapse expanded={opened} id={id}>
        <div className={styles.content}>{children}</div>
      </Collapse>
    </section>
  );
}
