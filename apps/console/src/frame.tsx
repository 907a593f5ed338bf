import { WHO_AM_I } from '@munshi/api';
import { Frame } from '@munshi/web-ui';
import { ApproversAlarm } from './approvers-alarm.tsx';
import { AuditAlarm } from './audit-alarm.tsx';
import { MenuQueues } from './menu-queues.tsx';
import { NoticesBar } from './notices-bar.tsx';
import { ROLES } from './pages/operators/names.ts';
import { PALETTE } from './palette/source.ts';
import { SandboxBar } from './sandbox-bar.tsx';
import { screensOf } from './screens.ts';
import { service } from './service.ts';
import { may, useSession } from './session.tsx';

/** The frame with what only operators see around their screens. */
export function ConsoleFrame() {
  const { operator } = useSession();
  return (
    <Frame
      screens={screensOf(operator)}
      role={ROLES[operator.role]}
      palette={PALETTE}
      aboveMenu={<MenuQueues />}
      bars={
        <>
          <SandboxBar />
          <ApproversAlarm />
          {may(operator, 'administer') ? (
            <>
              <AuditAlarm />
              <NoticesBar />
            </>
          ) : null}
        </>
      }
      onSignedOut={() => void service.api.call(WHO_AM_I, {})}
    />
  );
}
