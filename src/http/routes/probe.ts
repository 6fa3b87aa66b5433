import { filesNearProbe } from '../../files/near-inputs.ts';
import type { PROBE_OPERATIONS } from '../../wire/operations/probe.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import type { Handlers } from './handler.ts';

export const probeHandlers = ({ probes, files }: HttpDeps): Handlers<typeof PROBE_OPERATIONS> => ({
  probeFile: (request, reply) => {
    const [caller, { body }] = [callerOf(request), request];
    return probes.probe(caller, body, hangUpSignal(reply)).catch(async (error: unknown) => {
      throw await filesNearProbe(error, body.input, { caller, files });
    });
  },
});
