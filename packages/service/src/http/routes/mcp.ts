import { Problem } from '@telecine/contract/domain/problem.ts';
import { llmConversionBody } from '@telecine/contract/wire/conversion.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import type { FastifyInstance } from 'fastify';
import { openMemoryCounter } from '../../auth/counters.ts';
import { authenticate, callerOf } from '../auth/authenticate.ts';
import { tokensOnly } from '../auth/credential.ts';
import type { HttpDeps } from '../deps.ts';
import { releaseAdmission } from '../limits/admission.ts';
import type { ClientTurns } from '../limits/client-turns.ts';
import type { RequestBudget } from '../limits/request-limit.ts';
import { type CountRequest, rateCounter } from '../limits/submission-limit.ts';
import { submitConversion, withOptionErrors } from './conversions.ts';
import type { Handlers, Hook } from './handler.ts';
import { exchangeMcp, INVALID_REQUEST, isMcp, looksLikeMcp, rpcError } from './mcp-exchange.ts';

/**
 * How many MCP tool calls a client may make for each submission that it may make. A model makes several calls for one
 * job.
 */
const CALLS_PER_SUBMISSION = 10;

const PARSE_ERROR = -32700;

/**
 * Handles `POST /mcp`, which accepts MCP messages, and plain conversion requests with `llmId`. Before the body is read,
 * a request that looks like MCP is authenticated and counted as a call. For any other request, `submissionHooks` run.
 */
export function modelHandlers(
  app: FastifyInstance,
  deps: HttpDeps,
  limits: {
    readonly countSubmission: CountRequest;
    readonly budget: RequestBudget;
    readonly turns: ClientTurns;
  },
  submissionHooks: readonly Hook[],
): Handlers<Pick<Declared, 'submitForModel'>> {
  const { jobs, tokens, mcp, openCounter = openMemoryCounter } = deps;
  const { budget, turns } = limits;
  const exchangeDeps = { ...deps, ...limits };
  const identify = authenticate(tokensOnly(tokens), []);
  const countCall = rateCounter(openCounter, 'calls', CALLS_PER_SUBMISSION);
  app.addHook('preClose', () => mcp.close());

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
          await countCall(callerOf(request), reply);
          budget.checkReplies(callerOf(request));
        },
        preValidation: async (request, reply) => {
          if (!isMcp(request)) return looksLikeMcp(request) ? runSubmissionHooks(request, reply) : undefined;
          releaseAdmission(request);
          return exchangeMcp(request, reply, exchangeDeps);
        },
        errorHandler: async (error, request, reply) => {
          // Without a parsed body, reply in the form of JSON-RPC. A request whose body was parsed is a plain conversion
          // request.
          if (error instanceof Problem && looksLikeMcp(request) && request.body === undefined) {
            if (error.code === 'INVALID_JSON') return rpcError(reply, PARSE_ERROR, error.message);
            if (error.code === 'INVALID_REQUEST') return rpcError(reply, INVALID_REQUEST, error.message);
          }
          throw await withOptionErrors(jobs, llmConversionBody, error, request, reply);
        },
      },
      handle: (request, reply) => submitConversion(deps, request, reply),
    },
  };
}
