import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BACKGROUNDS, type Colour, contrast, isLost } from './logo-contrast.ts';

const CLEAR = [0, 0, 0, 0];
const drawn = (colour: Colour) => [...colour, 255];
const image = (...pixels: number[][]) => pixels.flat();

test('contrast is that of WCAG: 21 between black and white, 1 of a colour and itself', () => {
  assert.equal(Math.round(contrast([0, 0, 0], [255, 255, 255])), 21);
  assert.equal(contrast([57, 68, 188], [57, 68, 188]), 1);
});

test('a white logo is invisible on a light background, a black one on a dark background', () => {
  const white = image(CLEAR, drawn([255, 255, 255]), CLEAR);
  const black = image(CLEAR, drawn([10, 10, 10]), CLEAR);
  assert.deepEqual([isLost(white, BACKGROUNDS.light), isLost(white, BACKGROUNDS.dark)], [true, false]);
  assert.deepEqual([isLost(black, BACKGROUNDS.light), isLost(black, BACKGROUNDS.dark)], [false, true]);
});

test('a coloured symbol does not hide that the words beside it are invisible', () => {
  const [glyph, sign] = [drawn([250, 250, 250]), drawn([200, 30, 40])];
  assert.equal(isLost(image(glyph, glyph, glyph, sign), BACKGROUNDS.light), true);
  assert.equal(isLost(image(glyph, sign, sign, sign), BACKGROUNDS.light), false);
});

test('an empty image is invisible everywhere', () => {
  assert.equal(isLost(image(CLEAR, CLEAR), BACKGROUNDS.dark), true);
});
