// The shape every language must fill: English decides it, the compiler checks the others.
import 'i18next';
import type { en } from './en/index.ts';

type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> };

export type Texts = Same<typeof en>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}
