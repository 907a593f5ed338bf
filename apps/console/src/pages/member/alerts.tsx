import { READ_MEMBER_ALERTS } from '@munshi/api';
import { secondsText } from '@munshi/web';
import { Card, Facts, Loaded, Reference, useRead, When } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

const KINDS = { assigned: 'withdrawal to pay', 'customer-confirmed': 'deposit to check' };

/** How they are called to their orders, and how late they saw it. */
export function AlertsTab({ member: { memberId } }: TabProps) {
  const read = useRead(
    READ_MEMBER_ALERTS,
    { params: { memberId } },
    { watch: ['member', 'order'] },
  );
  return (
    <Loaded read={read} rows={8}>
      {({ data: { phones, alerts, takenOffline } }) => (
        <>
          {takenOffline === null ? null : (
            <p role="note">
              {takenOffline.missed === 1
                ? 'A missed alert took them offline'
                : `${takenOffline.missed} missed alerts in a row took them offline`}{' '}
              <When at={takenOffline.at} />
            </p>
          )}
          <Card title="Phones">
            {phones.length === 0 ? (
              <p className="quiet">No phone receives push messages. They set it up in their app.</p>
            ) : null}
            {phones.map((phone) => (
              <Facts
                key={phone.subscriptionId}
                facts={[
                  ['Push service', phone.service],
                  ['Since', <When key="since" at={phone.createdAt} />],
                  [
                    'Last push',
                    phone.lastSentAt === null ? 'none' : <When key="sent" at={phone.lastSentAt} />,
                  ],
                  phone.lastError === null ? null : ['It failed', phone.lastError],
                  ['Last test', testOf(phone)],
                ]}
              />
            ))}
          </Card>
          <Card title="Last alerts">
            {alerts.length === 0 ? (
              <p className="quiet">Nothing was recorded yet: no alert was seen or sent.</p>
            ) : null}
            {alerts.length === 0 ? null : (
              <table className={classes['alerts']}>
                <thead>
                  <tr>
                    <th scope="col">Order</th>
                    <th scope="col">Called</th>
                    <th scope="col">Seen</th>
                  </tr>
                </thead>
                <tbody>
                  {alerts.map((alert) => (
                    <tr key={alert.orderId}>
                      <td>
                        <Link href={`/orders/${alert.orderId}`}>
                          <Reference reference={alert.orderReference} />
                        </Link>
                        <div className="quiet">{KINDS[alert.kind]}</div>
                      </td>
                      <td>
                        <When at={alert.alertedAt} />
                      </td>
                      <td>
                        {seenOf(alert)}
                        <div className="quiet">{sentOf(alert)}</div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Card>
        </>
      )}
    </Loaded>
  );
}

const testOf = (phone: { testSentAt: string | null; testSeenAfterMs: number | null }) => {
  if (phone.testSentAt === null) return 'none';
  return phone.testSeenAfterMs === null
    ? 'not seen'
    : `after ${secondsText(phone.testSeenAfterMs)}`;
};

const seenOf = ({ seenAfterMs, missed }: { seenAfterMs: number | null; missed: boolean }) => {
  if (seenAfterMs !== null) return `after ${secondsText(seenAfterMs)}`;
  return missed ? 'missed' : 'not seen';
};

const sentOf = (alert: {
  pushedAt: string | null;
  secondAt: string | null;
  thirdAt: string | null;
}) =>
  [
    alert.pushedAt === null ? null : 'pushed',
    alert.secondAt === null ? null : 'second channel',
    alert.thirdAt === null ? null : 'third channel',
  ]
    .filter((channel) => channel !== null)
    .join(', ');
