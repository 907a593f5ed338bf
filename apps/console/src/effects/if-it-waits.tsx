import { useDebouncedValue } from '@mantine/hooks';
import type { Endpoint, WritePreview } from '@munshi/api';
import { type AsText, amountText, type RequestOf } from '@munshi/web';
import UsersRound from 'lucide-react/icons/users-round';
import { anyOf } from '../any-of.ts';
import classes from './effects.module.css';
import { usePreview, usePreviews } from './use-preview.ts';

type Known = Pick<AsText<WritePreview>, 'wait' | 'limit'>;

const SETTLE_MS = 300;

/**
 * Whether a write will wait for a second operator, why, and for whom, asked of the service when typing
 * rests (decision 25). Null: there is nothing to send yet.
 */
export function IfItWaits<E extends Endpoint>({
  endpoint,
  request,
}: {
  readonly endpoint: E;
  readonly request: RequestOf<E> | null;
}) {
  const [settled] = useDebouncedValue(request, SETTLE_MS);
  // Asked once: what it shows does not change with orders.
  const { data } = usePreview(endpoint, request === null ? null : settled, 0);
  return data === undefined || request === null ? null : <Waits known={data} />;
}

/** The same of several requests that are sent together: of the first of them that waits. */
export function IfAnyWaits<E extends Endpoint>({
  endpoint,
  requests,
}: {
  readonly endpoint: E;
  readonly requests: readonly RequestOf<E>[];
}) {
  const [settled] = useDebouncedValue(requests, SETTLE_MS);
  const effects = usePreviews(endpoint, settled).flatMap(({ data }) => data ?? []);
  const known = effects.find(({ wait }) => wait !== null) ?? effects[0];
  return known === undefined || requests.length === 0 ? null : <Waits known={known} />;
}

/** The same of an effect that is known. */
export function Waits({ known: { wait, limit } }: { readonly known: Known }) {
  if (wait === null)
    return limit?.left === undefined || limit.left === null ? null : (
      <p className="quiet">
        It is done at once. One operator decides {amountText(limit.amount, 'PKR')} a day alone:{' '}
        {leftOf(limit)} before this.
      </p>
    );
  return (
    <div className={classes['two']}>
      <UsersRound size={16} aria-hidden />
      <div>
        <p>
          <strong>
            {wait.approvers.length === 0
              ? 'It will wait, and nobody can approve it.'
              : `It will wait for ${anyOf(wait.approvers)}.`}
          </strong>{' '}
          {whyOf(wait, limit)}
        </p>
        <p>
          {wait.approvers.length === 0 ? (
            <>
              Approvers do not approve what they ask for, nor for people whom they let in. Make
              another on the server: <code>munshi operator-link &lt;name&gt; --approver</code>
            </>
          ) : (
            'Nothing changes until they approve it. The request ends after 24 hours.'
          )}
        </p>
      </div>
    </div>
  );
}

const leftOf = ({ left, shared }: NonNullable<Known['limit']>) =>
  `${amountText(left ?? '0', 'PKR')} of it is left today${shared ? ' for all operators who are no approvers' : ''}`;

/** The rule by which it waits. */
function whyOf({ why, rule }: NonNullable<Known['wait']>, limit: Known['limit']): string {
  const most = limit === null ? '' : amountText(limit.amount, 'PKR');
  switch (why) {
    case 'declared':
      return rule === null
        ? 'This always needs a second operator.'
        : `What needs a second operator: ${rule}`;
    case 'no-limit':
      return 'No limit is set, so no amount is decided alone.';
    case 'below-zero':
      return 'It takes the merchant’s available balance below zero.';
    case 'amount':
      return limit === null || limit.left === null
        ? `It is above ${most}, which one operator decides alone.`
        : `It is above ${most}, which one operator decides alone in a day. ${leftOf(limit)}.`;
    case 'day-sum':
      return `One operator decides ${most} a day alone. ${limit === null ? '' : `${leftOf(limit)}.`}`;
  }
}
