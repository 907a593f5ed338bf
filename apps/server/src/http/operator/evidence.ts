import { OPEN_EVIDENCE } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { openEvidence } from '../../services/evidence.ts';
import type { RequestTo } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { sendPicture } from '../pictures.ts';
import { callerOf } from './access.ts';

/** Pictures that members have handed in. The order's detail lists them. */
export function evidenceRoutes(app: FastifyInstance, deps: Deps): void {
  app.route({
    method: OPEN_EVIDENCE.method,
    url: OPEN_EVIDENCE.path,
    schema: OPEN_EVIDENCE as object,
    handler: async (request, reply) => {
      const { params } = request as RequestTo<typeof OPEN_EVIDENCE>;
      return sendPicture(reply, await openEvidence(deps, callerOf(request), params));
    },
  });
}
