// The pages of a document, and its structure for screen readers: headings, paragraphs, tables.
import PDFDocument from 'pdfkit';
import { makeWriter, type Style } from './text.ts';

export const INK = '#1b1f24';
export const QUIET = '#5b6570';
export const LINE = '#d5d9de';

export const BODY: Style = { size: 8.5, weight: 'regular', color: INK };
export const SMALL: Style = { size: 7.5, weight: 'regular', color: QUIET };

/** A4 landscape, in points. */
export const PAGE = { width: 841.89, height: 595.28, margin: 42, foot: 30 } as const;
export const RIGHT = PAGE.width - PAGE.margin;
export const WIDTH = RIGHT - PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - PAGE.foot;

/** The parent of new elements. */
export type Part = PDFKit.PDFStructureElement;

export type SheetOptions = { title: string; author: string; language: string; at: Date };

export function makeSheet({ title, author, language, at }: SheetOptions) {
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: at },
  });
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const root = doc.struct('Document');
  doc.addStructure(root);
  const writer = makeWriter(doc);
  let y = 0;

  const addPage = () => {
    doc.addPage();
    y = PAGE.margin;
  };
  addPage();

  /** Everything that `draw` draws becomes the content of one new element, on one page. */
  const tagged = (parent: Part, type: string, draw: () => void): void => {
    const element = doc.struct(type);
    parent.add(element);
    element.add(doc.markStructureContent(type));
    draw();
    doc.endMarkedContent();
    element.end();
  };
  /** An element that contains elements. */
  const group = (parent: Part, type: string): Part => {
    const element = doc.struct(type);
    parent.add(element);
    return element;
  };
  /** Decoration: lines, and repeated parts of every page. */
  const decoration = (draw: () => void): void => {
    doc.markContent('Artifact');
    draw();
    doc.endMarkedContent();
  };

  return {
    ...{ doc, root, writer, tagged, group, decoration, addPage },
    y: () => y,
    moveTo: (to: number) => {
      y = to;
    },
    /** Begins a page if this much does not fit any more; returns whether it did. */
    makeRoom(height: number): boolean {
      if (y + height <= BOTTOM) return false;
      addPage();
      return true;
    },
    rule(at: number, color = LINE): void {
      decoration(() =>
        doc.moveTo(PAGE.margin, at).lineTo(RIGHT, at).lineWidth(0.5).strokeColor(color).stroke(),
      );
    },
    /** Lines of text, one below the other. */
    paragraph(parent: Part, type: string, text: string, style: Style, most = 20): void {
      for (const line of writer.linesOf(text, WIDTH, style, most)) {
        this.makeRoom(style.size * 1.45);
        tagged(parent, type, () => writer.put(line, PAGE.margin, y, style));
        y += style.size * 1.45;
      }
    },
    /** Writes the foot of every page, and returns the bytes. */
    async finish(
      footOf: (page: number, pages: number) => [left: string, right: string],
    ): Promise<Uint8Array> {
      const { count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page++) {
        doc.switchToPage(page);
        const [left, right] = footOf(page + 1, count);
        const at = PAGE.height - PAGE.margin;
        decoration(() => {
          writer.put(writer.shortened(left, WIDTH - 120, SMALL), PAGE.margin, at, SMALL);
          writer.putRight(right, RIGHT, at, SMALL);
        });
      }
      root.end();
      const ended = new Promise((resolve) => doc.once('end', resolve));
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

export type Sheet = ReturnType<typeof makeSheet>;
