import { READ_CANDIDATES } from '@munshi/api';
import { Card, Loaded, useRead } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './queues.module.css';

const ACCOUNT_OBJECTIONS = {
  none: '',
  'other-method': 'the account is of another method',
  'other-currency': 'the account takes other currencies',
  'not-approved': 'the account waits for approval',
  paused: 'they have paused the account',
  'below-minimum': 'the amount is below the account’s minimum',
  'above-maximum': 'the amount is above the account’s maximum',
  'day-used-up': 'the account has taken what it may today',
};

const OBJECTIONS = {
  suspended: 'suspended',
  offline: 'offline',
  full: 'has as many orders in hand as they may',
  'float-too-small': 'has too little float free',
  'has-it': 'has it now',
};

/** Who comes nearest to an order that nobody has, and what keeps them from it. */
export function WhyNoMember({ orderId }: { readonly orderId: string }) {
  const read = useRead(READ_CANDIDATES, { params: { orderId } }, { watch: ['member', 'order'] });
  return (
    <div className={classes['why']}>
      <Card title="Why no member has it">
        <Loaded read={read}>
          {({ data: { members } }) =>
            members.length === 0 ? (
              <p className="quiet">No member has an account for this method.</p>
            ) : (
              <ul>
                {members.map(({ memberId, name, objection, accounts }) => (
                  <li key={memberId}>
                    <Link href={`/members/${memberId}`}>{name}</Link>{' '}
                    <span className="quiet">
                      {objection === null
                        ? accounts.some((account) => account.objection === null)
                          ? 'could take it now'
                          : accounts
                              .map((account) => ACCOUNT_OBJECTIONS[account.objection ?? 'none'])
                              .join(', ')
                        : OBJECTIONS[objection]}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}
