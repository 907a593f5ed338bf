import { PORTAL_CHANGE_ALERT_SETTINGS, PORTAL_READ_ALERT_SETTINGS } from '@munshi/api';
import { AlertsForm, Loaded, useRead, useWrite } from '@munshi/web-ui';
import { LatestAlerts } from './latest-alerts.tsx';
import classes from './settings.module.css';

/** What the merchant is alerted to, where, and how that went. */
export function AlertsTab() {
  const read = useRead(PORTAL_READ_ALERT_SETTINGS, {}, { watch: ['setting'] });
  const { send } = useWrite(PORTAL_CHANGE_ALERT_SETTINGS);
  return (
    <Loaded read={read}>
      {({ data }) => (
        <div className={classes['beside']}>
          <AlertsForm
            settings={data}
            send={(body) => send({ body })}
            noMail="No mail is sent from here yet. Ask your operator."
          />
          <LatestAlerts allowedActions={data.allowedActions} />
        </div>
      )}
    </Loaded>
  );
}
