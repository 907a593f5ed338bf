import { OPEN_EVIDENCE } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { openEvidence } from '../../services/evidence.ts';
import { bindFile } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { sendPicture } from '../pictures.ts';
import { callerOf } from './access.ts';

/** Pictures that members have handed in. The order's detail lists them. */
export function evidenceRoutes(app: FastifyInstance, deps: Deps): void {
  bindFile(app, OPEN_EVIDENCE, async (request, reply) =>
    sendPicture(reply, await openEvidence(deps, callerOf(request), request.params)),
  );
}
