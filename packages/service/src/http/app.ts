import { Problem } from '@telecine/contract/domain/problem.ts';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { addressOf, trustedProxies } from './connections/caller-address.ts';
import {
  type ConnectionTable,
  connectionTable,
  DEFAULT_CONNECTION_LIMITS,
  refusalLog,
} from './connections/connection-table.ts';
import { requestHolds } from './connections/request-holds.ts';
import { serveConsole } from './console/serve-console.ts';
import type { HttpDeps } from './deps.ts';
import { asksForPage, indexRoutes, isBrowserAtRoot, unknownPath, unmatchedRoute } from './errors/not-found.ts';
import { handleErrors, problemReply, toProblem } from './errors/problem-reply.ts';
import { releaseAdmission } from './limits/admission.ts';
import { addressTurns } from './limits/client-turns.ts';
import { addHealthRoutes, addRoutes } from './routes/routes.ts';
import { allowOrigins } from './server/cors.ts';
import { checkExpectation, handleExpectations } from './server/expectations.ts';
import { serverFactory } from './server/guarded-server.ts';
import { answerMalformedRequest, rejectTunnels } from './server/malformed-request.ts';
import { acceptJsonBodies, freeUnreadBodies } from './server/request-bodies.ts';
import { openAccessLog, startTrace } from './server/request-observation.ts';
import { FIXED_HEADERS, requestIds } from './server/response-headers.ts';
import { limitCloseTime } from './server/shutdown.ts';
import { schemaController } from './server/validation.ts';
import { sendLongRepliesInPieces } from './transfer/reply-pieces.ts';
import type { PacedUploads } from './transfer/upload-body.ts';
import { overrideMethod } from './tus/tus-methods.ts';

/**
 * The maximum length of a path parameter, in characters. It is longer than any URL that Node accepts, so the router
 * rejects no path for its length.
 */
const MAX_PARAM_LENGTH = 16_384;

/** Creates the HTTP application. Does not listen: the command `serve` does that, and tests inject requests. */
export function buildApp(deps: HttpDeps): FastifyInstance {
  const pacedUploads: PacedUploads = new WeakSet();
  const app = createApp(deps, pacedUploads);
  addRoutes(app, deps, pacedUploads);
  if (deps.consoleFolder !== undefined) serveConsole(app, deps.consoleFolder, deps.fileOrigins ?? [], unknownPath);
  return app;
}

/** Creates the HTTP application of a worker. It has only the routes for health checks and metrics. */
export function buildHealthApp(deps: BaseDeps & Pick<HttpDeps, 'health' | 'publicUrl'>): FastifyInstance {
  const app = createApp(deps, new WeakSet());
  addHealthRoutes(app, deps);
  return app;
}

/** The dependencies of the application itself. Routes need more. */
type BaseDeps = Pick<
  HttpDeps,
  | 'connectionLimits'
  | 'corsOrigins'
  | 'draining'
  | 'logger'
  | 'logRequest'
  | 'metrics'
  | 'oauth'
  | 'traces'
  | 'trustProxy'
>;

function createApp(deps: BaseDeps, pacedUploads: PacedUploads): FastifyInstance {
  const nextId = requestIds();
  const { trustProxy = [] } = deps;
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...deps.connectionLimits };
  const onRefusal = refusalLog(deps);
  const connections = connectionTable(limits, { isProxy: trustedProxies(trustProxy), onRefusal });
  const app = fastify({
    // Fastify would create a child logger for each request.
    logger: false,
    genReqId: nextId,
    serverFactory: serverFactory(connections, { limits, nextId, onRefusal }),
    // Fastify's own 503 during shutdown is not a problem document. `observeRequests` sends one instead.
    return503OnClosing: false,
    // Does not rewrite the URL. It may change the method of the request, which is only possible here, before routing.
    rewriteUrl: (request) => {
      overrideMethod(request);
      return request.url ?? '/';
    },
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    schemaController,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerMalformedRequest(nextId, pacedUploads),
    frameworkErrors: (error, _request, reply) => {
      const untypedReply = reply as FastifyReply;
      untypedReply.headers(FIXED_HEADERS).header('x-request-id', untypedReply.request.id);
      untypedReply.send(problemReply(untypedReply, toProblem(error)));
    },
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('share', null);
  app.decorateRequest('callerAddress', '');
  app.decorateRequest('admission', null);
  app.decorateRequest('rpcRequest', null);
  app.decorateRequest('problemCode', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('auditFacts', null);
  app.decorateRequest('acceptedJob', null);
  app.decorateRequest('held', null);
  app.decorate('requestHolds', requestHolds(limits, connections, onRefusal));
  app.decorate('addressTurns', addressTurns());
  app.decorate('sendConsole', null);
  handleExpectations(app.server);
  rejectTunnels(app.server, nextId);
  acceptJsonBodies(app);
  handleErrors(app, deps);
  observeRequests(app, connections, deps);
  sendLongRepliesInPieces(app);
  freeUnreadBodies(app);
  return app;
}

/**
 * Logs and traces every request, and sets the header fields of every reply. Rejects requests during shutdown, and
 * requests without a route.
 */
function observeRequests(
  app: FastifyInstance,
  connections: ConnectionTable,
  deps: Pick<HttpDeps, 'corsOrigins' | 'draining' | 'logRequest' | 'metrics' | 'traces'>,
): void {
  const accessLog = openAccessLog(deps.logRequest);
  const { requestHolds: holds } = app;
  const shutdown = limitCloseTime(app, connections);
  const routes = indexRoutes(app);
  const answerPreflight = deps.corsOrigins && allowOrigins(deps.corsOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    const startMs = performance.now();
    request.callerAddress = addressOf(request);
    const endTrace = deps.traces && startTrace(deps.traces, request, reply);
    // Use 'close', which is emitted exactly once. 'finish' is not emitted if the client disconnects before the end of
    // the reply.
    reply.raw.on('close', () => {
      releaseAdmission(request);
      holds.release(request);
      const ms = performance.now() - startMs;
      accessLog?.(request, reply, ms);
      endTrace?.();
      deps.metrics.countRequest({
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        seconds: ms / 1000,
      });
      shutdown.responded(request.raw.socket);
    });
    reply.headers(FIXED_HEADERS).header('x-request-id', request.id);
    if (deps.draining?.()) reply.header('connection', 'close');
    if (answerPreflight?.(request, reply)) return;
    checkExpectation(request.headers);
    if (shutdown.begun()) {
      done(new Problem('UNAVAILABLE', 'The service is shutting down. Retry in 5 s.', { retryAfterSeconds: 5 }));
    } else if (countHosts(request.raw.rawHeaders) > 1) {
      done(new Problem('BAD_REQUEST', 'The request has several Host header fields. Send one.'));
    } else if (request.is404 && isBrowserAtRoot(request)) {
      reply.redirect('docs', 302);
    } else if (request.is404) {
      // Reject the request in this hook: Fastify's 404 handler would run only after the body is read.
      const { problem, allowed } = unmatchedRoute(routes, request);
      if (allowed.length > 0) reply.header('allow', allowed.join(', '));
      const { sendConsole } = app;
      const isPage = sendConsole !== null && allowed.length === 0 && asksForPage(request);
      const reject = (): void => {
        // The console says that it has no such page.
        if (isPage) sendConsole(request, reply.code(404)).catch(done);
        else done(problem);
      };
      const turn = app.addressTurns(request);
      if (turn === undefined) reject();
      else void turn.then(reject);
    } else {
      holds.begin(request);
      done();
    }
  });
}

/**
 * Counts the Host header fields of a request. More than one must be answered by 400 (RFC 9112, 3.2): Node would use the
 * first one, and a proxy may have used the last one.
 */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  // `rawHeaders` is a list in which names and values alternate.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
