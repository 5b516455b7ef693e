import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RegionCapsule } from '#src/capsules/contract.ts';
import { useFormats } from '#web/format.ts';
import { ResponseExcerptPanel } from '#web/pages/checks/ResponseExcerptPanel.tsx';
import styles from './CapsulePanel.module.css';

/** The monitor's type never has it, so nobody would look for it. */
const OF_THE_TYPE: ReadonlySet<string> = new Set(['no_tls', 'no_http', 'no_port']);

type Props = { found: RegionCapsule; isOnly: boolean };

/** The diagnostics of one region. */
export function RegionLookUp({ found, isOnly }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { dns, connections, tls, route, response, left_out } = found;
  const why = (part: (typeof left_out)[number]['part']) => left_out.find((each) => each.part === part)?.why;
  const part = (name: (typeof left_out)[number]['part'], content: ReactNode) => {
    const reason = why(name);
    if (content === null && (reason === undefined || OF_THE_TYPE.has(reason))) return null;
    return (
      <div className={styles.part}>
        <h3 className={styles.title}>{t(`capsule.parts.${name}`)}</h3>
        {content ?? <p className={styles.note}>{t(`capsule.why.${reason ?? 'failed'}`)}</p>}
      </div>
    );
  };
  return (
    <>
      <p className={styles.state} data-state="arrived">
        {isOnly ? null : <span className={styles.name}>{found.region}</span>}
        {t('capsule.gathered', {
          host: found.host,
          region: found.region,
          time: formats.clock(found.gathered_at_unix),
        })}
      </p>
      {found.withheld ? (
        <p className={styles.note}>{t('answer.withheld')}</p>
      ) : (
        <>
          {part('dns', dns && <Dns dns={dns} />)}
          {part(
            'connections',
            connections && (
              <ul className={styles.lines}>
                {connections.map(({ address, took_ms, error }) => (
                  <li key={address} data-failed={error !== null || undefined}>
                    <span className="mono">{address}</span>
                    <span>{error ?? t('capsule.connected', { time: formats.milliseconds(took_ms) })}</span>
                  </li>
                ))}
              </ul>
            ),
          )}
          {part('tls', tls && <Tls tls={tls} />)}
          {part('route', route && <Route route={route} />)}
          {part('response', response && <Response response={response} />)}
        </>
      )}
    </>
  );
}

function Dns({ dns }: { dns: NonNullable<RegionCapsule['dns']> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <p className={styles.note}>
        <span className="mono">{dns.question}</span>
        {dns.zone === null
          ? null
          : ` · ${t('capsule.zone', { zone: dns.zone.name, servers: formats.list(dns.zone.name_servers) })}`}
      </p>
      {dns.servers.map(({ server, took_ms, rcode, error, answers }) => (
        <div key={server} className={styles.server}>
          <p className={styles.said} data-failed={rcode !== 'NOERROR' || undefined}>
            <span className="mono">{server}</span>
            <span>{error ?? `${rcode}, ${formats.milliseconds(took_ms)}`}</span>
          </p>
          {answers.length === 0 ? null : <pre className={styles.code}>{answers.join('\n')}</pre>}
        </div>
      ))}
    </>
  );
}

function Tls({ tls }: { tls: NonNullable<RegionCapsule['tls']> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <p className={styles.said} data-failed={tls.error !== null || undefined}>
        {tls.protocol === null ? null : (
          <span className="mono">{[tls.protocol, tls.cipher].filter(Boolean).join(' ')}</span>
        )}
        <span>{tls.error ?? t('capsule.trusted')}</span>
      </p>
      <ol className={styles.certificates}>
        {tls.certificates.map((certificate) => (
          <li key={certificate.fingerprint_sha256}>
            <span>{certificate.subject}</span>
            <span className={styles.note}>
              {t('capsule.certificate', {
                issuer: certificate.issuer,
                from: formats.date(certificate.valid_from_unix),
                to: formats.date(certificate.valid_to_unix),
              })}
            </span>
            {certificate.names.length === 0 ? null : (
              <span className={styles.note}>
                {t('capsule.names', { names: certificate.names.join(', ') })}
              </span>
            )}
            <span className={`mono ${styles.fingerprint}`}>SHA-256 {certificate.fingerprint_sha256}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Route({ route }: { route: NonNullable<RegionCapsule['route']> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <p className={styles.note}>{t('capsule.routeTo', { address: route.to })}</p>
      <ol className={styles.hops}>
        {route.hops.map(({ hop, address, took_ms }) => (
          <li key={hop}>
            <span className={styles.hop}>{hop}</span>
            <span className="mono">
              {address === null ? '*' : address === 'private' ? t('capsule.privateHop') : address}
            </span>
            <span className={styles.note}>
              {took_ms === null ? '' : took_ms < 1 ? '< 1 ms' : formats.milliseconds(took_ms)}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Response({ response }: { response: NonNullable<RegionCapsule['response']> }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.note}>{t('capsule.again')}</p>
      {response.redirects.map((line) => (
        <p key={line} className={`mono ${styles.note}`}>
          {line}
        </p>
      ))}
      {response.error === null ? null : (
        <p className={styles.said} data-failed>
          {response.error}
        </p>
      )}
      {response.excerpt === null ? null : <ResponseExcerptPanel answer={response.excerpt} />}
    </>
  );
}
