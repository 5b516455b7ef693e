// The rules of type `http` that its schema cannot state (docs/rules/monitor-types.md#http).
import { checkHeaders, isToken, secretHeaders } from '../headers.ts';
import { checkPath, checkValue, patternCheck } from '../patterns.ts';
import { invalidConfig, type TargetChecks, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { HttpConfig, httpDestination } from './config.ts';

export const http: TypeRules<HttpConfig> = {
  type: 'http',
  schema: HttpConfig,
  destination: httpDestination,
  secrets(config) {
    // The config has not been validated: any field may have any type.
    const paths = secretHeaders('headers', config.headers, config.secret_headers);
    if (config.auth?.kind === 'basic') paths.push(['auth', 'password']);
    if (config.auth?.kind === 'bearer') paths.push(['auth', 'token']);
    if (typeof config.tls?.client_key_pem === 'string') paths.push(['tls', 'client_key_pem']);
    return paths;
  },
  checkTarget(config, context) {
    context.url(config.url, 'config.url', ['http', 'https']);
  },
  check(config, context) {
    checkHeaders(config.headers, 'config.headers');
    const { username, password } = new URL(config.url);
    if (username !== '' || password !== '')
      invalidConfig(
        'config.url',
        'must not contain a user name or password; use config.auth, which is stored sealed',
      );
    for (const [i, range] of config.expected_status.entries()) {
      const [from = 0, to = from] = range.split('-').map(Number);
      if (from > to) invalidConfig(`config.expected_status.${i}`, 'must start with the smaller status');
    }
    checkDegradedAfter(config);
    const checkPattern = patternCheck();
    if (config.keyword?.mode === 'regex') checkPattern(config.keyword.text, 'config.keyword.text');
    for (const [i, { path, op, value }] of config.json_assertions.entries()) {
      checkPath(path, `config.json_assertions.${i}.path`);
      const field = `config.json_assertions.${i}.value`;
      if (op !== 'exists' && value === undefined) invalidConfig(field, `is required with ${op}`);
      checkValue(value, field);
      if (op === 'matches') checkPattern(value, field);
      if (['gt', 'gte', 'lt', 'lte'].includes(op) && typeof value !== 'number')
        invalidConfig(field, 'must be a number');
    }
    for (const [i, { name, op, value }] of config.header_assertions.entries()) {
      const field = `config.header_assertions.${i}`;
      if (!isToken(name)) invalidConfig(`${field}.name`, 'is not a header name');
      if (op !== 'exists' && value === undefined) invalidConfig(`${field}.value`, `is required with ${op}`);
      if (op === 'matches') checkPattern(value, `${field}.value`);
    }
    checkTls(config, context);
  },
};

function checkTls(config: HttpConfig, context: TargetChecks): void {
  const { server_name, ca_pem, client_cert_pem, client_key_pem } = config.tls;
  if (server_name) context.host(server_name, 'config.tls.server_name');
  for (const [name, pem, label] of [
    ['ca_pem', ca_pem, 'CERTIFICATE'],
    ['client_cert_pem', client_cert_pem, 'CERTIFICATE'],
    ['client_key_pem', client_key_pem, 'PRIVATE KEY'],
  ] as const)
    if (pem && !context.isSecretMask(pem) && !pem.includes(`${label}-----`))
      invalidConfig(`config.tls.${name}`, `must be PEM text with a ${label}`);
  if ((client_cert_pem && !client_key_pem) || (client_key_pem && !client_cert_pem))
    invalidConfig('config.tls.client_key_pem', 'and client_cert_pem belong together');
}
