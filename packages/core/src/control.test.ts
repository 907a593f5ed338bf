import { describe, expect, test } from 'vitest';
import {
  areIndependent,
  type CredentialEntry,
  controlFrom,
  refuseControlledAdmins,
} from './control.ts';

/** `a` acts on `m`, unless it says something else. */
const by = (
  id: string,
  action: CredentialEntry['action'],
  detail: CredentialEntry['detail'] = {},
  target = 'm',
): CredentialEntry => ({ action, actor: { id }, at: 1, detail, target });
const on = (target: string, id: string, action: CredentialEntry['action']) =>
  by(id, action, {}, target);
const made = by('a', 'member.create');
const used = by('m', 'member.recover');
const password = { fields: 'password' };

test.each<[what: string, entries: readonly CredentialEntry[], holders: readonly string[]]>([
  ['of whom the command line made, nobody', [by('server', 'operator.create')], []],
  ['the operator who made them', [made], ['a']],
  ['the operator who set their password', [made, by('b', 'member.identity', password)], ['a', 'b']],
  [
    'the operator who asked for a password that another one approved',
    [by('b', 'member.identity', { fields: 'name, password', requestedBy: 'c' })],
    ['c'],
  ],
  ['not who only renamed them', [made, by('b', 'member.identity', { fields: 'name' })], ['a']],
  ['not themselves, by a password of their own', [by('m', 'operator.update', password)], []],
  ['a link that nobody has used changes nothing', [made, by('b', 'member.recovery-link')], ['a']],
  ['a used link of another operator ends it', [made, by('b', 'member.recovery-link'), used], ['b']],
  ['a used link of one’s own does not', [made, by('a', 'member.recovery-link'), used], ['a']],
  [
    'the newest link counts',
    [made, by('b', 'member.recovery-link'), by('a', 'member.recovery-link'), used],
    ['a'],
  ],
  [
    'a used link of the command line ends all of it',
    [
      by('a', 'operator.create'),
      by('server', 'operator.recovery-link'),
      by('m', 'operator.recover'),
    ],
    [],
  ],
  [
    'a used link of whom the controller controls ends nothing',
    [on('b', 'a', 'operator.create'), made, by('b', 'member.recovery-link'), used],
    ['a', 'b'],
  ],
  [
    'who controls the controller',
    [on('b', 'a', 'operator.create'), by('b', 'member.create')],
    ['b', 'a'],
  ],
  ['the operator who fetched a token of theirs', [by('a', 'operator.token')], ['a']],
  ['not who made a token of their own', [by('m', 'operator.token')], []],
  [
    'the operator who removed their one-time codes',
    [by('a', 'operator.one-time-code-remove')],
    ['a'],
  ],
  ['who invited somebody to a portal', [by('a', 'portal-user.invite')], ['a']],
  [
    'who invited them, once they have accepted too',
    [by('a', 'portal-user.invite'), by('m', 'portal-user.accept')],
    ['a'],
  ],
  [
    'who made the new invitation that was accepted',
    [
      by('a', 'portal-user.invite'),
      by('b', 'portal-user.invitation'),
      by('m', 'portal-user.accept'),
    ],
    ['b'],
  ],
  [
    'who had their links mailed to an address of theirs, by a link that another one made',
    [
      by('c', 'portal-user.create'),
      by('a', 'portal-user.update', { fields: 'name, email' }),
      by('b', 'portal-user.recovery-link'),
      by('m', 'portal-user.recover'),
    ],
    ['a', 'b'],
  ],
  [
    'who controlled them when they said themselves where links are mailed',
    [
      by('a', 'portal-user.create'),
      by('m', 'portal-user.update', { fields: 'email' }),
      by('b', 'portal-user.recovery-link'),
      by('m', 'portal-user.recover'),
    ],
    ['a', 'b'],
  ],
  [
    'not who did so after the link was made',
    [
      by('b', 'portal-user.recovery-link'),
      by('a', 'portal-user.update', { fields: 'email' }),
      by('m', 'portal-user.recover'),
    ],
    ['b'],
  ],
])('%s', (_what, entries, holders) => {
  expect([...controlFrom(entries).holdersOf('m')].toSorted()).toEqual([...holders, 'm'].toSorted());
});

describe('two people are independent', () => {
  const control = controlFrom([
    on('b', 'a', 'operator.create'),
    on('c', 'a', 'operator.create'),
    on('d', 'server', 'operator.create'),
    on('e', 'b', 'operator.create'),
  ]);
  test.each([
    ['a', 'a', false],
    ['a', 'b', false],
    ['b', 'a', false],
    ['b', 'c', false],
    ['a', 'e', false],
    ['e', 'c', false],
    ['a', 'd', true],
    ['e', 'd', true],
    ['d', 'somebody unknown', true],
  ])('%s and %s: %s', (one, other, independent) => {
    expect(areIndependent(control, one, other)).toBe(independent);
  });
});

test.each([
  ['nobody could issue keys yet', [], true],
  ['others let all of them in', ['c', 'd'], true],
  ['they let one of them in', ['d', 'b'], false],
] as const)('own keys of a merchant are approved where %s', (_, admins, approved) => {
  const control = controlFrom([on('b', 'a', 'portal-user.create')]);
  expect(refuseControlledAdmins(control, admins, { id: 'a' }) === undefined).toBe(approved);
});
