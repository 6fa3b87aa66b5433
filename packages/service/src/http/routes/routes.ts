import type { Scope } from '@telecine/contract/domain/client.ts';
import { SHARE_SECRET } from '@telecine/contract/domain/share.ts';
import { ENDPOINTS, type OperationId } from '@telecine/contract/wire/endpoints.ts';
import { isCounted, type Limit, type Operation } from '@telecine/contract/wire/operations/operation.ts';
import { type Declared, EACH_OPERATION, needsIssuer } from '@telecine/contract/wire/operations/operations.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify';
import { z } from 'zod';
import { clientHandlers } from '../../auth/client-handlers.ts';
import { openMemoryCounter } from '../../auth/counters.ts';
import { readSteps } from '../../jobs/job-reads.ts';

import { auditHooks } from '../audit/audit-request.ts';
import { authenticate, authenticateLink, callerOf } from '../auth/authenticate.ts';
import { authenticateShare, authenticateUploader, linkOf } from '../auth/authenticate-share.ts';
import { credentials, sessionsOnly } from '../auth/credential.ts';
import { downloadCheck } from '../auth/download-check.ts';
import { warnOfUntrustedProxy } from '../connections/caller-address.ts';
import type { HttpDeps } from '../deps.ts';
import { limitUploads, reserveAdmission } from '../limits/admission.ts';
import { type ClientTurns, clientTurns } from '../limits/client-turns.ts';
import { type RequestBudget, requestBudget } from '../limits/request-limit.ts';
import { type CountRequest, countCaller, rateCounter } from '../limits/submission-limit.ts';
import { holdBody, streamedBody, wholeBody } from '../server/request-bodies.ts';
import { zipSender } from '../transfer/send-zip.ts';
import type { PacedUploads } from '../transfer/upload-body.ts';
import { markTusReplies } from '../tus/tus-methods.ts';
import { auditHandlers, usageHandlers, workerHandlers } from './administration.ts';
import { analysisHandlers, probeHandlers } from './analysis.ts';
import { addDocsScript, docsHandlers } from './api-docs.ts';
import { batchHandlers } from './batches.ts';
import { capabilityHandlers, recipeHandlers } from './capabilities.ts';
import { conversionHandlers } from './conversions.ts';
import { eventHandlers } from './events.ts';
import { acceptRawBodies, fileHandlers } from './files.ts';
import type { Handler, Handlers, Hook } from './handler.ts';
import { jobHandlers, jobListHandlers } from './jobs.ts';
import { modelHandlers } from './mcp.ts';
import { healthHandlers, metricsHandlers } from './monitoring.ts';
import { outputHandlers } from './outputs.ts';
import { plainRoutes } from './plain-routes.ts';
import { commandHandlers } from './read-command.ts';
import { externalSessionHandlers, sessionHandlers } from './sessions.ts';
import { shareHandlers } from './shares.ts';
import { acceptOAuthRequests, issuerHandlers, oauthHandlers, tokenHandlers } from './tokens.ts';
import { uploadHandlers } from './uploads.ts';
import { webhookHandlers } from './webhooks.ts';

/** Adds a route for each declared operation. Leaves out the operations for an external issuer if there is none. */
export function addRoutes(app: FastifyInstance, deps: HttpDeps, pacedUploads: PacedUploads): void {
  const countSubmission = rateCounter(deps.openCounter ?? openMemoryCounter, 'submissions');
  const budget = requestBudget();
  const turns = clientTurns();
  // File lists take turns of their own, because a file store may be slow.
  const step = readSteps();
  const sendZip = zipSender(downloadCheck(deps.shares));
  const hooksOf = operationHooks(deps, countSubmission, budget, turns);
  const handlers: Handlers<Declared> = {
    ...conversionHandlers(deps),
    ...commandHandlers(deps),
    ...modelHandlers(app, deps, { countSubmission, budget, turns }, hooksOf(EACH_OPERATION.submitConversion)),
    ...jobListHandlers(deps, countSubmission),
    ...jobHandlers(deps),
    ...batchHandlers(deps, countSubmission, budget),
    ...eventHandlers(deps, budget),
    ...fileHandlers(deps, step, sendZip),
    ...uploadHandlers(deps, pacedUploads),
    ...outputHandlers(deps, sendZip),
    ...shareHandlers(deps, sendZip),
    ...probeHandlers(deps),
    ...analysisHandlers(deps),
    ...capabilityHandlers(deps),
    ...recipeHandlers(deps),
    ...tokenHandlers(deps),
    ...sessionHandlers(deps),
    ...externalSessionHandlers(deps),
    ...oauthHandlers(deps),
    ...issuerHandlers(deps),
    ...healthHandlers(deps),
    ...webhookHandlers(deps),
    ...plainRoutes(deps.watches),
    ...workerHandlers(deps),
    ...usageHandlers(deps),
    ...auditHandlers(deps),
    // The reply to a revocation does not wait for its jobs: a backlog takes seconds. Running jobs end by themselves.
    ...plainRoutes(clientHandlers(deps.clients, (clientId) => void deps.jobs.cancelQueuedOf(clientId))),
    runDoctor: async () => ({ findings: [...(await deps.doctor())] }),
    ...metricsHandlers(deps),
    ...docsHandlers(deps),
  };
  const ids = (Object.keys(EACH_OPERATION) as OperationId[]).filter(
    (id) => deps.oauth !== undefined || !needsIssuer(id),
  );
  const add = (scope: FastifyInstance, takes: (type: BodyType) => boolean): void => {
    for (const id of ids)
      if (takes(bodyTypeOf(id)))
        scope.route({
          ...routeOf(id, handlers[id] as Handler<unknown>, hooksOf(EACH_OPERATION[id])),
          ...(hasCountedReply(EACH_OPERATION[id]) && { onSend: countReply(budget) }),
          ...auditHooks(deps.audit, EACH_OPERATION[id]),
        });
  };
  add(app, (type) => type === undefined || type === 'application/json');
  app.register(async (scope) => {
    acceptRawBodies(scope);
    markTusReplies(scope);
    add(scope, (type) => type === '*/*' || type === 'ignored');
  });
  app.register(async (scope) => {
    acceptOAuthRequests(scope, deps);
    add(scope, (type) => type === 'application/x-www-form-urlencoded');
  });
  addDocsScript(app);
}

export function addHealthRoutes(app: FastifyInstance, deps: Pick<HttpDeps, 'health' | 'metrics' | 'publicUrl'>): void {
  for (const [id, handler] of Object.entries({ ...healthHandlers(deps), ...metricsHandlers(deps) }))
    app.route(routeOf(id as OperationId, handler as Handler<unknown>, []));
}

type BodyType = NonNullable<Operation['body']>['type'] | undefined;

const bodyTypeOf = (id: OperationId): BodyType => EACH_OPERATION[id].body?.type;

/**
 * Creates the hooks of a declared operation. They run before the body is read: first the checks that reply 401 or 403,
 * then the limits that reply 429.
 */
function operationHooks(deps: HttpDeps, countSubmission: CountRequest, budget: RequestBudget, turns: ClientTurns) {
  const { links, shares, jobs } = deps;
  const countRequest: Hook = (request, reply) => {
    // Somebody who uploads by a link must not use up the requests of its client.
    if (request.share !== null) return undefined;
    const caller = callerOf(request);
    const count = (): undefined => {
      budget.countRequest(caller, reply);
      return undefined;
    };
    const turn = turns(caller.clientId);
    return turn === undefined ? count() : turn.then(count);
  };
  const read = credentials(deps);
  const byLimit: Readonly<Record<Limit, readonly Hook[]>> = {
    submissions: [countCaller(countSubmission)],
    'dry runs': [countCaller(countSubmission)],
    uploads: [limitUploads()],
    'failed tokens': [warnOfUntrustedProxy(deps)],
    // No hook: the functions behind these operations limit probes, previews and zips themselves.
    probes: [],
    previews: [],
    zips: [],
  };
  const awaitTurn =
    (kind: string): Hook =>
    (request) =>
      request.server.addressTurns(request, kind);
  const byTokenOrShare = (scopes: readonly Scope[], tag: string): Hook => {
    const byToken = authenticate(read, scopes);
    const byShare = authenticateUploader(shares, tag);
    return (request) => (SHARE_SECRET.test(linkOf(request)) ? byShare(request) : byToken(request));
  };
  const byAccess = ({ access, tag }: Operation): readonly Hook[] => {
    switch (access.by) {
      case 'token':
        return [access.orShare ? byTokenOrShare(access.scopes, tag) : authenticate(read, access.scopes)];
      case 'session':
        return [authenticate(sessionsOnly(read), [])];
      case 'link':
        if (access.to === 'upload') return [authenticateUploader(shares, tag)];
        return [awaitTurn(tag), access.to === 'share' ? authenticateShare(shares) : authenticateLink(links)];
      default:
        return [awaitTurn(tag)];
    }
  };
  return (operation: Operation): readonly Hook[] => [
    ...byAccess(operation),
    ...(isCounted(operation) ? [countRequest] : []),
    ...(operation.limit === undefined ? [] : byLimit[operation.limit]),
    // A retry reserves room of the client of its job, which is not known yet.
    ...(operation.limit === 'submissions' && operation !== EACH_OPERATION.retryJob ? [reserveAdmission(jobs)] : []),
  ];
}

/**
 * Returns whether the bytes of a reply count for its client. The bytes of a file do not, because a file is sent only as
 * fast as the client reads.
 */
const hasCountedReply = (operation: Operation): boolean => isCounted(operation) && !isDownload(operation);

const countReply =
  (budget: RequestBudget): onSendHookHandler =>
  (request, reply, payload, done) => {
    // A long reply is already a stream here, so take its size from the header field.
    const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload);
    const bytes = isBytes ? payload.length : Number(reply.getHeader('content-length') ?? 0);
    if (request.caller !== null) budget.countReply(request.caller, bytes);
    done(null, payload);
  };

const isDownload = ({ replies }: Operation): boolean => replies[200]?.content?.['*/*'] !== undefined;

const NO_QUERY = z.strictObject({});

const HOLD_STREAM = holdBody(streamedBody);
const HOLD_WHOLE = holdBody(wholeBody);

function routeOf(id: OperationId, handler: Handler<unknown>, hooks: readonly Hook[]): RouteOptions {
  const { method, path } = ENDPOINTS[id];
  const operation = EACH_OPERATION[id];
  const { query, body } = operation;
  const { handle, hooks: custom } = typeof handler === 'function' ? { handle: handler, hooks: {} } : handler;
  // Declare HEAD too: the HEAD route that Fastify adds would read the whole file and throw it away.
  return {
    method: isDownload(operation) ? [method, 'HEAD'] : method,
    url: path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      ...(query !== 'ignored' && { querystring: query ?? NO_QUERY }),
      ...(body?.type === 'application/json' && { body: body.schema }),
    },
    ...(body && 'maxBytes' in body && body.maxBytes !== undefined && { bodyLimit: body.maxBytes }),
    onRequest: hooks.map((hook) => async (request: FastifyRequest, reply: FastifyReply) => hook(request, reply)),
    ...(body && { preParsing: body.type === '*/*' || body.type === 'ignored' ? HOLD_STREAM : HOLD_WHOLE }),
    ...custom,
    handler: handle as RouteOptions['handler'],
  };
}
