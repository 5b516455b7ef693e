import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALPH, JPEG, png, pngChunk, VP8, VP8L, VP8X, webp } from '#test/harness/images.ts';
import { isJpeg, isPng, isWebp, jpegSize, pngSize, webpSize } from './raster.ts';

const SIZE = { width: 3, height: 2 };
const WEBPS = {
  lossy: webp(['VP8 ', VP8]),
  lossless: webp(['VP8L', VP8L]),
  transparent: webp(['VP8X', VP8X], ['ALPH', ALPH], ['VP8 ', VP8]),
};
const HTML = Buffer.from('<html><script>alert(1)</script></html>');

test('whole images of each kind have their size', () => {
  assert.deepEqual(pngSize(png()), SIZE);
  assert.deepEqual(pngSize(png(4000, 1000)), { width: 4000, height: 1000 });
  assert.deepEqual(pngSize(png(3, 2, pngChunk('tEXt', Buffer.from('Title\0Logo')))), SIZE);
  assert.deepEqual(jpegSize(JPEG), SIZE);
  for (const [name, file] of Object.entries(WEBPS)) assert.deepEqual(webpSize(file), SIZE, name);
});

test('each kind is recognized by its first bytes alone', () => {
  const files = [png(), JPEG, WEBPS.lossy, Buffer.from('GIF89a'), HTML, Buffer.alloc(0)];
  assert.deepEqual(
    files.map((file) => [isPng(file), isJpeg(file), isWebp(file)]),
    [
      [true, false, false],
      [false, true, false],
      [false, false, true],
      ...Array.from({ length: 3 }, () => [false, false, false]),
    ],
  );
});

const READ = [
  ['png', png(), pngSize],
  ['jpeg', JPEG, jpegSize],
  ...Object.entries(WEBPS).map(([name, file]) => [name, file, webpSize] as const),
] as const;

test('a truncated file is no image', () => {
  for (const [name, file, sizeOf] of READ)
    for (let length = 12; length < file.length; length++)
      assert.equal(sizeOf(file.subarray(0, length)), null, `${name}, ${length} of ${file.length} bytes`);
});

test('a file with data after its image is no image', () => {
  for (const [name, file, sizeOf] of READ)
    for (const more of [HTML, file, Buffer.from('PK\x03\x04')])
      assert.equal(sizeOf(Buffer.concat([file, more])), null, name);
});

test('the first bytes alone are no image', () => {
  for (const [name, file, sizeOf] of READ)
    assert.equal(sizeOf(Buffer.concat([file.subarray(0, 12), HTML])), null, name);
});

test('whatever bytes follow the first ones, parsing ends and nothing is thrown', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed;
  };
  for (let i = 0; i < 3000; i++)
    for (const [name, file, sizeOf] of READ) {
      const spoilt = Buffer.from(file);
      for (let n = random() % 4; n >= 0; n--) spoilt[12 + (random() % (spoilt.length - 12))] = random() % 256;
      const size = sizeOf(spoilt);
      assert.ok(size === null || (size.width >= 0 && size.height >= 0), name);
    }
});

test('a PNG with a wrong checksum, without pixels, or with a header of another length is refused', () => {
  const flipped = png();
  flipped[flipped.length - 20] = (flipped[flipped.length - 20] ?? 0) ^ 1;
  assert.equal(pngSize(flipped), null);
  const [start, end] = [png().subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))];
  assert.equal(pngSize(Buffer.concat([start, end])), null);
  const short = Buffer.concat([png().subarray(0, 8), pngChunk('IHDR', Buffer.alloc(12)), png().subarray(33)]);
  assert.equal(pngSize(short), null);
});

test('a WebP file that lacks the pixels of its header is refused', () => {
  assert.equal(webpSize(webp(['VP8X', VP8X], ['EXIF', Buffer.alloc(8)])), null);
  assert.equal(webpSize(webp(['EXIF', Buffer.alloc(12)], ['VP8 ', VP8])), null);
});
