import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { ClientError, errorResponse, unreachable } from './client-error.ts';

const NO_RETRIES = { busySeconds: 0, unreachableSeconds: 0 };

/** A client whose requests get this response. */
function clientOf(reply: (url: URL, init: RequestInit) => Response) {
  const sent: string[] = [];
  const client = createClient(
    'https://media.example.org/telecine',
    { accessToken: 'token' },
    {
      retries: NO_RETRIES,
      fetch: async (url, init) => {
        sent.push(`${init.method} ${url}`);
        return reply(new URL(url), init);
      },
    },
  );
  return { client, sent };
}

const failureOf = async (call: Promise<unknown>): Promise<ClientError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClientError)) throw new Error('It is not a ClientError.', { cause: error });
  return error;
};

test('rejects a path or an id that would lead to another operation, and sends nothing', async () => {
  const { client, sent } = clientOf(() => Response.json({}));
  for (const call of [
    () => client.removeFile('../clients/shop'),
    () => client.readFile('users/me/../you/film.mp4'),
    () => client.get('..'),
    () => client.get('\ud800'),
    () => client.events({ batchId: '..' })[Symbol.asyncIterator]().next(),
  ]) {
    const error = await failureOf(call());
    expect([error.kind, error.code, error.status]).toEqual(['rejected', 'INVALID_REQUEST', undefined]);
  }
  expect(sent).toEqual([]);
});

test.each([
  [412, 'PRECONDITION_FAILED'],
  [403, 'INSUFFICIENT_SCOPE'],
  [404, 'NOT_FOUND'],
  [502, 'HTTP_ERROR'],
])('a continued upload whose HEAD gets %i fails with %s', async (status, code) => {
  const error = errorResponse({ status, header: () => undefined, body: '', isHead: true });
  expect(error).toMatchObject({ kind: 'rejected', status, code });
});

test('the error of a redirect does not show the signature of its target', () => {
  const location = 'https://user:password@bucket.example.org/film.mp4?X-Amz-Signature=secret#x';
  const error = errorResponse({ status: 302, header: () => location, body: '' });
  expect(error.message).toBe('The service redirects to https://bucket.example.org/film.mp4. Set its final address.');
});

test('a file that cannot be read any more is not an unreachable service', () => {
  const cause = new TypeError('fetch failed', { cause: new DOMException('gone', 'NotReadableError') });
  expect(unreachable('https://media.example.org', cause)).toMatchObject({ kind: 'changed', code: 'CHANGED' });
});

test.each([
  [503, 'The service cannot be reached (status 503): it is starting or down.'],
  [418, "The reply has status 418 and is not in Telecine's format."],
])('a reply with status %i that the service did not write says so', (status, message) => {
  expect(errorResponse({ status, header: () => 'text/html', body: '<h1>no</h1>' }).message).toBe(message);
});

test('a late reply is not called a service that cannot be reached', () => {
  const late = unreachable('http://127.0.0.1:8080', new DOMException('late', 'TimeoutError'));
  expect(late.message).toBe('http://127.0.0.1:8080 did not reply in time: it is busy, or the connection is slow.');
  expect(unreachable('http://127.0.0.1:8080', new TypeError('fetch failed')).message).toContain('cannot be reached');
});
