import { render } from 'preact';
import '@munshi/web/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './session/session.css';
import './work/work.css';
import './order/order.css';
import './alarm/alarm.css';
import './styles/extremes.css';
import './alerts/install.ts';
import { App } from './app.tsx';
import { speak, usualLanguage } from './language.ts';
import { lookAtSession } from './session.ts';
import { applyTheme } from './theme.ts';
import { keepShell } from './updates.ts';

// A new build has replaced the one that this page is of: its chunks are gone. Once only, so that a
// chunk that is broken does not reload for ever.
addEventListener('vite:preloadError', (event) => {
  const reloadedAt = Number(sessionStorage.getItem('munshi-reloaded') ?? 0);
  if (Date.now() - reloadedAt < 60_000) return;
  event.preventDefault();
  sessionStorage.setItem('munshi-reloaded', String(Date.now()));
  location.reload();
});

applyTheme();
const session = lookAtSession();
await speak(usualLanguage());
render(<App />, document.getElementById('root') as HTMLElement);
await session;
if (import.meta.env.PROD) void keepShell();
