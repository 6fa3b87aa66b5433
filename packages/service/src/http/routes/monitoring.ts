import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import { readyView } from '@telecine/contract/wire/system.ts';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from '../auth/credential.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

/** Handles the health checks of load balancers and orchestrators, which have no token. */
export const healthHandlers = ({
  health,
}: Pick<HttpDeps, 'health'>): Handlers<Pick<Declared, 'getHealth' | 'getReadiness'>> => ({
  getHealth: async () => ({ status: 'ok', version: health.version, uptimeSeconds: health.uptimeSeconds() }),

  getReadiness: async (_request, reply) => {
    const checks = await health.ready().catch((cause: unknown) => {
      throw new Problem('UNAVAILABLE', 'The readiness checks could not run. The log of the service has the reason.', {
        cause,
      });
    });
    const view = readyView(checks);
    reply.code(view.status === 'ready' ? 200 : 503);
    return view;
  },
});

const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Header fields that proxies add. A request with one of them came through a proxy. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Handles the requests of Prometheus for the metrics. */
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
 * Returns whether a request comes from this machine. Also checks `Host`: a web page in a browser on this machine can
 * send requests under another host name. Returns false if the service has a public URL, because then requests come
 * through a proxy, which may be on this machine.
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

/** Compares hashes, so that the time that this takes reveals nothing about the texts. */
const isSame = (expected: string, sent: string): boolean => timingSafeEqual(sha256(expected), sha256(sent));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
