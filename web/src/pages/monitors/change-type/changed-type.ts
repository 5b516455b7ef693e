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
    config: { ...blank.config, ...addressIn(form, blank.config, monitor.config as ConfigValues) },
  };
}

/** The address in a config, under the field name of the other type. */
function addressIn({ type }: AnyForm, into: ConfigValues, config: ConfigValues): ConfigValues {
  const { url, host, domain } = config;
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  const name = [host, domain, parsed?.hostname].find((each) => typeof each === 'string' && each !== '');
  if (typeof name !== 'string') return {};
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  if ('host' in into) return { host: bare };
  if ('domain' in into) return { domain: bare };
  const { schemes } = TYPES[type];
  if (!schemes) return {};
  const isPlain = Object.values(TYPES).some((each) => `${each.schemes?.[0]}:` === parsed?.protocol);
  const scheme = schemes[isPlain ? 0 : 1];
  const at = bare.includes(':') ? `[${bare}]` : bare;
  return { url: parsed === null ? `${scheme}://${at}/` : String(url).replace(/^[a-z]+/i, scheme) };
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
