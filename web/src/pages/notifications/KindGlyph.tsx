import {
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTeams,
  IconMessageCircle,
  IconUrgent,
  IconWebhook,
} from '@tabler/icons-react';
import type { ChannelName } from '#src/domain/names.ts';
import styles from './KindGlyph.module.css';

/** Providers without a logo here get a plain icon. */
const GLYPHS = {
  webhook: IconWebhook,
  slack: IconBrandSlack,
  msteams: IconBrandTeams,
  discord: IconBrandDiscord,
  mattermost: IconMessageCircle,
  pagerduty: PagerGlyph,
  opsgenie: IconUrgent,
} as const satisfies Record<ChannelName, unknown>;

/** The logo of a kind of target, on a tile. */
export function KindGlyph({ kind, size = 34 }: { kind: ChannelName; size?: number }) {
  const Glyph = GLYPHS[kind];
  return (
    <span className={styles.tile} style={{ width: size, height: size }} aria-hidden="true">
      <Glyph size={Math.round(size * 0.58)} stroke={1.6} />
    </span>
  );
}

/** An icon of a pager. */
function PagerGlyph({ size, stroke }: { size: number; stroke: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x="3" y="6" width="18" height="13" rx="2.5" />
      <path d="M6 9h12v4.5H6zM7 16.2h2M12 16.2h.01M15 16.2h.01M18 16.2h.01" />
    </svg>
  );
}
