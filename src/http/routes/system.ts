import type { FastifyInstance } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { type HealthView, readyView } from '../../wire/system.ts';
import type { HttpDeps } from '../deps.ts';

/** Needs no token: load balancers and orchestrators ask. */
export function addSystem(app: FastifyInstance, { health }: HttpDeps): void {
  app.get('/health', async (): Promise<HealthView> => {
    return { status: 'ok', version: health.version, uptimeSeconds: health.uptimeSeconds() };
  });

  app.get('/ready', async (_request, reply) => {
    const checks = await health.ready().catch((cause: unknown) => {
      throw new Problem('UNAVAILABLE', 'The checks themselves failed; the log says why.', { cause });
    });
    const view = readyView(checks);
    reply.code(view.status === 'ready' ? 200 : 503);
    return view;
  });
}
