/** Decodes bytes in the charset that a content-type names; UTF-8 if it names none or an unknown one. */
export function decoded(bytes: Uint8Array, charset: string | undefined): string {
  return decoder(charset).decode(bytes);
}

function decoder(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
