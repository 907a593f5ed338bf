import { OPEN_EVIDENCE } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bindFile } from '../platform/http/bind.ts';
import { sendPicture } from '../platform/http/pictures.ts';
import { openEvidence } from './service.ts';

/** Pictures that members have handed in. The order's detail lists them. */
export function evidenceRoutes(app: FastifyInstance, deps: Deps): void {
  bindFile(app, OPEN_EVIDENCE, async (request, reply) =>
    sendPicture(reply, await openEvidence(deps, callerOf(request), request.params)),
  );
}
