import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import { Problem, type ProblemCode } from '../../packages/contract/src/domain/problem.ts';
import { BEARER, httpApp } from '../support/http-app.ts';

const post = (payload: object, authorization = BEARER.authorization) => ({
  method: 'POST' as const,
  url: '/api/probe',
  headers: { authorization },
  payload,
});
const BODY = { input: 'a.mp4' };

test.each([
  ['INPUT_NOT_FOUND', 404],
  ['INPUT_INVALID', 422],
  ['UNSUPPORTED', 422],
  ['TIMEOUT', 422],
  ['RATE_LIMITED', 429],
  ['NOT_IMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
] satisfies [ProblemCode, number][])('%s is answered with %i', async (code, status) => {
  const probe = async () => {
    throw new Problem(code, 'Why.', { retryAfterSeconds: 2 });
  };
  const reply = await httpApp({ probes: { probe } }).inject(post(BODY));
  expect([reply.statusCode, reply.json().code, reply.headers['retry-after']]).toEqual([status, code, '2']);
});

test.each(['jobs:read', 'files:read'])('rejects a token with only %s', async (scope) => {
  const reply = await httpApp().inject(post(BODY, `Bearer only-${scope}`));
  expect([reply.statusCode, reply.json().code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('aborts the probe of a client that disconnects, and logs no error', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const probe = (_caller: unknown, _request: unknown, signal: AbortSignal): Promise<MediaInfo> => {
    started.resolve(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { app, lines } = httpApp({ probes: { probe } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const body = JSON.stringify(BODY);
  socket.write(
    `POST /api/probe HTTP/1.1\r\nhost: x\r\nauthorization: ${BEARER.authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const signal = await started.promise;
  expect(signal.aborted).toBe(false);
  const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
  socket.destroy();
  await ended;
  await app.close();
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});
