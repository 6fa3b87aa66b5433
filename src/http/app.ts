import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Problem } from '../domain/problem.ts';
import { openAccessLog } from './access-log.ts';
import { leave } from './admission.ts';
import { takeJson } from './body.ts';
import { answerClientError } from './client-error.ts';
import type { HttpDeps } from './deps.ts';
import { installErrors } from './errors.ts';
import { askForBodies } from './expect-continue.ts';
import { FIXED_HEADERS } from './headers.ts';
import { noRoute } from './not-found.ts';
import { problemReply } from './problem-reply.ts';
import { hintAtProxy } from './proxy-hint.ts';
import { counter } from './rate-limit.ts';
import { requestIds } from './request-id.ts';
import { collectRoutes } from './route-index.ts';
import { addCapabilities } from './routes/capabilities.ts';
import { addDocs } from './routes/docs.ts';
import { addFiles } from './routes/files.ts';
import { addJobs } from './routes/jobs.ts';
import { addMcp } from './routes/mcp.ts';
import { addOAuth } from './routes/oauth.ts';
import { addOutputs } from './routes/outputs.ts';
import { addProbe } from './routes/probe.ts';
import { addSubmit } from './routes/submit.ts';
import { addSystem } from './routes/system.ts';
import { addTokens } from './routes/tokens.ts';
import { addWellKnown } from './routes/well-known.ts';
import { closeInTime } from './shutdown.ts';
import { guardSubmissions } from './submission-guard.ts';
import { toProblem } from './to-problem.ts';
import type { OwnPace } from './upload-body.ts';
import { schemaController } from './validation.ts';

/** Node's own default, which Fastify would switch off: a body that drips in holds its connection no longer. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Longer than any URL that Node takes (16 KiB with the headers), so that the router never stops at the length. */
const MAX_PARAM_LENGTH = 16_384;

/** The HTTP face as a value: whoever holds it listens, or injects requests. */
export function buildApp(deps: HttpDeps): FastifyInstance {
  const nextId = requestIds();
  const ownPace: OwnPace = new WeakSet();
  const { trustProxy = false } = deps;
  const log = openAccessLog(deps.logger);
  const app = fastify({
    // Fastify would make a child logger for every request; one line at its end is all that is wanted.
    logger: false,
    genReqId: nextId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Fastify's 503 is no problem document; the hook below sends one.
    return503OnClosing: false,
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    schemaController,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerClientError(nextId, ownPace),
    frameworkErrors: (error, _request, reply) => {
      const plain = reply as FastifyReply;
      plain.headers(FIXED_HEADERS).header('x-request-id', plain.request.id);
      plain.send(problemReply(plain, toProblem(error)));
    },
  });
  askForBodies(app.server);
  const shutdown = closeInTime(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('place', null);
  app.decorateRequest('asked', null);
  takeJson(app);
  installErrors(app, deps);
  const known = collectRoutes(app);

  app.addHook('onRequest', (request, reply, done) => {
    const logged = log?.(request, reply);
    // The one event that comes whatever happens, and once: 'finish' stays out when a client hangs up.
    reply.raw.on('close', () => {
      leave(request);
      logged?.();
      shutdown.responded(request.raw.socket);
    });
    reply.headers(FIXED_HEADERS).header('x-request-id', request.id);
    if (shutdown.begun()) {
      done(new Problem('UNAVAILABLE', 'The service is shutting down. Try again.', { retryAfterSeconds: 5 }));
    } else if (request.is404) {
      // Here and not in the handler: what is sent to nowhere is not read first.
      const { problem, allowed } = noRoute(known, request);
      if (allowed.length > 0) reply.header('allow', allowed.join(', '));
      done(problem);
    } else done();
  });

  const count = counter('submissions', deps.submissionsPerMinute);
  const guard = guardSubmissions(deps, count);
  addSubmit(app, deps, guard);
  addMcp(app, deps, guard, count);
  addJobs(app, deps, guard);
  addOutputs(app, deps);
  addFiles(app, deps, ownPace);
  addProbe(app, deps);
  addCapabilities(app, deps);
  const hint = hintAtProxy(deps);
  addTokens(app, deps, hint);
  addOAuth(app, deps, hint);
  addWellKnown(app, deps);
  addSystem(app, deps);
  addDocs(app, deps);
  return app;
}
