// `tocsin serve`.
export { serve as run } from '#src/supervise/serve.ts';
