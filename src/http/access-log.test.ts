import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { openAccessLog } from './access-log.ts';

interface Asked {
  readonly id: string;
  readonly method?: string;
  readonly url?: string;
  readonly ip?: string;
  readonly status?: number;
  readonly clientId?: string;
  readonly aborted?: boolean;
  readonly asked?: { readonly rpc: string; readonly llmId: string };
}

/** The lines that are logged of requests that begin and end one after the other. */
async function linesOf(...requests: readonly Asked[]): Promise<Record<string, unknown>[]> {
  const sink = { write: vi.fn<(lines: string) => void>() };
  const log = openAccessLog(sink);
  for (const {
    id,
    method = 'POST',
    url = '/api/conversion',
    ip = '::1',
    status = 202,
    clientId,
    ...rest
  } of requests) {
    const caller = clientId === undefined ? null : { clientId };
    const { asked = null, aborted = false } = rest;
    const end = log(
      { id, method, url, ip, caller, asked } as unknown as FastifyRequest,
      { statusCode: status, raw: { writableFinished: !aborted } } as unknown as FastifyReply,
    );
    end();
  }
  await vi.waitUntil(() => sink.write.mock.calls.length > 0);
  const lines = sink.write.mock.calls.flat().join('').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('each request has its own line, however much or little it is like the one before', async () => {
  const usual = { method: 'POST', path: '/api/conversion', status: 202, address: '::1', clientId: 'amy' };
  const lines = await linesOf(
    { id: '1', clientId: 'amy' },
    { id: '2', clientId: 'amy' },
    { id: '3', clientId: 'bob' },
    { id: '4', clientId: 'bob', ip: '10.0.0.1' },
    { id: '5', clientId: 'bob', ip: '10.0.0.1', status: 400 },
    { id: '6', status: 401 },
    { id: '7', clientId: 'amy', method: 'GET', url: '/api/conversion/"x"?secret=1' },
    { id: '8', clientId: 'amy', asked: { rpc: 'tools/call', llmId: 'a "model"' } },
    { id: '9', clientId: 'amy', aborted: true },
    { id: '10', clientId: 'amy' },
  );
  expect(lines).toMatchObject([
    { ...usual, requestId: '1' },
    { ...usual, requestId: '2' },
    { ...usual, requestId: '3', clientId: 'bob' },
    { ...usual, requestId: '4', clientId: 'bob', address: '10.0.0.1' },
    { ...usual, requestId: '5', clientId: 'bob', address: '10.0.0.1', status: 400 },
    { requestId: '6', status: 401, address: '::1' },
    { ...usual, requestId: '7', method: 'GET', path: '/api/conversion/"x"' },
    { ...usual, requestId: '8', rpc: 'tools/call', llmId: 'a "model"' },
    { ...usual, requestId: '9', aborted: true },
    { ...usual, requestId: '10' },
  ]);
  expect(lines[5]).not.toHaveProperty('clientId');
  expect(lines[9]).not.toHaveProperty('aborted');
  expect(lines[9]).not.toHaveProperty('rpc');
});

test('how long a request took is told in milliseconds, to a hundredth', async () => {
  const times = [0, 0.004, 10, 10.05, 20, 1254.567, 2000, 2000.996];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 0);
  const lines = await linesOf({ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }).finally(() => clock.mockRestore());
  expect(lines.map((line) => line['ms'])).toEqual([0, 0.05, 1234.57, 1]);
});
