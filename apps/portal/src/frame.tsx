import { PORTAL_WHO_AM_I } from '@munshi/api';
import { Frame, PERSON_ROLES, TimeZone } from '@munshi/web-ui';
import classes from './frame.module.css';
import { PALETTE } from './palette/source.ts';
import { SCREENS } from './screens.ts';
import { service } from './service.ts';
import { useSession } from './session.tsx';

/** The frame, under the name of the merchant. Viewers see every screen, without its buttons. */
export function PortalFrame() {
  const { user, merchant } = useSession();
  return (
    <TimeZone value={merchant.timeZone}>
      <Frame
        screens={SCREENS}
        role={PERSON_ROLES[user.role]}
        palette={PALETTE}
        brand={
          <span className={classes['brand']}>
            {merchant.name}
            <span className={classes['product']}>Merchant portal</span>
          </span>
        }
        onSignedOut={() => void service.api.call(PORTAL_WHO_AM_I, {})}
      />
    </TimeZone>
  );
}
