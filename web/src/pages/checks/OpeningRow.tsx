import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OpeningRow as Row } from '#web/ui/OpeningRow.tsx';
import { CheckDetail } from './CheckDetail.tsx';

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

/** A check as a row of a table, which opens. */
export function OpeningRow({ monitorId, checkId, time, columns, children }: Props) {
  const { t } = useTranslation();
  return (
    <Row
      head={time}
      titles={{ open: t('check.open'), close: t('check.close') }}
      columns={columns}
      detail={() => <CheckDetail monitorId={monitorId} checkId={checkId} />}
    >
      {children}
    </Row>
  );
}
