import {
  IconApi,
  IconArrowsExchange,
  IconBroadcast,
  IconCertificate,
  IconDatabase,
  IconHeartbeat,
  IconMail,
  IconNetwork,
  IconPlug,
  IconRadar,
  IconSitemap,
  IconWorldSearch,
  IconWorldWww,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './TypePicker.module.css';
import { type OfferedType, TYPE_GROUPS } from './type-groups.ts';

type Icon = ComponentType<{ size: number; stroke: number; className?: string | undefined }>;

const ICONS: Record<OfferedType, Icon> = {
  http: IconApi,
  websocket: IconArrowsExchange,
  grpc: IconNetwork,
  tcp: IconPlug,
  udp: IconBroadcast,
  ping: IconRadar,
  dns: IconWorldSearch,
  tls: IconCertificate,
  domain: IconWorldWww,
  mail: IconMail,
  database: IconDatabase,
  heartbeat: IconHeartbeat,
  group: IconSitemap,
};

/** What can be watched, grouped, each with a line of what it is for; every choice is a link to its form. */
export function TypePicker() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <div className={styles.groups}>
      {TYPE_GROUPS.map(({ group, types }) => (
        <section key={group} className={styles.group} data-group={group} aria-labelledby={`types-${group}`}>
          <h2 className={styles.title} id={`types-${group}`}>
            {t(`typeGroups.${group}`)}
          </h2>
          <ul className={styles.list}>
            {types.map((type) => (
              <Choice key={type} type={type} orgId={orgId} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Choice({ type, orgId }: { type: OfferedType; orgId: string }) {
  const { t } = useTranslation();
  const Icon = ICONS[type];
  return (
    <li className={styles.item}>
      <Icon size={20} stroke={1.6} className={styles.icon} />
      <span className={styles.words}>
        <Link className={styles.name} to="/o/$orgId/monitors/new" params={{ orgId }} search={{ type }}>
          {t(`types.${type}.name`)}
        </Link>
        <span className={styles.what}>{t(`types.${type}.what`)}</span>
      </span>
    </li>
  );
}
