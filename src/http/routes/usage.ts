import type { USAGE_OPERATIONS } from '../../wire/operations/usage.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const usageHandlers = ({ jobs }: HttpDeps): Handlers<typeof USAGE_OPERATIONS> => ({
  getUsage: async (request) => {
    const { clientId, day, resetsAt, slots, quotas } = await jobs.usage(callerOf(request), request.query.client);
    return { client: clientId, day, resetsAt, slots, quotas: [...quotas] };
  },
});
