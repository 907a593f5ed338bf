import { Addresses } from './addresses.tsx';
import { Alerts } from './alerts.tsx';
import { Details } from './details.tsx';
import { Fees } from './fees.tsx';
import { Keys } from './keys.tsx';
import { Methods } from './methods.tsx';
import { Part } from './part.tsx';
import { PaymentPage } from './payment-page.tsx';
import { PortalPeople } from './people.tsx';
import type { TabProps } from './shown.ts';

/** Tabs of several parts: what belongs together. */

/** What its orders may be, and what they cost. */
export const MethodsTab = (of: TabProps) => (
  <>
    <Part id="methods" title="Methods and currencies">
      <Methods {...of} />
    </Part>
    <Part id="fees" title="Fees">
      <Fees {...of} />
    </Part>
  </>
);

/** Who gets in, with what and from where. */
export const AccessTab = (of: TabProps) => (
  <>
    <Part id="keys" title="Keys">
      <Keys {...of} />
    </Part>
    <Part id="addresses" title="IP addresses">
      <Addresses {...of} />
    </Part>
    <Part id="people" title="Portal">
      <PortalPeople {...of} />
    </Part>
  </>
);

export const SettingsTab = (of: TabProps) => (
  <>
    <Part id="details" title="Details">
      <Details {...of} />
    </Part>
    <Part id="page" title="Payment page">
      <PaymentPage {...of} />
    </Part>
    <Part id="alerts" title="Alerts">
      <Alerts {...of} />
    </Part>
  </>
);
