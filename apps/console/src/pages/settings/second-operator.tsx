import { READ_SECOND_OPERATOR_RULE, type SecondOperatorRuleView } from '@munshi/api';
import { type AsText, amountText } from '@munshi/web';
import { Card, Facts, Loaded, useRead } from '@munshi/web-ui';
import classes from './settings.module.css';

type Rule = AsText<SecondOperatorRuleView>;

/** What needs a second operator, in a line for each subject, as the endpoints declare it. */
export function SecondOperator() {
  const read = useRead(READ_SECOND_OPERATOR_RULE, {}, { watch: ['setting', 'approval'] });
  return (
    <Card title="What needs a second operator">
      <Loaded read={read} rows={10}>
        {({ data: rule }) => (
          <>
            <p className={`quiet ${classes['lead']}`}>{standing(rule)}</p>
            <Facts
              facts={[
                [
                  'Who approves',
                  rule.approvers.length === 0
                    ? 'Nobody. Make two on the server: munshi operator-link <name> --approver'
                    : `${rule.approvers.join(', ')}; not what they ask for, nor for people whom they let in.`,
                ],
                ...rule.rules.map(
                  ({ subject, writes }) => [subject, writes.map(lineOf).join(' ')] as const,
                ),
              ]}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function standing({ requireSecondOperator, limit, left, shared }: Rule): string {
  if (!requireSecondOperator)
    return limit === null
      ? 'Off: one operator decides everything. These would wait:'
      : `Off: only adjustments of wallets above ${amountText(limit, 'PKR')} wait. With it these would, too:`;
  if (limit === null) return 'On, without a limit: all money waits, and:';
  const whose = shared ? 'shared by all operators who are no approvers' : 'of your own';
  return `On. One operator decides up to ${amountText(limit, 'PKR')} a day alone: ${amountText(left ?? '0', 'PKR')} of it is left today, ${whose}. What waits:`;
}

const BY = { two: 'always', amount: 'above the limit' };

const lineOf = ({ summary, by, waits }: Rule['rules'][number]['writes'][number]): string =>
  by === 'change' ? `${summary}: ${lower(waits ?? '')}` : `${summary}: ${BY[by]}.`;

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
