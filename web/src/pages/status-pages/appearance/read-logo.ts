// Decodes an image in the browser: as a URL to show, and as pixels.
import { BACKGROUNDS, isLost } from './logo-contrast.ts';

export type Background = keyof typeof BACKGROUNDS;
/** `address`: a data URL, which the content security policy allows for images. */
export type DecodedLogo = { address: string; isLostOn: Record<Background, boolean> };

/** Large enough to tell colours apart. */
const SIDE = 160;

/** null: the browser cannot decode it. */
export async function decodeLogo(logo: Blob): Promise<DecodedLogo | null> {
  const address = await dataUrlOf(logo);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const scale = Math.min(1, SIDE / Math.max(image.naturalWidth, image.naturalHeight, 1));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round((image.naturalWidth || SIDE) * scale));
  canvas.height = Math.max(1, Math.round((image.naturalHeight || SIDE) * scale));
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return {
    address,
    isLostOn: { light: isLost(data, BACKGROUNDS.light), dark: isLost(data, BACKGROUNDS.dark) },
  };
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(blob);
  });
}
