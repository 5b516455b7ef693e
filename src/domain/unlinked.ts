// Names and other texts of people inside messages to others: programs that show plain text make links of whatever looks
// like an address, and a link in a mail of ours is taken for ours.

const NO_WIDTH = '\u200b';

/** What addresses are held together by: `https://`, `evil.test` (also with the dots of East Asian scripts), `a@b`, `\\host\share`. */
const JOINTS = /[:@]|[.\u3002\uff0e\uff61](?=\S)|[/\\](?=[/\\])/gu;

/** The text, looking the same, of which no program makes a link or a mention: behind each joint is a character without width. */
export const unlinked = (text: string): string => text.replace(JOINTS, `$&${NO_WIDTH}`);
