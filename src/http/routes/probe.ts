import type { PROBE_OPERATIONS } from '../../wire/operations/probe.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import type { Handlers } from './handler.ts';

export const probeHandlers = ({ probes }: HttpDeps): Handlers<typeof PROBE_OPERATIONS> => ({
  probeFile: (request, reply) => probes.probe(callerOf(request), request.body, hangUpSignal(reply)),
});
