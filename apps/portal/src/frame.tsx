import { PORTAL_WHO_AM_I } from '@munshi/api';
import { Frame, peopleTexts, TimeZone } from '@munshi/web-ui';
import classes from './frame.module.css';
import { PALETTE } from './palette/source.ts';
import { SCREENS } from './screens.ts';
import { service } from './service.ts';
import { useSession } from './session.tsx';
import { texts } from './texts.ts';

/** The frame, under the name of the merchant. Viewers see every screen, without its buttons. */
export function PortalFrame() {
  const { user, merchant } = useSession();
  return (
    <TimeZone value={merchant.timeZone}>
      <Frame
        screens={SCREENS}
        role={peopleTexts.roles[user.role]}
        palette={PALETTE}
        brand={
          <span className={classes['brand']}>
            {merchant.name}
            <span className={classes['product']}>{texts.product}</span>
          </span>
        }
        onSignedOut={() => void service.api.call(PORTAL_WHO_AM_I, {})}
      />
    </TimeZone>
  );
}
