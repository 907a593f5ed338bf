import { LIST_APPROVALS } from '@munshi/api';
import { Card, useList, When } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './approvals.module.css';
import { aboutOf, titleOf } from './names.ts';

/** What another operator has approved and the reader may fetch: nothing where there is none. */
export function ReadyForYou({ target }: { readonly target?: string }) {
  const query = { status: 'approved', ...(target !== undefined && { target }) } as const;
  const { rows = [] } = useList(LIST_APPROVALS, { query }, { watch: ['approval'] });
  const ready = rows.filter(({ allowedActions }) => allowedActions.includes('fetch'));
  if (ready.length === 0) return null;
  return (
    <Card title="Ready for you">
      <ul className={classes['ready']}>
        {ready.map((request) => (
          <li key={request.approvalId}>
            <Link href={`/approvals?status=approved&open=${request.approvalId}`}>
              {titleOf(request)}
            </Link>
            <bdi>{aboutOf(request)}</bdi>
            {request.decidedAt === null ? null : (
              <span className="quiet">
                approved <When at={request.decidedAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
