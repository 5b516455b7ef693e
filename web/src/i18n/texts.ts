// The type of the texts: English defines it, and the compiler checks the other languages against it.
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
