import { formatDay } from '@munshi/core';
import type { OwnOutcomes } from '../orders/outcomes.store.ts';
import type { OwnDay } from './service.ts';

/** A merchant's day, as its people and operators see it. */
export const showDay = ({ day, outcomes }: OwnDay) => ({
  day: formatDay(day),
  deposits: showOutcomes(outcomes.Deposit),
  withdrawals: showOutcomes(outcomes.Withdrawal),
});

const showOutcomes = ({ sum, ...counts }: OwnOutcomes) => {
  const ended = counts.completed + counts.failed;
  const successRate = ended === 0 ? null : counts.completed / ended;
  return { ...counts, sum, successRate };
};
