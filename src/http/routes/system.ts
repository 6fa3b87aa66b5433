import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import type { Declared } from '../../wire/operations/operations.ts';
import type { ISSUER_OPERATIONS } from '../../wire/operations/tokens.ts';
import { resourceMetadata } from '../../wire/protected-resource.ts';
import { readyView } from '../../wire/system.ts';
import { bearerToken } from '../auth/credential.ts';
import type { HttpDeps } from '../deps.ts';
import { makeDocsPage, makeDocument } from '../openapi/reference-thread.ts';
import { sendShared, sharedDocument } from '../transfer/reply-pieces.ts';
import type { Handlers } from './handler.ts';

/** Handles the health checks of load balancers and orchestrators, which have no token. */
export const systemHandlers = ({
  health,
}: Pick<HttpDeps, 'health'>): Handlers<Pick<Declared, 'getHealth' | 'getReadiness'>> => ({
  getHealth: async () => ({ status: 'ok', version: health.version, uptimeSeconds: health.uptimeSeconds() }),

  getReadiness: async (_request, reply) => {
    const checks = await health.ready().catch((cause: unknown) => {
      throw new Problem('UNAVAILABLE', 'The readiness checks failed to run. The log of the service has the reason.', {
        cause,
      });
    });
    const view = readyView(checks);
    reply.code(view.status === 'ready' ? 200 : 503);
    return view;
  },
});

/**
 * Handles the metadata for an external issuer. Without an issuer these routes do not exist: if they reply, some clients
 * ignore the token in their configuration.
 */
export const issuerHandlers = ({ oauth }: HttpDeps): Handlers<typeof ISSUER_OPERATIONS> => {
  const metadata = async (path: '' | '/mcp') => {
    if (oauth === undefined) throw new Problem('NOT_FOUND', 'The service accepts no tokens of an external issuer.');
    return resourceMetadata(oauth, path);
  };
  return { getProtectedResource: () => metadata(''), getMcpProtectedResource: () => metadata('/mcp') };
};

const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** The header fields that proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Handles the scrapes of Prometheus. */
export const metricsHandlers = ({
  metrics,
  publicUrl,
}: Pick<HttpDeps, 'metrics' | 'publicUrl'>): Handlers<Pick<Declared, 'getMetrics'>> => ({
  getMetrics: {
    hooks: {
      onRequest: async (request) => {
        if (metrics.token === undefined ? isLocal(request, publicUrl) : isSame(metrics.token, sentToken(request)))
          return;
        throw new Problem('INVALID_TOKEN', metrics.token === undefined ? NOT_LOCAL : WRONG_TOKEN);
      },
    },
    handle: async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.type(contentType).send(body);
    },
  },
});

const WRONG_TOKEN =
  'The token of the metrics is missing or wrong. Send the one in the file that TELECINE_METRICS_TOKEN_FILE names.';
const NOT_LOCAL =
  'Without TELECINE_METRICS_TOKEN_FILE, only callers on the same machine can read the metrics, at a loopback address and not through a proxy. Set it to a file with a token, and send that token.';

/**
 * Whether the request comes from this machine. The `Host` field is checked because a page in a browser on this machine can
 * send requests here under the name of another host. A service with a public URL is behind a proxy, whose requests all come
 * from its own address.
 */
function isLocal({ raw, headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  return (
    publicUrl === undefined &&
    LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

const sentToken = ({ headers }: FastifyRequest): string => bearerToken(headers.authorization) ?? '';

/** Compares hashes, so that the time does not depend on the texts. */
const isSame = (expected: string, sent: string): boolean => timingSafeEqual(sha256(expected), sha256(sent));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Browsers ask at each visit whether they have the current document. */
const CHECKED = 'private, no-cache';

/** Serves the OpenAPI document and its page. They take memory and start-up time, so the first request creates them. */
export const docsHandlers = (deps: HttpDeps): Handlers<Pick<Declared, 'getDocs' | 'getOpenApi'>> => {
  const { health, publicUrl, oauth } = deps;
  const openApi = memoizeAsync(async () => {
    const about = { version: health.version, external: oauth !== undefined };
    return sharedDocument(await makeDocument({ ...about, ...(publicUrl !== undefined && { publicUrl }) }));
  });
  return {
    getOpenApi: async (request, reply) => {
      const document = await openApi();
      reply.type('application/json; charset=utf-8').header('cache-control', CHECKED);
      return sendShared(request, reply, document);
    },

    getDocs: async (request, reply) => {
      const { html, policy } = await docsPage();
      reply.type('text/html; charset=utf-8').headers({ 'content-security-policy': policy, 'cache-control': CHECKED });
      return sendShared(request, reply, html);
    },
  };
};

/** Adds the route for the script of the docs page. It is not part of the API, so the OpenAPI document omits it. */
export function addDocsScript(app: FastifyInstance): void {
  app.get('/docs/scalar.js', async (request, reply) => {
    const { script } = await docsPage();
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'private, max-age=3600');
    return sendShared(request, reply, script);
  });
}

const docsPage = memoizeAsync(async () => {
  const { html, script, policy } = await makeDocsPage();
  return {
    html: sharedDocument(html),
    script: sharedDocument(Buffer.from(script.buffer, script.byteOffset, script.byteLength)),
    policy,
  };
});

/**
 * Returns a function that creates a value at its first call and keeps it. After a failure, the next call tries again.
 */
function memoizeAsync<T>(create: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= create().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}
