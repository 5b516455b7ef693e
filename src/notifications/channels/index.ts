// Every channel (docs/rules/notifications.md#targets).
import type { ChannelName } from '#src/domain/names.ts';
import type { Channel } from './channel.ts';
import { discord } from './discord.ts';
import { mattermost } from './mattermost.ts';
import { msteams } from './msteams.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

export const CHANNELS: Record<ChannelName, Channel> = {
  webhook,
  slack,
  msteams,
  discord,
  mattermost,
  pagerduty,
  opsgenie,
};

/** The channel of a stored target; throws for a kind that this version does not know. */
export function channelOf(kind: string): Channel {
  const known = Object.hasOwn(CHANNELS, kind) ? CHANNELS[kind as ChannelName] : undefined;
  if (!known) throw new Error(`there is no kind of target called ${kind}`);
  return known;
}
