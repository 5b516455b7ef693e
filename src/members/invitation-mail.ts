import { addressInMail, layout, nameInMail } from '../platform/mail/layout.ts';
import type { Invitation } from './contract.ts';

export type InvitationMail = {
  invitation: Invitation;
  organization: string;
  by: { name: string; email: string };
  link: string;
};

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The words of an invitation: who invites, to what, as what, what to do, and until when. */
export function invitationMail({ invitation, organization, by, link }: InvitationMail) {
  const place = nameInMail(organization);
  const name = nameInMail(by.name);
  const address = addressInMail(by.email);
  const to = addressInMail(invitation.email);
  const who = name === '' || name === address ? address : `${name} (${address})`;
  const until = DATE.format(new Date(invitation.expires_at_unix * 1000));
  const bodies = layout({
    title: `Join ${place} on Tocsin`,
    paragraphs: [
      `${who} invites you to the organization “${place}” on Tocsin, which watches services and raises the alarm when they fail.`,
      `Your role there will be ${invitation.role}. Open the invitation and sign in, or create your account with ${to}.`,
      `The invitation works once, until ${until} UTC.`,
    ],
    button: { label: 'Open the invitation', url: link },
    smallPrint: [
      `This mail was sent to ${to} because somebody entered that address. If you do not know them, ignore it: nothing happens without you.`,
    ],
  });
  return { subject: `${name === '' ? address : name} invites you to ${place} on Tocsin`, ...bodies };
}
