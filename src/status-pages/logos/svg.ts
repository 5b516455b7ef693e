// SVG as a logo: well-formed XML with an svg root. It is served in a way that no script in it can run, so none is removed.
import { SaxesParser } from 'saxes';

const SVG = 'http://www.w3.org/2000/svg';
/** Drawing programs nest a few dozen levels. */
const MAX_LEVELS = 200;

/** Why it is not accepted as an SVG image, in a sentence; null if it is. */
export function svgProblem(bytes: Buffer): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'An SVG image must be in UTF-8.';
  }
  try {
    readSvg(text);
    return null;
  } catch (error) {
    return error instanceof Unacceptable ? error.message : 'The SVG image is not well-formed XML.';
  }
}

class Unacceptable extends Error {}

/** Throws if the XML is not well-formed, and Unacceptable if it is well-formed but unwanted. */
function readSvg(text: string): void {
  const parser = new SaxesParser({ xmlns: true });
  let level = 0;
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8')
      throw new Unacceptable('An SVG image must be in UTF-8.');
  });
  // It could define entities, which grow without limit, and could refer to files elsewhere.
  parser.on('doctype', () => {
    throw new Unacceptable('An SVG image must not contain a DOCTYPE.');
  });
  // It could turn the file into another document, by XSLT.
  parser.on('processinginstruction', ({ target }) => {
    if (target.toLowerCase() === 'xml-stylesheet')
      throw new Unacceptable('An SVG image must not name a stylesheet for the whole file.');
  });
  parser.on('opentag', ({ local, uri }) => {
    if (level === 0 && (local !== 'svg' || uri !== SVG))
      throw new Unacceptable(`The root of an SVG image must be svg, in the namespace ${SVG}.`);
    level += 1;
    if (level > MAX_LEVELS)
      throw new Unacceptable(`An SVG image must not nest deeper than ${MAX_LEVELS} levels.`);
  });
  parser.on('closetag', () => {
    level -= 1;
  });
  parser.write(text).close();
}
