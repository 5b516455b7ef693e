import { useTranslation } from 'react-i18next';
import type { ApiKey } from '#src/api-keys/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './ApiKeys.module.css';
import { useNarrowable } from './narrowable.ts';

const SHOWN = 3;

/** The projects and monitors that a key is limited to, by name; nothing for a key of the whole organization. */
export function KeyResources({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.project_ids === null && apiKey.monitor_ids === null) return null;
  return <Names ids={[...(apiKey.project_ids ?? []), ...(apiKey.monitor_ids ?? [])]} />;
}

function Names({ ids }: { ids: string[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { projects, monitors, complete } = useNarrowable(useOrgId());
  const known = new Map([...projects, ...monitors].map(({ id, name }) => [id, name]));
  const names = ids.map((id) => known.get(id) ?? (complete ? t('keys.gone') : '…'));
  const more = names.length - SHOWN;
  const said = more > 0 ? [...names.slice(0, SHOWN), t('keys.more', { count: more })] : names;
  return (
    <p className={styles.reach} title={formats.list(names)}>
      {t('keys.only', { names: formats.list(said) })}
    </p>
  );
}
