import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './ExpandableRow.module.css';
import table from './Table.module.css';

type Props = {
  /** The first cell: the button that expands the row. */
  head: ReactNode;
  /** The button's action, while collapsed and while expanded. */
  titles: { open: string; close: string };
  /** The number of columns of the table. */
  columns: number;
  /** The content below an expanded row, rendered when it is expanded. */
  detail: () => ReactNode;
  /** The other cells. */
  children: ReactNode;
};

/** An expandable table row: its details appear below it. */
export function ExpandableRow({ head, titles, columns, detail, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr className={isOpen ? styles.opened : undefined}>
        <td className={table.nowrap}>
          <UnstyledButton
            className={styles.button}
            aria-expanded={isOpen}
            aria-controls={id}
            title={isOpen ? titles.close : titles.open}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight
              className={styles.chevron}
              data-open={isOpen || undefined}
              size={14}
              aria-hidden
            />
            <span>{head}</span>
          </UnstyledButton>
        </td>
        {children}
      </tr>
      {isOpen ? (
        <tr id={id}>
          <td colSpan={columns} className={styles.detail}>
            {detail()}
          </td>
        </tr>
      ) : null}
    </>
  );
}
