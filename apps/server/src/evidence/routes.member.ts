import { MEMBER_ADD_EVIDENCE, MEMBER_LIST_EVIDENCE, MEMBER_OPEN_EVIDENCE } from '@munshi/api';
import type { MemberOrderReader } from '../members/orders.store.ts';
import type { MemberCaller, MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind, bindFile, type RequestTo } from '../platform/http/bind.ts';
import { sendPicture } from '../platform/http/pictures.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { addEvidence, openOwnEvidence } from './service.ts';
import { listEvidenceOf } from './store.ts';

/** 1 MB in base64, and what is around it. */
const WITH_PICTURE = { bodyLimit: 1_408 * 1024 };

/** Pictures that a member hands in about orders of theirs. */
export function evidenceRoutes(
  face: MemberFace,
  deps: Deps & { readonly readers: MemberOrderReader },
): void {
  const { database, readers } = deps;

  const add = async (request: RequestTo<typeof MEMBER_ADD_EVIDENCE>, caller: MemberCaller) => {
    const { memberId } = caller.principal;
    const asked = { memberId, orderId: request.params.orderId };
    const { orderId } = found(await readers.memberOrder(asked), 'Order');
    const handedIn = { orderId, ...request.body };
    const work = await addEvidence(deps, memberId, handedIn);
    return { data: await doWrite(deps, caller, work) };
  };
  bind(face, MEMBER_ADD_EVIDENCE, add, WITH_PICTURE);

  bind(face, MEMBER_LIST_EVIDENCE, async ({ params: { orderId } }, caller) => {
    const { memberId } = caller.principal;
    found(await readers.memberOrder({ memberId, orderId }), 'Order');
    const own = await listEvidenceOf(database.pool, { orderId, memberId });
    return { data: own };
  });

  bindFile(face, MEMBER_OPEN_EVIDENCE, async ({ params }, caller, reply) => {
    const { memberId } = caller.principal;
    return sendPicture(reply, await openOwnEvidence(deps, { ...params, memberId }));
  });
}
