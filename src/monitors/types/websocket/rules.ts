// The rules of type `websocket` that its schema cannot state (docs/rules/monitor-types.md#websocket).
import { checkHeaders, isToken, secretHeaders } from '../headers.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { WebsocketConfig, websocketDestination } from './config.ts';

export const websocket: TypeRules<WebsocketConfig> = {
  type: 'websocket',
  schema: WebsocketConfig,
  destination: websocketDestination,
  secrets: (config) => secretHeaders('headers', config.headers, config.secret_headers),
  checkTarget(config, context) {
    context.url(config.url, 'config.url', ['ws', 'wss']);
  },
  check(config) {
    checkDegradedAfter(config);
    checkHeaders(config.headers, 'config.headers', (name) => name.startsWith('sec-websocket-'));
    const { username, password } = new URL(config.url);
    if (username !== '' || password !== '')
      invalidConfig(
        'config.url',
        'must not contain a user name or password; use the header authorization, which is stored sealed',
      );
    // RFC 6455, section 3.
    if (config.url.includes('#')) invalidConfig('config.url', 'must not have a fragment (the part from #)');
    if (config.subprotocol !== null && !isToken(config.subprotocol))
      invalidConfig('config.subprotocol', 'is not the name of a subprotocol');
  },
};
