import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from './deps.ts';
import { problemReply } from './problem-reply.ts';
import { isFault, toProblem } from './to-problem.ts';

/** Answers every error with a problem document; what only operators may read goes to the log. */
export function installErrors(app: FastifyInstance, { logger, oauth }: Pick<HttpDeps, 'logger' | 'oauth'>): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.routeOptions.bodyLimit);
    if (isFault(problem))
      logger.error({ requestId: request.id, code: problem.code, err: problem.cause ?? problem }, 'request failed');
    return reply.send(problemReply(reply, problem, oauth));
  });
}
