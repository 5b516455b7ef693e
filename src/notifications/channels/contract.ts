// Browser-safe. The fields that each channel needs (docs/rules/notifications.md#targets).
import type { ChannelName } from '#src/domain/names.ts';

export type ChannelRequirements = {
  /** The provider's own spelling of its name. */
  name: string;
  /** People enter its address; otherwise the address follows from the region. */
  address: boolean;
  /** It has the key of an integration at the provider, and a region. */
  credential: boolean;
  /** It has a signing secret, which can be replaced. */
  signed: boolean;
  /** An example of an address, or of a key. */
  example: string;
  /** The provider's page that explains where to get it. */
  help: string | null;
};

const chat = { address: true, credential: false, signed: false } as const;
const paging = { address: false, credential: true, signed: false } as const;

export const CHANNEL_REQUIREMENTS: Readonly<Record<ChannelName, ChannelRequirements>> = {
  webhook: {
    name: 'Webhook',
    address: true,
    credential: false,
    signed: true,
    example: 'https://example.com/hooks/tocsin',
    help: null,
  },
  slack: {
    ...chat,
    name: 'Slack',
    example: 'https://hooks.slack.com/services/T000/B000/XXXX',
    help: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  },
  msteams: {
    ...chat,
    name: 'Microsoft Teams',
    example:
      'https://default0000.00.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/…',
    help: 'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  },
  discord: {
    ...chat,
    name: 'Discord',
    example: 'https://discord.com/api/webhooks/000000/XXXX',
    help: 'https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks',
  },
  mattermost: {
    ...chat,
    name: 'Mattermost',
    example: 'https://mattermost.example.com/hooks/xxxx',
    help: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  },
  pagerduty: {
    ...paging,
    name: 'PagerDuty',
    example: '0123456789abcdef0123456789abcdef',
    help: 'https://support.pagerduty.com/main/docs/services-and-integrations',
  },
  opsgenie: {
    ...paging,
    name: 'Opsgenie',
    example: '00000000-0000-0000-0000-000000000000',
    help: 'https://docs.opsgenie.com/docs/api-key-management',
  },
};
