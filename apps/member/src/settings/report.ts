import { MEMBER_READ_PUSH } from '@munshi/api';
import { soundAllowed } from '../alarm/sound.ts';
import { openSteps, permission, standing } from '../alerts/standing.ts';
import { language } from '../language.ts';
import { waiting } from '../outbox/actions.ts';
import { api, clock } from '../service.ts';
import { session } from '../session.ts';
import { hasUpdate } from '../updates.ts';
import { live, me, online, orders } from '../work/known.ts';

declare const __VERSION__: string;

/** `0.1.0 (AbC12dE3)`: the release, and the build that this page is of. */
export function version(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';
  const [, build] = /-([\w-]+)\.js$/.exec(script) ?? [];
  return build === undefined ? __VERSION__ : `${__VERSION__} (${build})`;
}

/**
 * How this phone stands, in English, for the person who helps. Nothing of customers, amounts or
 * accounts is in it, so that it can be sent by any messenger.
 */
export async function supportReport(): Promise<string> {
  const push = await api.call(MEMBER_READ_PUSH, {}).catch(() => undefined);
  const phone = push?.ok ? push.answer.data.phones.find(({ current }) => current) : undefined;
  const { value } = session;
  const lines: readonly (readonly [string, unknown])[] = [
    ['Munshi member app', version()],
    ['Member', value.is === 'signed in' ? value.member.username : '–'],
    ['Time of the service', new Date(clock.now()).toISOString()],
    ['Phone is ahead by', `${Math.round((Date.now() - clock.now()) / 1000)} s`],
    ['Time zone', Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['Browser', navigator.userAgent],
    ['Language', `${language.value}, the phone’s: ${navigator.languages.join(' ')}`],
    ['Screen', `${innerWidth} × ${innerHeight}`],
    ['Presence', me.value === null ? '–' : me.value.online ? 'online' : 'offline'],
    ['Orders in hand', orders.value.length],
    ['Network', online.value ? 'there' : 'away'],
    ['Live', live.value.live ? 'yes' : 'no'],
    ['Not sent', waiting.value.map(({ state }) => state).join(', ') || 'nothing'],
    ['Alerts to set up', openSteps.value.join(', ') || 'none'],
    ['Notifications', permission.value],
    ['Pushed to', phone?.service ?? (standing.value.endpoint === null ? 'nothing' : 'not known')],
    ['Last push', phone?.lastSentAt ?? '–'],
    ['Error of the last push', phone?.lastError ?? 'none'],
    ['Test seen after', phone?.testSeenAfterMs ? `${phone.testSeenAfterMs} ms` : '–'],
    ['Sound', soundAllowed.value ? 'allowed' : 'not yet allowed'],
    ['Kept on the phone', navigator.serviceWorker?.controller ? 'yes' : 'no'],
    ['Newer version', hasUpdate() ? 'ready' : 'none'],
  ];
  return lines.map(([name, shown]) => `${name}: ${shown}`).join('\n');
}
