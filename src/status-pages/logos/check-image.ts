import { refuse } from '#src/platform/refusals.ts';
import { isJpeg, isPng, isWebp, jpegSize, pngSize, type Size, webpSize } from './raster.ts';
import { svgProblem } from './svg.ts';

export type LogoImage = {
  bytes: Buffer;
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml';
};

/** The most pixels: a small file can contain an image that fills the memory of its viewers. */
const MAX_PIXELS = 4_000_000;

/**
 * The type of an uploaded file, from its content; its name and declared type do not count. Refuses anything but a complete PNG,
 * JPEG, WebP or SVG image, and one of more than 4 megapixels (docs/rules/status-pages.md#logos).
 */
export function checkedImage(body: unknown): LogoImage {
  if (!Buffer.isBuffer(body) || body.length === 0)
    refuse('invalid_request', 'Send the bytes of a PNG, JPEG, WebP or SVG image as the request body.');
  if (isPng(body)) return sized(body, 'image/png', pngSize(body));
  if (isJpeg(body)) return sized(body, 'image/jpeg', jpegSize(body));
  if (isWebp(body)) return sized(body, 'image/webp', webpSize(body));
  if (!/^(?:\ufeff)?\s*</.test(body.toString('utf8', 0, 1000)))
    refuse('invalid_request', 'The request body is not a PNG, JPEG, WebP or SVG image.');
  const problem = svgProblem(body);
  if (problem !== null) refuse('invalid_request', problem);
  return { bytes: body, mediaType: 'image/svg+xml' };
}

function sized(bytes: Buffer, mediaType: LogoImage['mediaType'], size: Size | null): LogoImage {
  if (size === null || size.width === 0 || size.height === 0)
    refuse('invalid_request', `The ${mediaType} file is incomplete, or continues after the image.`);
  if (size.width * size.height > MAX_PIXELS)
    refuse(
      'invalid_request',
      `The image has ${size.width} × ${size.height} pixels; it may have 4 megapixels at most.`,
      { limit: MAX_PIXELS },
    );
  return { bytes, mediaType };
}
