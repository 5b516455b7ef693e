import type { Config } from '../config/config.ts';
import type { OperatorAddresses } from '../notifications/targets/operator-addresses.ts';

/** What of the configuration notification targets are trusted by (docs/rules/notifications.md#addresses-of-targets). */
export function operatorAddresses(config: Config): OperatorAddresses {
  return {
    chatHosts: config.chatWebhookHosts,
    paging: {
      pagerduty: { global: config.pagerdutyUrl, eu: config.pagerdutyEuUrl },
      opsgenie: { global: config.opsgenieUrl, eu: config.opsgenieEuUrl },
    },
  };
}
