import { ActionIcon } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './ActivityRow.module.css';
import { placeOf } from './place-of.ts';

/** A link to the resource of an entry; nothing if it is gone or has no page. */
export function OpenResource({ entry }: { entry: ActivityEntry }) {
  const { t } = useTranslation();
  const place = placeOf(entry, useOrgId());
  if (place === null) return null;
  const { name, id } = entry.resource;
  return (
    <ActionIcon
      className={styles.open}
      size={28}
      aria-label={t('activity.open', { name: name || id })}
      renderRoot={(props) => <Link {...props} {...place} />}
    >
      <IconArrowUpRight size={16} />
    </ActionIcon>
  );
}
