// `tocsin agent uninstall`.
import { uninstallService } from '#agent/service/command.ts';

/** Returns the exit code: 1 where nothing was done. */
export const run = async (options: { yes?: boolean; print?: boolean }): Promise<number> =>
  uninstallService(options, import.meta.filename);
