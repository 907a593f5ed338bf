import { WebApp } from '@munshi/web-ui';
import '@munshi/web-ui/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Router, Switch } from 'wouter';
import { Frame } from './frame.tsx';
import { Recover } from './recovery/recover.tsx';
import { BASE, service } from './service.ts';
import { SessionGate } from './session.tsx';

// A new build has replaced the one that this page is of: its chunks are gone. Once only, so that a
// chunk that is broken does not reload for ever.
addEventListener('vite:preloadError', (event) => {
  const reloadedAt = Number(sessionStorage.getItem('munshi-reloaded') ?? 0);
  if (Date.now() - reloadedAt < 60_000) return;
  event.preventDefault();
  sessionStorage.setItem('munshi-reloaded', String(Date.now()));
  location.reload();
});

const root = document.getElementById('root') as HTMLElement;
createRoot(root).render(
  <StrictMode>
    <WebApp service={service}>
      <Router base={BASE}>
        <Switch>
          <Route path="/recover">
            <Recover />
          </Route>
          <Route>
            <SessionGate>
              <Frame />
            </SessionGate>
          </Route>
        </Switch>
      </Router>
    </WebApp>
  </StrictMode>,
);
