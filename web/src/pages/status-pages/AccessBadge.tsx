import { IconKey, IconPencil, IconPower, IconUsers, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './AccessBadge.module.css';
import type { PageAccess } from './page-access.ts';

const ICONS = {
  draft: IconPencil,
  public: IconWorld,
  shared_password: IconKey,
  viewer_login: IconUsers,
  off: IconPower,
} as const satisfies Record<PageAccess, typeof IconWorld>;

/** Who can see a status page: a word with a glyph. */
export function AccessBadge({ access }: { access: PageAccess }) {
  const { t } = useTranslation();
  const Icon = ICONS[access];
  return (
    <span className={styles.badge} data-access={access}>
      <Icon size={14} stroke={1.8} aria-hidden="true" />
      {t(`statusPages.access.${access}`)}
    </span>
  );
}
