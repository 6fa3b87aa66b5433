import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { llmConversionBody } from '../../wire/conversion.ts';
import { submitQuery } from '../../wire/queries.ts';
import { leave } from '../admission.ts';
import { authenticate, callerOf } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';
import { exchange, isMcp, looksLikeMcp, rpcError } from '../mcp-exchange.ts';
import { type Count, counter } from '../rate-limit.ts';
import { type SubmitRoute, submit } from '../submission.ts';
import type { SubmissionGuard } from '../submission-guard.ts';

/** A model that follows a job makes some calls for each that it submits. */
const CALLS_A_SUBMISSION = 10;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/**
 * One path for two callers: the plain contract for language models (the body of a conversion, with `llmId`), and MCP.
 * Who looks like an MCP client is only counted as one before its body is read; all others stand before the same guard
 * as every submission.
 */
export function addMcp(app: FastifyInstance, deps: HttpDeps, guard: SubmissionGuard, count: Count | undefined): void {
  const { mcp: door, publicUrl, submissionsPerMinute } = deps;
  const identify = authenticate(deps.tokens);
  const countCall = counter('calls', submissionsPerMinute && submissionsPerMinute * CALLS_A_SUBMISSION);
  app.addHook('preClose', () => door.close());

  const run = (hook: SubmissionGuard[number], request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    new Promise((done, fail) => {
      const settle = (error?: Error): void => (error === undefined ? done(undefined) : fail(error));
      // Those that are async take no third argument, and ignore it.
      const pending: unknown = (hook as onRequestHookHandler).call(app, request, reply, settle);
      if (pending instanceof Promise) pending.then(done, fail);
    });
  const submitting = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    for (const hook of guard) await run(hook, request, reply);
  };

  app.post<SubmitRoute>(
    '/mcp',
    {
      schema: { body: llmConversionBody, querystring: submitQuery },
      onRequest: [
        (request, reply, done) => {
          if (looksLikeMcp(request)) identify.call(app, request, reply, done);
          else submitting(request, reply).then(() => done(), done);
        },
        async (request, reply) => {
          if (countCall !== undefined && looksLikeMcp(request)) await countCall(callerOf(request).clientId, reply);
        },
      ],
      preValidation: async (request, reply) => {
        if (!isMcp(request)) return looksLikeMcp(request) ? submitting(request, reply) : undefined;
        leave(request);
        return exchange(request, reply, { door, count, publicUrl });
      },
      errorHandler: (error, request, reply) => {
        // Without a body it could not be read; with one it is of the plain contract.
        if (error instanceof Problem && looksLikeMcp(request) && request.body === undefined) {
          if (error.code === 'INVALID_JSON') return rpcError(reply, 400, PARSE_ERROR, error.message);
          if (error.code === 'INVALID_REQUEST') return rpcError(reply, 400, INVALID_REQUEST, error.message);
        }
        throw error;
      },
    },
    (request, reply) => submit(deps.jobs, request, reply),
  );
}
