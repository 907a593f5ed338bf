import type { PortalRole } from '@munshi/core';
import type { BrowserContext } from 'playwright-core';
import { codeAt, nextCode } from './authenticator.ts';
import { DESK } from './console.ts';
import type { TestMerchant } from './fixtures.ts';
import { createPortalUser, PORTAL_PASSWORD } from './portal.ts';
import type { Service } from './service.ts';
import { sharedBrowser } from './shared-browser.ts';
import { type AppWindow, buildStale, type Cookies, openApp, signInByCookie } from './web-app.ts';

/** The portal of a service in a real browser. */
export interface TestPortal {
  /**
   * Opens a window of its own, signed in as one of this merchant's people (one for each role), at
   * this path below /portal. `role: null`: nobody is signed in.
   */
  open(options: OpenOptions): Promise<AppWindow>;
  /** Whom `open` signs in. */
  user(merchant: Whose, role: PortalRole): Promise<PortalUser>;
}

type Whose = Pick<TestMerchant, 'merchantId'>;
interface PortalUser {
  readonly username: string;
  readonly password: string;
}
interface OpenOptions {
  readonly merchant: Whose;
  readonly role?: PortalRole | null;
  readonly path?: string;
}

/** Builds the portal where its sources are newer. To be called at the top level of a test file. */
export async function openPortal(service: Service): Promise<TestPortal> {
  /** Cookies of each user: sign-ins are counted, and one is enough. */
  const signedIn = new Map<string, Cookies>();
  const users = new Map<string, Promise<PortalUser>>();
  const [browser] = await Promise.all([sharedBrowser(), buildStale()]);
  const user = (merchant: Whose, role: PortalRole) => {
    const key = `${merchant.merchantId} ${role}`;
    const made = async () => {
      const { username } = await createPortalUser(service, merchant, role);
      return { username, password: PORTAL_PASSWORD };
    };
    const known = users.get(key) ?? made();
    users.set(key, known);
    return known;
  };
  return {
    user,
    async open({ merchant, role = 'admin', path = '/' }) {
      const context = await browser.newContext({ ...DESK, permissions: [...DESK.permissions] });
      if (role !== null) {
        const url = `${service.url}/api/portal/session`;
        await signInByCookie(context, url, await user(merchant, role), signedIn);
      }
      return openApp(context, service, `/portal${path}`);
    },
  };
}

/** Turns codes on for the person signed in here, and answers what makes the present one. */
export async function codesInBrowser(
  service: Service,
  { request }: BrowserContext,
): Promise<() => string> {
  const face = `${service.url}/api/portal`;
  const { csrfToken } = (await (await request.get(`${face}/session`)).json()).data;
  const post = async (path: string, data: object) =>
    (await request.post(`${face}${path}`, { data, headers: { 'X-CSRF-Token': csrfToken } })).json();
  const { data } = await post('/one-time-code', { currentPassword: PORTAL_PASSWORD });
  const code = () => codeAt(data.secret, service.app.deps.clock.now());
  await post('/one-time-code/confirm', { oneTimeCode: code() });
  await nextCode(service);
  return code;
}
