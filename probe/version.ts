// The version of this program: that of the package, also where it became a single file.
import program from '../package.json' with { type: 'json' };

export const VERSION: string = program.version;
