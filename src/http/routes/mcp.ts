import type { FastifyInstance } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { llmConversionBody } from '../../wire/conversion.ts';
import { isJsonRpc } from '../../wire/json-rpc.ts';
import { submitQuery } from '../../wire/queries.ts';
import type { HttpDeps } from '../deps.ts';
import { type SubmitRoute, submit } from '../submission.ts';
import type { SubmissionGuard } from '../submission-guard.ts';

/** The plain contract for language models: the body of a conversion, with `llmId`. */
export function addMcp(app: FastifyInstance, deps: HttpDeps, guard: SubmissionGuard): void {
  app.post<SubmitRoute>(
    '/mcp',
    {
      schema: { body: llmConversionBody, querystring: submitQuery },
      onRequest: [...guard],
      preValidation: (request, _reply, done) =>
        done(
          isJsonRpc(request.body)
            ? new Problem(
                'NOT_IMPLEMENTED',
                'JSON-RPC is not spoken here yet. Send the conversion itself: {"llmId": …, "input": …, "output": …}.',
              )
            : undefined,
        ),
    },
    (request, reply) => submit(deps.jobs, request, reply),
  );
}
