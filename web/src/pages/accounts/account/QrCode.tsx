import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './QrCode.module.css';

/** A QR code as one SVG path. Always dark on white, also in dark mode: many readers accept nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    // The standard's quiet zone: four modules of white on each side.
    const code = encode(text, { ecc: 'M', border: 4 });
    let drawn = '';
    for (const [y, row] of code.data.entries())
      for (const [x, dark] of row.entries()) if (dark) drawn += `M${x} ${y}h1v1h-1z`;
    return { size: code.size, path: drawn };
  }, [text]);
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
