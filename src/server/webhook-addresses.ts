import type { Config } from '../config/config.ts';
import type { OperatorAddresses } from '../notifications/targets/operator-addresses.ts';

/** The configuration that decides which target addresses are trusted (docs/rules/notifications.md#addresses-of-targets). */
export function operatorAddresses(config: Omit<Config, 'secretKey'>): OperatorAddresses {
  return {
    chatHosts: config.chatWebhookHosts,
    paging: {
      pagerduty: { global: config.pagerdutyUrl, eu: config.pagerdutyEuUrl },
      opsgenie: { global: config.opsgenieUrl, eu: config.opsgenieEuUrl },
    },
  };
}
