// Makes people's texts safe in messages to others. Mail programs turn everything that looks like an address into a link,
// and readers would take a link in a Tocsin mail for Tocsin's own.

const NO_WIDTH = '\u200b';

/** The joints of addresses: `https://`, `evil.test` (also with the dots of East Asian scripts), `a@b`, `\\host\share`. */
const JOINTS = /[:@]|[.\u3002\uff0e\uff61](?=\S)|[/\\](?=[/\\])/gu;

/** The text with a zero-width character after each joint: it looks the same, but no program makes a link or mention of it. */
export const unlinked = (text: string): string => text.replace(JOINTS, `$&${NO_WIDTH}`);
