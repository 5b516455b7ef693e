// Turns the compilers off: the agent does too little to gain from compiled code, and they would take 4 MB. A flag that a later
// V8 does not have is logged and ignored.
import { setFlagsFromString } from 'node:v8';

for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);
