import './older-browsers.ts';
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
import { reloadWhenServed } from '@munshi/web/reload';
import { App, WithoutTexts } from './app.tsx';
import { speak, usualLanguage } from './language.ts';
import { lookAtSession } from './session.ts';
import { applyTheme } from './theme.ts';
import { keepShell } from './updates.ts';

applyTheme();
const root = document.getElementById('root') as HTMLElement;
const language = usualLanguage();

async function start(): Promise<void> {
  const session = lookAtSession();
  try {
    await speak(language);
    render(<App />, root);
  } catch {
    render(<WithoutTexts language={language} />, root);
    reloadWhenServed({ onBroken() {} });
  }
  await session;
  if (import.meta.env.PROD) void keepShell();
}
// Old browsers know no `await` outside of a function.
void start();
