import { textsOf } from '../language.ts';

/** What choosing a new password says, loaded with it. */
export const words = textsOf({
  en: async () => (await import('./texts/en.ts')).en,
  ur: async () => (await import('./texts/ur.ts')).ur,
  hi: async () => (await import('./texts/hi.ts')).hi,
  bn: async () => (await import('./texts/bn.ts')).bn,
});
