import { useTranslation } from 'react-i18next';
import type { TileState } from '#src/domain/names.ts';

/** The word for a tile's state. */
export function useStateWord(): (state: TileState) => string {
  const { t } = useTranslation();
  return (state) => (state === 'maintenance' ? t('overview.maintenanceState') : t(`status.${state}`));
}
