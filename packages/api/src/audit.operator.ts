import { NOTICE_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  csvFile,
  dataOf,
  enumOf,
  listOf,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE,
  strictObject,
  time,
} from './contract/operator.ts';

/** The audit log, and the chain of hashes over it. */

const { endpoint } = operator('Audit log');

export type AuditView = Shown<typeof AuditView>;
const AuditView = namedObject('AuditEntry', {
  auditId: Type.String(),
  at: time,
  actor: Type.Object({
    kind: Type.String(),
    id: orNull(Type.String()),
    name: orNull(Type.String()),
    address: orNull(Type.String()),
  }),
  action: Type.String(),
  target: Type.String(),
  isAsked: Type.Boolean({
    description: 'It was only asked for, and a second operator decides: a wallet’s adjustment.',
  }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'How the merchants, people, orders and keys are called whose ids are in it.',
  }),
  detail: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Each changed field comes with its former value, as `…Before`.',
  }),
});

export type NoticeView = Shown<typeof NoticeView>;
const NoticeView = namedObject('Notice', {
  auditId: Type.String({ description: 'Of its entry in the audit log.' }),
  at: time,
  name: Type.String({ description: 'Who did it.' }),
  action: enumOf(NOTICE_ACTIONS, 'settings.update: fewer days of evidence.'),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'As in the entry.' }),
});
export const READ_NOTICES = endpoint('GET /notices', {
  summary: 'What other admins have decided alone',
  needs: 'administer',
  description: 'Changes of alert channels and fewer days of evidence, of the last 72 hours.',
  answer: dataOf(
    Type.Object({ notices: Type.Array(NoticeView) }),
    'At most 20, the newest first. Not what the caller has done.',
  ),
});

const FILTERS = {
  actor: optional(
    Type.String({
      maxLength: 200,
      description:
        'Who: an id, or part of the name or username of an operator, a member or a merchant’s person, in any case.',
    }),
  ),
  actorId: optional(Type.String({ maxLength: 100, description: 'The same by the id alone.' })),
  action: optional(Type.String({ maxLength: 100 })),
  target: optional(
    Type.String({
      maxLength: 200,
      description:
        'What was acted on: its id, part of the name of a person or merchant in any case, or an order’s reference.',
    }),
  ),
  address: optional(Type.String({ maxLength: 100, description: 'From where.' })),
  from: optional(
    Type.String({ maxLength: 40, description: 'Written at this time or later, ISO 8601.' }),
  ),
  to: optional(Type.String({ maxLength: 40, description: 'Written before this time, ISO 8601.' })),
};

export const LIST_AUDIT = endpoint('GET /audit-log', {
  summary: 'Who did what, when, from where',
  needs: 'read',
  querystring: strictObject({ ...FILTERS, ...PAGE }),
  answer: listOf(AuditView, 'Entries, the newest first.'),
});

export const EXPORT_AUDIT = endpoint('GET /audit-log.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  querystring: strictObject(FILTERS),
  answer: csvFile('The newest first.'),
});

const AuditChainView = namedObject('AuditChain', {
  state: enumOf(
    ['sound', 'broken', 'late'],
    'late: entries have waited for more than five minutes to be linked; is no process with the role worker running?',
  ),
  entries: Type.Integer({ description: 'Entries that are linked.' }),
  head: Type.String({
    description:
      'The last hash, in hex. Kept elsewhere together with `entries`, it proves later that nothing was cut off.',
  }),
  waiting: Type.Integer({ description: 'Entries that are not linked yet.' }),
  broken: orNull(
    Type.Object(
      {
        auditId: Type.String(),
        position: orNull(Type.Integer()),
        problem: enumOf(
          ['changed', 'removed', 'gap', 'unlinked'],
          'changed: the entry or its link is not what it was. removed: the entry is gone. gap: links before it are gone. unlinked: the entry came past the chain.',
        ),
        soundUntil: orNull({ ...time, description: 'When the last entry before it was written.' }),
      },
      { description: 'The first entry with which the chain does not hold.' },
    ),
  ),
  checkedAt: orNull({ ...time, description: 'When all of it was checked last.' }),
});
export const READ_AUDIT_CHAIN = endpoint('GET /audit-log/chain', {
  summary: 'Whether the audit log is as it was written',
  needs: 'read',
  description:
    'Each entry is linked to the one before by a hash, some seconds after it was written. All links are checked again and again; `munshi verify` checks them all at once.',
  answer: dataOf(AuditChainView, 'What the checks have found.'),
});
