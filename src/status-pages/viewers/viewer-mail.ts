import { addressInMail, layout, nameInMail } from '#src/platform/mail/layout.ts';

export type ViewerMail = {
  /** Name of the status page. */
  page: string;
  viewer: { username: string; email: string };
  /** Name of whoever invites. */
  by: string;
  link: string;
  expiresAt: Date;
};

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The words of a viewer's invitation. It is the page's mail, not ours: the product is not named. */
export function viewerMail({ page, viewer, by, link, expiresAt }: ViewerMail) {
  const place = nameInMail(page);
  const who = nameInMail(by) || 'Somebody';
  const to = addressInMail(viewer.email);
  const bodies = layout({
    title: `You may see ${place}`,
    paragraphs: [
      `${who} gave you access to the status page “${place}”, which says whether services work and what is done about those that do not.`,
      `Choose a password. You then sign in there as ${nameInMail(viewer.username)}.`,
      `The link works until ${DATE.format(expiresAt)} UTC.`,
    ],
    button: { label: 'Choose a password', url: link },
    smallPrint: [
      `This mail was sent to ${to} because somebody entered that address. If you do not know them, ignore it: nothing happens without you.`,
    ],
  });
  return { subject: `${who} gave you access to ${place}`, ...bodies };
}
