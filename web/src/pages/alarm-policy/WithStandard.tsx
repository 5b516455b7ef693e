import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AlarmStandard, getAlarmStandard } from '#src/alarm-policy/contract.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';

/** Renders its content once the organization's standard is loaded; a form opened earlier would inherit the wrong values. */
export function WithStandard({ children }: { children: (standard: AlarmStandard | null) => ReactNode }) {
  const standard = useQuery(read(getAlarmStandard, { params: { org_id: useOrgId() } }));
  if (standard.isPending) return <LoadingRows count={4} height={64} />;
  if (standard.isLoadingError) return <Failure error={standard.error} retry={standard.refetch} />;
  return children(standard.data);
}
