// Whether a logo is visible on a background: how many of its pixels stand out. Pure.

/** RGBA of every pixel, 0 to 255, as from a canvas. */
export type Pixels = Uint8ClampedArray | readonly number[];
export type Colour = readonly [red: number, green: number, blue: number];

/** The backgrounds behind a logo, as in src/status-pages/public/html/page.css. */
export const BACKGROUNDS = { light: [251, 251, 249], dark: [17, 18, 21] } as const satisfies Record<
  string,
  Colour
>;

/** Below this contrast a shape is invisible (WCAG requires 3 for graphics; brand colours are often a little below). */
const VISIBLE = 1.7;
/** The share of invisible pixels from which the editor warns. */
const LOST_SHARE = 0.35;
const OPAQUE = 128;

function luminance([red, green, blue]: Colour): number {
  const linear = (value: number) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast of two colours, 1 to 21 (WCAG 2). */
export function contrast(a: Colour, b: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Whether most of a logo is invisible on the background; an empty image is. */
export function isLost(pixels: Pixels, ground: Colour): boolean {
  let drawn = 0;
  let lost = 0;
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < OPAQUE) continue;
    drawn++;
    const colour = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0] as const;
    if (contrast(colour, ground) < VISIBLE) lost++;
  }
  return drawn === 0 || lost / drawn > LOST_SHARE;
}
