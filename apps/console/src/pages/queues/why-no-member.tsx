import { READ_CANDIDATES } from '@munshi/api';
import { Card, Loaded, useRead } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './queues.module.css';
import { texts } from './texts.ts';

/** Who comes nearest to an order that nobody has, and what keeps them from it. */
export function WhyNoMember({ orderId }: { readonly orderId: string }) {
  const read = useRead(READ_CANDIDATES, { params: { orderId } }, { watch: ['member', 'order'] });
  return (
    <div className={classes['why']}>
      <Card title={texts.why}>
        <Loaded read={read}>
          {({ data: { members } }) =>
            members.length === 0 ? (
              <p className="quiet">{texts.nobodyServes}</p>
            ) : (
              <ul>
                {members.map(({ memberId, name, objection, accounts }) => (
                  <li key={memberId}>
                    <Link href={`/members/${memberId}`}>{name}</Link>{' '}
                    <span className="quiet">
                      {objection === null
                        ? accounts.some((account) => account.objection === null)
                          ? texts.couldTake
                          : accounts
                              .map(
                                (account) => texts.accountObjections[account.objection ?? 'none'],
                              )
                              .join(', ')
                        : texts.objections[objection]}
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
