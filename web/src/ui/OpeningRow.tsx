import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './OpeningRow.module.css';
import table from './Table.module.css';

type Props = {
  /** What the first cell says; it is the button that opens the row. */
  head: ReactNode;
  /** What the button does, closed and opened. */
  titles: { open: string; close: string };
  /** Of the whole table. */
  columns: number;
  /** Stands below an opened row, and is made when it opens. */
  detail: () => ReactNode;
  /** The other cells. */
  children: ReactNode;
};

/** A row of a table that opens: everything that is known of it stands below. */
export function OpeningRow({ head, titles, columns, detail, children }: Props) {
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
