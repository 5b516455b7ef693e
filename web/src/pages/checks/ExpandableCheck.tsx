import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpandableRow } from '#web/ui/ExpandableRow.tsx';
import { CheckDetail } from './CheckDetail.tsx';

type Props = {
  monitorId: string;
  checkId: string;
  /** The first cell: the button that expands the row. */
  time: ReactNode;
  /** The number of columns of the table. */
  columns: number;
  /** The other cells. */
  children: ReactNode;
};

/** An expandable table row of one check. */
export function ExpandableCheck({ monitorId, checkId, time, columns, children }: Props) {
  const { t } = useTranslation();
  return (
    <ExpandableRow
      head={time}
      titles={{ open: t('check.open'), close: t('check.close') }}
      columns={columns}
      detail={() => <CheckDetail monitorId={monitorId} checkId={checkId} />}
    >
      {children}
    </ExpandableRow>
  );
}
