import type { FastifyInstance } from 'fastify';
import { openMemoryCounter } from '../../auth/counters.ts';
import { Problem } from '../../domain/problem.ts';
import { llmConversionBody } from '../../wire/conversion.ts';
import type { Declared } from '../../wire/operations/operations.ts';
import { authenticate, callerOf } from '../auth/authenticate.ts';
import { tokensOnly } from '../auth/credential.ts';
import type { HttpDeps } from '../deps.ts';
import { releaseAdmission } from '../limits/admission.ts';
import type { ClientTurns } from '../limits/client-turns.ts';
import { type CountRequest, rateCounter } from '../limits/rate-limit.ts';
import type { RequestBudget } from '../limits/request-budget.ts';
import { submitConversion, withOptionErrors } from './conversions.ts';
import type { Handlers, Hook } from './handler.ts';
import { exchangeMcp, isMcp, looksLikeMcp, rpcError } from './mcp-exchange.ts';

/** The limit of MCP calls per allowed submission. A model makes several calls to follow one job. */
const CALLS_PER_SUBMISSION = 10;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/**
 * Handles `POST /mcp`, which accepts plain conversion requests with `llmId`, and MCP messages. Before the body is read,
 * a request that looks like MCP is authenticated and counted as a call. Any other request runs `submissionHooks`, like
 * every submission.
 */
export function modelHandlers(
  app: FastifyInstance,
  {
    jobs,
    files,
    tokens,
    audit,
    mcp: endpoint,
    publicUrl,
    submissionsPerMinute,
    openCounter = openMemoryCounter,
  }: HttpDeps,
  {
    countSubmission,
    budget,
    turns,
  }: {
    readonly countSubmission: CountRequest | undefined;
    readonly budget: RequestBudget;
    readonly turns: ClientTurns;
  },
  submissionHooks: readonly Hook[],
): Handlers<Pick<Declared, 'submitForModel'>> {
  const identify = authenticate(tokensOnly(tokens), []);
  const countCall = rateCounter(
    openCounter,
    'calls',
    submissionsPerMinute && submissionsPerMinute * CALLS_PER_SUBMISSION,
  );
  app.addHook('preClose', () => endpoint.close());

  const runSubmissionHooks: Hook = async (request, reply) => {
    for (const hook of submissionHooks) await hook(request, reply);
  };

  return {
    submitForModel: {
      hooks: {
        onRequest: async (request, reply) => {
          if (!looksLikeMcp(request)) return runSubmissionHooks(request, reply);
          await identify(request);
          await turns(callerOf(request).clientId);
          await countCall?.(callerOf(request).clientId, reply);
          budget.checkReplies(callerOf(request));
        },
        preValidation: async (request, reply) => {
          if (!isMcp(request)) return looksLikeMcp(request) ? runSubmissionHooks(request, reply) : undefined;
          releaseAdmission(request);
          return exchangeMcp(request, reply, {
            endpoint,
            countSubmission,
            submissionsPerMinute,
            budget,
            publicUrl,
            audit,
          });
        },
        errorHandler: async (error, request, reply) => {
          // The body is undefined if it could not be parsed. If it was parsed, the request is a plain conversion.
          if (error instanceof Problem && looksLikeMcp(request) && request.body === undefined) {
            if (error.code === 'INVALID_JSON') return rpcError(reply, 400, PARSE_ERROR, error.message);
            if (error.code === 'INVALID_REQUEST') return rpcError(reply, 400, INVALID_REQUEST, error.message);
          }
          throw await withOptionErrors(jobs, llmConversionBody, error, request, reply);
        },
      },
      handle: (request, reply) => submitConversion({ jobs, files }, request, reply),
    },
  };
}
