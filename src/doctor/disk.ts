import { statfs } from 'node:fs/promises';
import { type Finding, finding } from './finding.ts';

const GIB = 1024 ** 3;

/** Free space on the disk of DATA_DIR. */
export async function checkDisk(dataDir: string): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const [free, share] = [bavail * bsize, bavail / Math.max(blocks, 1)];
    const values = { free: (free / GIB).toFixed(1), share: Math.round(share * 100), path: dataDir };
    if (free < GIB / 2 || share < 0.02) return finding('fail', 'disk', 'disk_full', values);
    if (free < 2 * GIB || share < 0.15) return finding('warn', 'disk', 'disk_low', values);
    return finding('ok', 'disk', 'disk_roomy', values);
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    return finding('fail', 'disk', 'disk_unreadable', { path: dataDir, reason });
  }
}
