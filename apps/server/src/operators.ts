import { hash, randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Instant } from '@munshi/core';
import { uuidV7 } from './engine/ids.ts';
import { hashPassword } from './passwords.ts';
import { insertAudit } from './storage/audit.ts';
import { type Database, inTransaction } from './storage/db.ts';
import { insertOperator } from './storage/operators.ts';
import { DAY_MS, insertSession, type OperatorRole, TOKEN_DAYS } from './storage/sessions.ts';

interface NewOperator {
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
  /** Undefined: the operator has no password and works by script token alone. */
  readonly password?: string;
}

/** Whoever may run commands on the server: in the audit log without a name of their own. */
export const COMMAND_LINE = {
  kind: 'operator',
  id: 'server',
  name: 'the command line',
  address: 'local',
} as const;

/**
 * Creates an operator with a script token (`op_…`), which is shown this once: only its hash is
 * stored.
 */
export async function createOperator(
  { pool }: Database,
  operator: NewOperator,
  now: Instant,
): Promise<{ readonly token: string }> {
  const { username, name, role, password } = operator;
  const operatorId = randomUUID();
  const token = `op_${randomBytes(24).toString('base64url')}`;
  const passwordHash = password === undefined ? null : await hashPassword(password);
  await inTransaction(pool, async (client) => {
    await insertOperator(client, {
      operatorId,
      username,
      name,
      role,
      passwordHash,
      createdAt: now,
    });
    const session = {
      sessionId: uuidV7(now),
      tokenHash: hash('sha256', token),
      kind: 'operator-token',
      principalId: operatorId,
      csrfToken: null,
      name: username,
    } as const;
    await insertSession(client, {
      ...session,
      createdAt: now,
      expiresAt: now + TOKEN_DAYS * DAY_MS,
    });
    const detail = { username, role, token: true, systemUser: systemUser() };
    await insertAudit(client, {
      auditId: uuidV7(now),
      actor: COMMAND_LINE,
      action: 'operator.create',
      target: operatorId,
      detail,
      at: now,
    });
  });
  return { token };
}

/**
 * Who runs this process, by name, or by number where the system has no name for them, as in many
 * containers.
 */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
