import { PORTAL_READ_RECOVERY, PORTAL_RECOVER } from '@munshi/api';
import {
  askBeforeLeaving,
  callOrThrow,
  noticeMissingCode,
  Recover,
  type RecoveryCalls,
  SessionGate,
  useAskingLocation,
  WebApp,
} from '@munshi/web-ui';
import '@munshi/web-ui/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Router, Switch } from 'wouter';
import { PortalFrame } from './frame.tsx';
import { service } from './service.ts';
import { SIGN_IN_FACE } from './session.tsx';

noticeMissingCode();
askBeforeLeaving();

const RECOVERY: RecoveryCalls = {
  read: async (token) =>
    (await callOrThrow(service.api, PORTAL_READ_RECOVERY, { body: { token } })).data,
  save: (token, newPassword) =>
    callOrThrow(service.api, PORTAL_RECOVER, { body: { token, newPassword } }),
};

const root = document.getElementById('root') as HTMLElement;
createRoot(root).render(
  <StrictMode>
    {/* Around all: notifications have links, too. */}
    <Router base={service.base} hook={useAskingLocation}>
      <WebApp service={service}>
        <Switch>
          {['/recover', '/invitation'].map((path) => (
            <Route key={path} path={path}>
              <Recover calls={RECOVERY} />
            </Route>
          ))}
          <Route>
            <SessionGate face={SIGN_IN_FACE}>
              <PortalFrame />
            </SessionGate>
          </Route>
        </Switch>
      </WebApp>
    </Router>
  </StrictMode>,
);
