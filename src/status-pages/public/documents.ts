// Documents of a snapshot, each rendered once and kept as bytes.
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';

export type Document = {
  /** Media type, with its charset. */
  type: string;
  body: Buffer;
  etag: string;
  /** Compressed for the first visitor who accepts it. */
  gzip: () => Buffer;
};

/** An answer as it was sent: a document, compressed or not, with all its headers. */
export type Ready = { headers: OutgoingHttpHeaders; body: Buffer; etag: string };

/** Compressing smaller documents does not pay. */
const WORTH_BYTES = 1_024;

/**
 * A document from a text or from bytes. The ETag is derived from the bytes: the same content is the same document on every
 * server.
 */
export function makeDocument(type: string, content: string | Buffer): Document {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const hash = createHash('sha256').update(type).update(body).digest('base64url');
  let compressed: Buffer | null = null;
  return {
    type,
    body,
    // Weak: compressed or not, it is the same page in different bytes.
    etag: `W/"${hash.slice(0, 27)}"`,
    gzip() {
      compressed ??= body.length < WORTH_BYTES ? body : gzipSync(body);
      return compressed;
    },
  };
}

/** Names of documents that outlive a snapshot: files, which change only with the settings of the page. */
const isFile = (name: string) => name.startsWith('file ');

/** The documents of one snapshot by name; the number of names is small, whatever visitors ask for. */
export class Documents {
  readonly #made = new Map<string, Document | null>();
  bytes = 0;

  /** Takes over the files of an earlier snapshot. */
  constructor(earlier?: Documents) {
    for (const [name, document] of earlier ? earlier.#made : []) if (isFile(name)) this.#put(name, document);
  }

  /** The document of this name; `make` returns null if there is none. */
  get(name: string, make: () => Document | null): Document | null {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    return this.#put(name, make());
  }

  /** The file of this name, read at the first request for it. */
  async file(name: string, read: () => Promise<Document | null>): Promise<Document | null> {
    const known = this.#made.get(`file ${name}`);
    if (known !== undefined) return known;
    return this.#put(`file ${name}`, await read());
  }

  #put(name: string, document: Document | null): Document | null {
    this.#made.set(name, document);
    // The compressed bytes are a small part of it.
    this.bytes += document === null ? 0 : document.body.length * 1.25;
    return document;
  }
}
