import type { FastifyRequest } from 'fastify';

/** The member as the actor of a write that is recorded. */
export const callerOf = ({ member, once, boundKey }: FastifyRequest) =>
  ({ actor: { kind: 'member', id: member.principal.memberId }, once, boundKey }) as const;
