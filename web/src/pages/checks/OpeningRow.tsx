import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import table from '#web/ui/Table.module.css';
import { CheckDetail } from './CheckDetail.tsx';
import styles from './OpeningRow.module.css';

type Props = {
  monitorId: string;
  checkId: string;
  /** What the first cell says; it is the button that opens the row. */
  time: ReactNode;
  /** Of the whole table. */
  columns: number;
  /** The other cells. */
  children: ReactNode;
};

/** A check as a row of a table, which opens: everything that is known of it stands below. */
export function OpeningRow({ monitorId, checkId, time, columns, children }: Props) {
  const { t } = useTranslation();
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
            title={t(isOpen ? 'check.close' : 'check.open')}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight
              className={styles.chevron}
              data-open={isOpen || undefined}
              size={14}
              aria-hidden
            />
            <span>{time}</span>
          </UnstyledButton>
        </td>
        {children}
      </tr>
      {isOpen ? (
        <tr id={id}>
          <td colSpan={columns} className={styles.detail}>
            <CheckDetail monitorId={monitorId} checkId={checkId} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
