import {
  type Icon,
  IconAlertTriangle,
  IconBellRinging,
  IconCheck,
  IconEye,
  IconFileText,
  IconLink,
  IconMessage,
  IconPhoneCall,
  IconPlayerPause,
  IconPlayerPlay,
  IconPoint,
  IconRestore,
  IconSend,
  IconSpeakerphone,
  IconStairsUp,
  IconTool,
  IconTrashX,
  IconUnlink,
} from '@tabler/icons-react';

const ICONS: Record<string, Icon> = {
  opened: IconBellRinging,
  acknowledged: IconEye,
  resolved: IconCheck,
  note: IconMessage,
  status_update: IconSpeakerphone,
  held: IconPlayerPause,
  hold_ended: IconPlayerPlay,
  suppressed: IconTool,
  paged: IconPhoneCall,
  escalated: IconStairsUp,
  delivered: IconSend,
  delivery_failed: IconAlertTriangle,
  discarded: IconTrashX,
  restored: IconRestore,
  linked: IconLink,
  unlinked: IconUnlink,
  postmortem_published: IconFileText,
};

/** An icon for the kind of a timeline entry. */
export function KindIcon({ kind }: { kind: string }) {
  const Shape = ICONS[kind] ?? IconPoint;
  return <Shape size={16} stroke={1.8} aria-hidden="true" />;
}
