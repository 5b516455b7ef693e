// `tocsin agent`: the same as the single file that hosts are given.
import { type AgentOptions, runAgent } from '#agent/command.ts';

export const run = (options: AgentOptions): Promise<number> => runAgent(options);
