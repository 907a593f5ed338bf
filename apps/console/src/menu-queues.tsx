import type { Operator } from './session.tsx';

/** The queues of the menu, each with its count and the age of its oldest. */
export function MenuQueues(_props: { readonly operator: Operator }) {
  return null;
}
