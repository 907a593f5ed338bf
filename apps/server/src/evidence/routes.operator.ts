import { OPEN_EVIDENCE } from '@munshi/api';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bindFile } from '../platform/http/bind.ts';
import { sendPicture } from '../platform/http/pictures.ts';
import { openEvidence } from './service.ts';

/** Pictures that members have handed in. The order's detail lists them. */
export function evidenceRoutes(face: OperatorFace, deps: Deps): void {
  bindFile(face, OPEN_EVIDENCE, async (request, caller, reply) =>
    sendPicture(reply, await openEvidence(deps, caller, request.params)),
  );
}
