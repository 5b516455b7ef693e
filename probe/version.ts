// The version of this program: that of the package, in the single file too.
import program from '../package.json' with { type: 'json' };

export const VERSION: string = program.version;
