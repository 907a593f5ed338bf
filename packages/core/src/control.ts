import type { AuditAction } from './audit-action.ts';
import { type AuditEntry, type Objection, refuse } from './decision.ts';
import type { Instant } from './order.ts';

/**
 * Who controls whom. A person who made another, or gave them a password, a link or a token, can act
 * in their name: what that person does counts as theirs too (security.md#two-operators). It is read
 * from the audit log, which is written with every such act.
 */

/** The machine's owner, by the command line: controls nobody. */
export const MACHINE_OWNER = 'server';

/** What an act does to the control of its target. */
type Effect =
  /** The asker can act as the target from now on. */
  | 'gives'
  /** The same, where a password is among the changed fields. */
  | 'gives-password'
  /** Later links are mailed where the asker says, if an e-mail address is among them. */
  | 'gets-links'
  /** The link can be used, by its maker or by the target. */
  | 'makes-link'
  /**
   * From now on only the maker of the newest link, or who gets it by mail, can know how the target
   * signs in.
   */
  | 'uses-link';

const ACTS = {
  operator: {
    'operator.create': ['gives'],
    'operator.update': ['gives-password'],
    'operator.token': ['gives'],
    'operator.one-time-code-remove': ['gives'],
    'operator.recovery-link': ['makes-link'],
    'operator.recover': ['uses-link'],
  },
  member: {
    'member.create': ['gives'],
    'member.identity': ['gives-password'],
    'member.recovery-link': ['makes-link'],
    'member.recover': ['uses-link'],
  },
  portal: {
    'portal-user.create': ['gives'],
    'portal-user.update': ['gives-password', 'gets-links'],
    'portal-user.invite': ['gives', 'makes-link'],
    'portal-user.invitation': ['makes-link'],
    'portal-user.recovery-link': ['makes-link'],
    'portal-user.accept': ['uses-link'],
    'portal-user.recover': ['uses-link'],
  },
} as const satisfies Record<string, Partial<Record<AuditAction, readonly Effect[]>>>;

const EFFECTS: Partial<Record<AuditAction, readonly Effect[]>> = {
  ...ACTS.operator,
  ...ACTS.member,
  ...ACTS.portal,
};

/** What the audit log says about how anybody signs in. */
export const CREDENTIAL_ACTIONS = Object.keys(EFFECTS) as readonly AuditAction[];
/** The same about operators: control of others may go through them. */
export const OPERATOR_CREDENTIAL_ACTIONS = Object.keys(ACTS.operator) as readonly AuditAction[];

export type CredentialEntry = Pick<AuditEntry, 'action' | 'at' | 'detail' | 'target'> & {
  readonly actor: { readonly id: string | null };
};

/** The one who asked for an act that another operator approved, or else the one who did it. */
export const askerOf = ({ actor, detail }: Pick<CredentialEntry, 'actor' | 'detail'>): string =>
  String(detail['requestedBy'] ?? actor.id);

export interface Control {
  /** Everybody who can act in a person's name: themselves, who controls them, and so on. */
  holdersOf(id: string): ReadonlySet<string>;
  /** When they were last given a way to sign in by another, or used a link; 0: never. */
  givenAt(id: string): Instant;
}

/**
 * Who controls whom by these entries, from the oldest on: those of the people who are asked about,
 * and all of operators. Control never ends by time. It ends where a link is used that came from
 * somebody whom the controller does not control.
 */
export function controlFrom(entries: Iterable<CredentialEntry>): Control {
  const controllers = new Map<string, ReadonlySet<string>>();
  const mailboxes = new Map<string, string>();
  const links = new Map<string, readonly string[]>();
  const given = new Map<string, Instant>();
  const directly = (id: string) => controllers.get(id) ?? NOBODY;
  const holdersOf = (id: string): ReadonlySet<string> => {
    const holders = new Set([id]);
    for (const holder of holders) for (const by of directly(holder)) holders.add(by);
    return holders;
  };
  for (const entry of entries) {
    const { target } = entry;
    const by = askerOf(entry);
    for (const effect of EFFECTS[entry.action] ?? []) {
      if (givesAnew(effect, by, entry)) given.set(target, entry.at);
      if (effect === 'makes-link') links.set(target, [by, mailboxes.get(target) ?? by]);
      else if (effect === 'gets-links') {
        if (changes('email', entry.detail)) mailboxes.set(target, by);
      } else if (effect === 'uses-link') {
        const makers = links.get(target);
        if (makers === undefined) continue;
        const holders = new Set(makers.flatMap((maker) => [...holdersOf(maker)]));
        const kept = [...directly(target)].filter((controller) => holders.has(controller));
        controllers.set(
          target,
          new Set([...kept, ...makers].filter((id) => id !== MACHINE_OWNER && id !== target)),
        );
      } else if (
        by !== target &&
        by !== MACHINE_OWNER &&
        (effect === 'gives' || changes('password', entry.detail))
      )
        controllers.set(target, new Set([...directly(target), by]));
    }
  }
  return { holdersOf, givenAt: (id) => given.get(id) ?? 0 };
}

/** Whether after this act somebody signs in, or could, by what another has given them. */
function givesAnew(effect: Effect, by: string, { target, detail }: CredentialEntry): boolean {
  if (effect === 'uses-link') return true;
  if (effect === 'gives-password' && !changes('password', detail)) return false;
  if (effect === 'gets-links' && !changes('email', detail)) return false;
  return by !== target;
}

const NOBODY: ReadonlySet<string> = new Set();

const changes = (field: string, { fields }: AuditEntry['detail']): boolean =>
  String(fields).split(', ').includes(field);

/** Whether nobody can act in the name of both. */
export function areIndependent(control: Control, one: string, other: string): boolean {
  const holders = control.holdersOf(one);
  return [...control.holdersOf(other)].every((id) => !holders.has(id));
}

/** What is about a member is not approved by a person who controls them. */
export const refuseControlled = (
  control: Control,
  memberId: string,
  who: { readonly id: string },
): Objection =>
  areIndependent(control, memberId, who.id)
    ? undefined
    : refuse(
        'second-operator',
        'You made this member, or a password or link of theirs: another operator approves what is about them.',
      );

/**
 * That a merchant issues its own keys is not approved by a person who controls one of its admins.
 */
export const refuseControlledAdmins = (
  control: Control,
  admins: readonly string[],
  who: { readonly id: string },
): Objection =>
  admins.every((admin) => areIndependent(control, admin, who.id))
    ? undefined
    : refuse(
        'second-operator',
        'You let in one of the people who could issue keys: ask for it yourself, and another operator approves it.',
      );

/**
 * Nobody agrees to what they have asked for in the name of another. In one’s own: refuseApproval.
 */
export const refuseDependent = (
  control: Control,
  asker: string,
  who: { readonly id: string },
): Objection =>
  asker === who.id || areIndependent(control, asker, who.id)
    ? undefined
    : refuse(
        'second-operator',
        'You are not independent of who asked: one of you has made the other or given them a way to sign in, or somebody has done so for both. Another operator must approve it.',
      );

/** Those of these who are independent of one. */
export const independentOf = (
  { admins, control }: Admins,
  one: { readonly id: string },
): readonly string[] => admins.filter((id) => areIndependent(control, id, one.id));

/** The active admins, by their ids, and who controls whom. */
export interface Admins {
  readonly admins: readonly string[];
  readonly control: Control;
}

/** Whether one of them can be the second operator of another. */
export const hasTwoIndependent = (all: Admins): boolean =>
  all.admins.some((id) => independentOf(all, { id }).length > 0);
