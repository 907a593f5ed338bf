import { type Objection, refuse, type Settings } from './decision.ts';

/** Whoever has added an account does not approve it while a second operator is required (D66). */
export function refuseAccountApproval(
  { createdBy }: { readonly createdBy: string | null },
  who: { readonly id: string },
  { requireSecondOperator }: Pick<Settings, 'requireSecondOperator'>,
): Objection {
  if (!requireSecondOperator || createdBy !== who.id) return undefined;
  return refuse(
    'second-operator',
    'An account must be approved by another operator than the one who added it.',
  );
}
