// Run as the program that it is: an agent does too little to gain from compiled code, and the compilers would take 4 MB. A flag that
// a later V8 does not know is said in the log, and ignored.
import { setFlagsFromString } from 'node:v8';

for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);
