import { READ_MEMBER_ALERTS } from '@munshi/api';
import { secondsText } from '@munshi/web';
import { Card, Facts, Loaded, useRead, When } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

const { alerts: words } = texts;

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
              {words.takenOffline(takenOffline.missed)} <When at={takenOffline.at} />
            </p>
          )}
          <Card title={words.phones}>
            {phones.length === 0 ? <p className="quiet">{words.noPhones}</p> : null}
            {phones.map((phone) => (
              <Facts
                key={phone.subscriptionId}
                facts={[
                  [words.service, phone.service],
                  [words.since, <When key="since" at={phone.createdAt} />],
                  [
                    words.lastPush,
                    phone.lastSentAt === null ? (
                      texts.none
                    ) : (
                      <When key="sent" at={phone.lastSentAt} />
                    ),
                  ],
                  phone.lastError === null ? null : [words.failed, phone.lastError],
                  [words.lastTest, testOf(phone)],
                ]}
              />
            ))}
          </Card>
          <Card title={words.last}>
            {alerts.length === 0 ? <p className="quiet">{words.noAlerts}</p> : null}
            {alerts.length === 0 ? null : (
              <table className={classes['alerts']}>
                <thead>
                  <tr>
                    <th scope="col">{texts.order}</th>
                    <th scope="col">{words.called}</th>
                    <th scope="col">{words.seen}</th>
                  </tr>
                </thead>
                <tbody>
                  {alerts.map((alert) => (
                    <tr key={alert.orderId}>
                      <td>
                        <Link href={`/orders/${alert.orderId}`}>{alert.orderReference}</Link>
                        <div className="quiet">{words.kinds[alert.kind]}</div>
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
  if (phone.testSentAt === null) return texts.none;
  return phone.testSeenAfterMs === null
    ? words.notSeen
    : words.after(secondsText(phone.testSeenAfterMs));
};

const seenOf = ({ seenAfterMs, missed }: { seenAfterMs: number | null; missed: boolean }) => {
  if (seenAfterMs !== null) return words.after(secondsText(seenAfterMs));
  return missed ? words.missed : words.notSeen;
};

const sentOf = (alert: {
  pushedAt: string | null;
  secondAt: string | null;
  thirdAt: string | null;
}) =>
  [
    alert.pushedAt === null ? null : words.push,
    alert.secondAt === null ? null : words.second,
    alert.thirdAt === null ? null : words.third,
  ]
    .filter((channel) => channel !== null)
    .join(', ');
