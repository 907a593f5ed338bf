import { randomUUID } from 'node:crypto';
import type { PortalRole } from '@munshi/core';
import type { TestMerchant } from './fixtures.ts';
import { type MemberClient, memberClient } from './member-client.ts';
import { operatorClient } from './operator-client.ts';
import type { Service } from './service.ts';

export const PORTAL_PASSWORD = 'a long enough password';

export interface TestPortalUser {
  readonly portalUserId: string;
  readonly username: string;
  readonly token: string;
}

/** Somebody of a merchant who has signed in. */
export async function createPortalUser(
  service: Service,
  { merchantId }: Pick<TestMerchant, 'merchantId'>,
  role: PortalRole,
): Promise<TestPortalUser> {
  const username = `portal-${randomUUID()}`;
  const body = { username, role, password: PORTAL_PASSWORD };
  const made = await operatorClient(service).post(`/merchants/${merchantId}/portal-users`, body);
  const token = await signInPortal(service, username);
  return { portalUserId: made.data.portalUserId, username, token };
}

/** Signs somebody in, and answers the token. */
export async function signInPortal(service: Service, username: string): Promise<string> {
  const who = { username, password: PORTAL_PASSWORD };
  return (await portalClient(service, '').data('POST', '/session', who)).token;
}

/** The portal face as a script with a token uses it. */
export const portalClient = (service: Service, token: string): MemberClient =>
  memberClient(service.url, token, 'portal');
