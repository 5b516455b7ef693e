// Actions that the palette asks a monitor or an incident for, in a second step.
import {
  IconActivity,
  IconBellPause,
  IconCheck,
  IconCopy,
  IconEye,
  IconFileText,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTag,
} from '@tabler/icons-react';

/**
 * `managed`, `acted`: only for people with that right. `lead`: the control of the subject's page that it leads to;
 * `press`: and presses.
 */
export const STEPS = {
  acknowledge: { of: 'incidents', icon: IconEye, acted: true },
  resolve: { of: 'incidents', icon: IconCheck, acted: true, lead: 'resolve' },
  hold: { of: 'incidents', icon: IconBellPause, acted: true, lead: 'hold', press: true },
  postmortem: { of: 'incidents', icon: IconFileText, acted: true },
  pause: { of: 'monitors', icon: IconPlayerPause, managed: true },
  resume: { of: 'monitors', icon: IconPlayerPlay, managed: true },
  quiet: { of: 'monitors', icon: IconBellPause, managed: true, lead: 'pause-for', press: true },
  test: { of: 'monitors', icon: IconActivity, managed: true, lead: 'test-now', press: true },
  edit: { of: 'monitors', icon: IconPencil, managed: true },
  tag: { of: 'monitors', icon: IconTag, managed: true, lead: 'tags' },
  clone: { of: 'monitors', icon: IconCopy, managed: true, lead: 'more', press: true },
} as const;
export type StepName = keyof typeof STEPS;
export type Step = {
  of: 'monitors' | 'incidents';
  acted?: boolean;
  managed?: boolean;
  lead?: string;
  press?: boolean;
};
