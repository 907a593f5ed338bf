import { reloadOnceForNewBuild, SessionGate, WebApp } from '@munshi/web-ui';
import '@munshi/web-ui/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { PortalFrame } from './frame.tsx';
import { service } from './service.ts';
import { SIGN_IN_FACE } from './session.tsx';

reloadOnceForNewBuild();

const root = document.getElementById('root') as HTMLElement;
createRoot(root).render(
  <StrictMode>
    <WebApp service={service}>
      <Router base={service.base}>
        <SessionGate face={SIGN_IN_FACE}>
          <PortalFrame />
        </SessionGate>
      </Router>
    </WebApp>
  </StrictMode>,
);
