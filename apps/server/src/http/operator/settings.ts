import {
  ADVANCE_CLOCK,
  type AdvanceClock,
  CHANGE_SETTINGS,
  type ChangeSettings,
  READ_SETTINGS,
} from '@munshi/api';
import { formatMoney, METHODS, type Money, WALLET_TYPES } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { NoWorkerError } from '../../clock.ts';
import { insertAudit } from '../../storage/audit-log.ts';
import {
  lockPlatformSettings,
  type PlatformSettings,
  readPlatformSettings,
  updatePlatformSettings,
} from '../../storage/settings.ts';
import type { Deps } from '../deps.ts';
import {
  exactNumbers,
  fieldError,
  jsonMoneyOrNull,
  jsonTime,
  moneyOrZero,
  Refused,
  sendData,
} from '../json.ts';
import { actOrAsk, requireAlone } from './second-operator.ts';
import { auditEntry, namesOf, recordedWrite } from './write.ts';

const show = (settings: PlatformSettings) => ({
  ...settings,
  adjustmentApprovalLimit: jsonMoneyOrNull(settings.adjustmentApprovalLimit),
});

/**
 * Settings of the platform. The engine reads them anew with every batch; deadlines already set
 * stay.
 */
export function settingRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/settings', { schema: READ_SETTINGS }, async (_request, reply) =>
    sendData(reply, show(await readPlatformSettings(deps.database.pool))),
  );

  app.patch<{ Body: ChangeSettings }>(
    '/settings',
    { schema: CHANGE_SETTINGS },
    async (request, reply) => {
      const {
        adjustmentApprovalLimit: _,
        requireSecondOperator,
        displayNames = {},
        ...seconds
      } = request.body;
      const { adjustmentApprovalLimit } = exactNumbers(request, {
        adjustmentApprovalLimit: moneyOrZero,
      });
      checkNames('methods', displayNames.methods, WALLET_TYPES);
      checkNames('providers', displayNames.providers, PROVIDERS);
      const before = await readPlatformSettings(deps.database.pool);
      if (weakens(before, adjustmentApprovalLimit, requireSecondOperator)) {
        if (
          namesOf(request.body)
            .split(', ')
            .some((name) => !FOUR_EYES.includes(name))
        )
          await requireAlone(deps.database.pool);
        else
          return actOrAsk(
            deps,
            request,
            reply,
            askedOf(before, adjustmentApprovalLimit, requireSecondOperator, deps),
          );
      }
      const settings = await recordedWrite(deps, request, async (client) => {
        const before = await lockPlatformSettings(client);
        if (weakens(before, adjustmentApprovalLimit, requireSecondOperator))
          throw new Refused(
            'wrong-state',
            'The settings have just changed. Read them, and try again.',
          );
        const result: PlatformSettings = {
          ...before,
          ...seconds,
          ...(adjustmentApprovalLimit !== undefined && { adjustmentApprovalLimit }),
          ...(requireSecondOperator !== undefined && { requireSecondOperator }),
          displayNames: { ...before.displayNames, ...displayNames },
        };
        await updatePlatformSettings(client, result);
        return {
          result,
          action: 'settings.update',
          target: 'settings',
          detail: { fields: namesOf(request.body), ...changed(before, result) },
        };
      });
      return sendData(reply, show(settings));
    },
  );
}

const FOUR_EYES = ['adjustmentApprovalLimit', 'requireSecondOperator'];

/** Whether fewer acts than before would need a second operator. */
function weakens(
  before: PlatformSettings,
  limit: Money | null | undefined,
  required: boolean | undefined,
): boolean {
  const raised =
    limit === null || (limit !== undefined && limit > (before.adjustmentApprovalLimit ?? 0n));
  return before.requireSecondOperator && (raised || required === false);
}

function askedOf(
  before: PlatformSettings,
  limit: Money | null | undefined,
  required: boolean | undefined,
  { database }: Deps,
) {
  const amount = (value: Money | null) => (value === null ? null : formatMoney(value));
  const request = {
    ...(limit !== undefined && {
      adjustmentApprovalLimit: amount(limit),
      adjustmentApprovalLimitBefore: amount(before.adjustmentApprovalLimit),
    }),
    ...(required !== undefined && {
      requireSecondOperator: required,
      requireSecondOperatorBefore: before.requireSecondOperator,
    }),
  };
  return {
    kind: 'settings',
    target: 'settings',
    request,
    waits: true,
    answered: async () => show(await readPlatformSettings(database.pool)),
  } as const;
}

const PROVIDERS = [...new Set(Object.values(METHODS).map(({ provider }) => provider))];

function checkNames(
  kind: 'methods' | 'providers',
  names: Readonly<Record<string, string>> | undefined,
  known: readonly string[],
): void {
  const unknown = Object.keys(names ?? {}).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw fieldError(`displayNames.${kind}.${unknown[0]}`, `must name one of ${known.join(', ')}.`);
}

/** New values of the plain settings, for the audit log. */
function changed(before: PlatformSettings, after: PlatformSettings): Record<string, string> {
  const plain = (settings: PlatformSettings) =>
    Object.entries(settings).filter(([, value]) => typeof value !== 'object' || value === null);
  const old = new Map(plain(before));
  return Object.fromEntries(
    plain(after).flatMap(([name, value]) =>
      old.get(name) === value ? [] : [[name, limitText(value)]],
    ),
  );
}

const limitText = (value: unknown) =>
  typeof value === 'bigint' ? formatMoney(value) : String(value);

const NO_WORKER =
  'No process with the role worker has answered within 5 seconds, and time is its work; start one with ROLES=worker or without ROLES.';

/** POST `/clock/advance`. */
export function clockRoutes(app: FastifyInstance, { advanceClock, clock, database }: Deps): void {
  app.post<{ Body: AdvanceClock }>(
    '/clock/advance',
    { schema: ADVANCE_CLOCK, config: { unhurried: true } as never },
    async (request, reply) => {
      if (advanceClock === undefined)
        throw new Refused(
          'wrong-state',
          'The clock is real: it is advanced with CLOCK=sandbox only.',
        );
      const { seconds } = request.body;
      // The advance is many transactions; who asked for it is recorded before the first.
      await insertAudit(
        database.pool,
        auditEntry(
          request.operator.actor,
          { action: 'clock.advance', target: 'clock', detail: { seconds } },
          clock.now(),
        ),
      );
      await advanceClock(seconds).catch((error: Error) => {
        throw error instanceof NoWorkerError ? new Refused('wrong-state', NO_WORKER) : error;
      });
      return sendData(reply, { now: jsonTime(clock.now()) });
    },
  );
}
