import { PORTAL_ALERT_SETTINGS } from '@munshi/api';
import { Loaded, useRead } from '@munshi/web-ui';
import { AlertsForm } from './alerts-form.tsx';
import { LatestAlerts } from './latest-alerts.tsx';
import classes from './settings.module.css';

/** What the merchant wants to be told of, where, and how that went. */
export function AlertsTab() {
  const read = useRead(PORTAL_ALERT_SETTINGS, {}, { watch: ['setting'] });
  return (
    <Loaded read={read}>
      {({ data }) => (
        <div className={classes['beside']}>
          <AlertsForm settings={data} />
          <LatestAlerts allowedActions={data.allowedActions} />
        </div>
      )}
    </Loaded>
  );
}
