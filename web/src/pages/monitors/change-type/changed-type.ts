// Changing a monitor's type: the initial form values, and the request body. Pure.
import type { Monitor } from '#src/monitors/contract.ts';
import { changesOf, configOf, type MonitorValues, newMonitor, valuesOf } from '../form/values.ts';
import { isRegionless } from '../monitor-types.ts';
import type { AnyForm, ConfigValues } from '../types/type-form.ts';
import { TYPES } from '../types.ts';

/**
 * The initial values of the new type's form: everything outside the config, and the address of the config if both types
 * have one. `region` is for a type that regions check, if the old type was not.
 */
export function valuesInType(form: AnyForm, monitor: Monitor, region: string | undefined): MonitorValues {
  const blank = newMonitor(form);
  const kept = valuesOf({ ...form, read: () => blank.config }, monitor);
  const interval = Math.max(monitor.interval_seconds, form.interval?.least ?? 0);
  return {
    ...kept,
    interval_seconds: interval,
    regions: isRegionless(form.type)
      ? []
      : monitor.regions.length > 0
        ? monitor.regions
        : region === undefined
          ? []
          : [region],
    config: {
      ...blank.config,
      ...addressIn(form, blank.config, monitor.type, monitor.config as ConfigValues),
    },
  };
}

/** The address in a config, under the field name of the other type. */
function addressIn({ type }: AnyForm, into: ConfigValues, from: string, config: ConfigValues): ConfigValues {
  const { url, host, domain } = config;
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  const name = [host, domain, parsed?.hostname].find((each) => typeof each === 'string' && each !== '');
  if (typeof name !== 'string') return {};
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  const { port, isEncrypted } = portOf(from, config, parsed);
  if ('host' in into) {
    const keepsPort = port !== null && (type === 'tcp' || (type === 'tls' && isEncrypted));
    return keepsPort ? { host: bare, port } : { host: bare };
  }
  if ('domain' in into) return { domain: bare };
  const { schemes } = TYPES[type];
  if (!schemes) return {};
  const scheme = schemes[isEncrypted ? 1 : 0];
  if (parsed !== null) return { url: String(url).replace(/^[a-z]+/i, scheme) };
  const at = bare.includes(':') ? `[${bare}]` : bare;
  const isUsual = port === null || port === (isEncrypted ? 443 : 80);
  return { url: `${scheme}://${isUsual ? at : `${at}:${port}`}/` };
}

/** The port of an address, and whether a web page there would be encrypted; null: its type has no port of a web server. */
function portOf(
  from: string,
  config: ConfigValues,
  url: URL | null,
): { port: number | null; isEncrypted: boolean } {
  if (url !== null) {
    const isEncrypted = url.protocol === 'https:' || url.protocol === 'wss:';
    return { port: Number(url.port) || (isEncrypted ? 443 : 80), isEncrypted };
  }
  const port = (from === 'tcp' || from === 'tls') && typeof config.port === 'number' ? config.port : null;
  return { port, isEncrypted: from !== 'tcp' || config.tls === true || port === 443 };
}

/** The request body: the type with its new config, and any other changes. */
export function typeChange(
  form: AnyForm,
  values: MonitorValues,
  begun: MonitorValues,
): Record<string, unknown> {
  const { config: _config, type: _type, ...others } = changesOf(form, values, begun);
  return {
    ...others,
    type: form.type,
    config: configOf(form, values),
    ...(isRegionless(form.type)
      ? {}
      : {
          interval_seconds: values.interval_seconds === '' ? null : values.interval_seconds,
          regions: values.regions,
        }),
  };
}
