import { expect, test } from 'vitest';
import { createClient } from './client.ts';

/** Continues an upload of 4 bytes. The service has 2 bytes of an upload of `length` bytes. Returns the requests. */
async function continueUpload(length: number): Promise<readonly string[]> {
  const requests: string[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const offset = headers.get('upload-offset');
    requests.push(`${init.method} ${String(url).split('/').at(-1)}${offset === null ? '' : ` from ${offset}`}`);
    if (init.method === 'HEAD')
      return new Response(null, { headers: { 'upload-offset': '2', 'upload-length': String(length) } });
    if (init.method === 'POST') return new Response(null, { status: 201, headers: { location: '/api/uploads/NEW' } });
    return new Response(null, { status: 204, headers: { 'upload-offset': '4' } });
  };
  const client = createClient('https://media.example.org', { accessToken: 'token' }, { fetch });
  await client.upload(new Blob(['abcd']), 'a.mov', { uploadId: 'OLD' });
  return requests;
}

test('continues an interrupted upload of the same length', async () => {
  expect(await continueUpload(4)).toEqual(['HEAD OLD', 'PATCH OLD from 2']);
});

test('begins again if the file has another length than the interrupted upload', async () => {
  expect(await continueUpload(9)).toEqual(['HEAD OLD', 'POST uploads', 'PATCH NEW from 0']);
});

test('an empty file whose reply was lost is stored, and another file at its path is not taken for it', async () => {
  const upload = async (storedBytes: number, { isLost = true } = {}): Promise<unknown> => {
    let creations = 0;
    const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
      if (init.method === 'HEAD') return new Response(null, { headers: { 'content-length': String(storedBytes) } });
      creations += 1;
      if (isLost && creations === 1) throw new TypeError('The connection was lost.');
      return new Response('', { status: 412 });
    };
    const client = createClient('https://media.example.org', { accessToken: 'token' }, { fetch });
    return client.upload(new Blob([]), 'a.txt').catch((error: unknown) => error);
  };
  expect(await upload(0)).toBeUndefined();
  expect(await upload(5)).toMatchObject({ status: 412 });
  expect(await upload(0, { isLost: false }), 'the file existed before').toMatchObject({ status: 412 });
});

test('deletes a failed upload, also if the request that failed still uses it', async () => {
  let deletions = 0;
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    if (init.method === 'POST') return new Response(null, { status: 201, headers: { location: '/api/uploads/NEW' } });
    if (init.method === 'PATCH') return new Response('', { status: 413 });
    deletions += 1;
    return new Response(deletions === 1 ? '' : null, { status: deletions === 1 ? 423 : 204 });
  };
  const client = createClient('https://media.example.org', { accessToken: 'token' }, { fetch });
  await expect(client.upload(new Blob(['abcd']), 'a.mov')).rejects.toMatchObject({ status: 413 });
  expect(deletions).toBe(2);
});

test('gives up if the service takes no bytes', async () => {
  const fetch = async (): Promise<Response> => new Response(null, { status: 204, headers: { 'upload-offset': '0' } });
  const client = createClient('https://media.example.org', { accessToken: 'token' }, { fetch });
  await expect(client.upload(new Blob(['abcd']), 'a.mov')).rejects.toThrow('taken none');
});
