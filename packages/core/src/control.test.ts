import { expect, test } from 'vitest';
import { type CredentialEntry, controllersOf } from './control.ts';

const by = (id: string, action: CredentialEntry['action'], detail = {}): CredentialEntry => ({
  action,
  actor: { id },
  detail,
});
const made = by('a', 'member.create');
const used = by('member', 'member.recover');

test.each<[what: string, entries: readonly CredentialEntry[], controllers: readonly string[]]>([
  ['whom the command line has made, nobody', [], []],
  ['whoever made them', [made], ['a']],
  [
    'whoever set their password',
    [made, by('b', 'member.identity', { fields: 'password' })],
    ['a', 'b'],
  ],
  [
    'whoever asked for a password that somebody else approved',
    [by('b', 'member.identity', { fields: 'name, password', requestedBy: 'c' })],
    ['c'],
  ],
  [
    'not who only renamed them',
    [made, by('b', 'member.identity', { fields: 'name, username' })],
    ['a'],
  ],
  ['a link that nobody has used changes nothing', [made, by('b', 'member.recovery-link')], ['a']],
  ['a used link of somebody else ends it', [made, by('b', 'member.recovery-link'), used], ['b']],
  ['a used link of one’s own does not', [made, by('a', 'member.recovery-link'), used], ['a']],
  [
    'the newest link counts',
    [made, by('b', 'member.recovery-link'), by('a', 'member.recovery-link'), used],
    ['a'],
  ],
])('%s', (_what, entries, controllers) => {
  expect([...controllersOf(entries)]).toEqual(controllers);
});
