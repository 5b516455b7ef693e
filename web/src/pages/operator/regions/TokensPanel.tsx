import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AdministeredRegion, type ProbeToken, revokeProbeToken } from '#src/regions/contract.ts';
import { useFormats } from '#web/format.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import { Ago } from '#web/ui/Times.tsx';
import { send } from '#web/write.ts';
import styles from './Panels.module.css';

/** Existing tokens, by their last characters. */
export function TokensPanel({ region }: { region: AdministeredRegion }) {
  const { t } = useTranslation();
  const [revoking, setRevoking] = useState<ProbeToken | null>(null);
  const { slug, probe_tokens: tokens } = region;
  const text = revoking?.bundled ? 'operatorRegions.revokeBundled' : 'operatorRegions.revokeText';

  async function revoke() {
    if (revoking === null) return;
    await send(revokeProbeToken, { params: { region_slug: slug, token_id: revoking.id } }, () =>
      notifications.show({ message: t('operatorRegions.revoked', { hint: revoking.hint }) }),
    );
  }

  return (
    <Panel title={t('operatorRegions.tokens')} flush={tokens.length > 0}>
      {tokens.length === 0 ? (
        <p className={styles.none}>{t('operatorRegions.noTokens')}</p>
      ) : (
        <table className={table.table} aria-label={t('operatorRegions.tokens')}>
          <thead>
            <tr>
              <th scope="col">{t('operatorRegions.token')}</th>
              <th scope="col" className={styles.wide}>
                {t('operatorRegions.made')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('operatorRegions.lastUsed')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('operatorRegions.revoke')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
            ))}
          </tbody>
        </table>
      )}
      <Confirm
        opened={revoking !== null}
        title={t('operatorRegions.revokeTitle', { hint: revoking?.hint ?? '' })}
        text={t(text)}
        confirm={t('operatorRegions.revoke')}
        onConfirm={revoke}
        onClose={() => setRevoking(null)}
      />
    </Panel>
  );
}

function TokenRow({ token, onRevoke }: { token: ProbeToken; onRevoke: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const made = formats.moment(token.created_at_unix);
  const used =
    token.last_used_at_unix === null ? t('operatorRegions.never') : <Ago unix={token.last_used_at_unix} />;
  return (
    <tr>
      <td className={`${styles.what} ${styles.middle}`}>
        <span className="mono">…{token.hint}</span>
        <span className={styles.note}>
          {token.bundled
            ? t('operatorRegions.tokenBundled')
            : t('operatorRegions.tokenProbes', { count: token.max_probes ?? 0 })}
        </span>
        <span className={styles.narrow}>
          {t('operatorRegions.made')} {made}
          <br />
          {t('operatorRegions.lastUsed')}: {used}
        </span>
      </td>
      <td className={`${styles.wide} ${styles.middle} ${table.quiet} ${table.nowrap}`}>{made}</td>
      <td className={`${styles.wide} ${styles.middle} ${table.quiet} ${table.nowrap}`}>{used}</td>
      <td className={`${styles.end} ${styles.middle}`}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('operatorRegions.revokeOf', { hint: token.hint })}
          onClick={onRevoke}
        >
          {t('operatorRegions.revoke')}
        </Button>
      </td>
    </tr>
  );
}
