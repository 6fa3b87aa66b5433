import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ByteRange } from '../../packages/contract/src/domain/byte-ranges.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import type { MediaStore, StagedInput, StagingOptions } from '../../packages/service/src/jobs/ports/media-store.ts';
import type { ProbeCopies } from '../../packages/service/src/media/scratch/probe-copies.ts';
import { urlMedia } from '../../packages/service/src/media/urls/url-media.ts';
import { outgoingClient } from '../../packages/service/src/outgoing/outgoing-client.ts';
import { failure } from '../contracts/media.ts';
import { type FileSite, sendFile, startFileSite } from '../support/file-site.ts';
import { testFolder } from '../support/folders.ts';

const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i % 251) + 1));
const OTHER = Buffer.from(FILE).reverse();
const VERSION = '"version-1"';
const BYTES: readonly ByteRange[] = [
  [0, 10_000],
  [100_000, 130_000],
  [299_000, 300_000],
];
const DATED = { 'last-modified': 'Wed, 01 Jul 2026 10:00:00 GMT' };

let site: FileSite;
let folder: string;
beforeEach(async () => {
  site = await startFileSite();
  folder = await testFolder('ranges');
  await mkdir(join(folder, 'in'));
});
afterEach(() => site.close());

/** An engine that may fetch from the site. `freeBytes`: the free space of its disk. */
function openMedia({ freeBytes = 2 ** 40 } = {}): MediaStore {
  const [host = '', port] = site.host.split(':');
  const client = outgoingClient({ isPublicAllowed: false, hosts: [{ host, port: Number(port) }] });
  onTestFinished(() => client.close());
  const base = { freeBytes: async () => freeBytes, scratchFolder: () => folder, stage: async () => [] };
  return urlMedia({
    base: base as unknown as MediaStore,
    client,
    copies: undefined as unknown as ProbeCopies,
    minFreeBytes: 0,
  });
}

const inputAt = (path: string) => ({
  url: site.url + path,
  path: `${site.url}${path.replace(/\?.*/, '')}` as MediaPath,
  logical: 'in/0.mp4',
  field: '/input',
});

/** Stages a path of the site, by default the parts `BYTES` of it. */
async function stage(path = '/a', options: StagingOptions = {}, disk = {}): Promise<StagedInput | undefined> {
  const parts = { bytes: BYTES, version: VERSION };
  const root = undefined as unknown as MediaRoot;
  const [staged] = await openMedia(disk).stage(root, { name: 'job.1' }, [inputAt(path)], [], { ...parts, ...options });
  return staged;
}

const fetched = () => readFile(join(folder, 'in/0.mp4'));
const sent = (header: string) => site.requests.map(({ headers }) => headers[header]);

describe('parts of a file', () => {
  test('are in a file of the same size, and nothing else is fetched', async () => {
    site.answer('/a', (request, response) => sendFile(request, response, FILE));
    expect(await stage()).toMatchObject({ sizeBytes: FILE.length, isPartial: true, version: VERSION });
    const copy = await fetched();
    expect(copy.length).toBe(FILE.length);
    for (const [from, to] of BYTES) expect(copy.subarray(from, to).equals(FILE.subarray(from, to))).toBe(true);
    expect(copy.subarray(130_000, 299_000).every((byte) => byte === 0)).toBe(true);
    expect(sent('range').toSorted()).toEqual(['bytes=0-9999', 'bytes=100000-129999', 'bytes=299000-299999']);
    expect(new Set(sent('if-range'))).toEqual(new Set([VERSION]));
  });

  test('of a file without an ETag are fetched by its date', async () => {
    site.answer('/a', (request, response) => sendFile(request, response, FILE, { headers: DATED }));
    await stage('/a', { version: DATED['last-modified'] });
    expect((await fetched()).subarray(100_000, 130_000).equals(FILE.subarray(100_000, 130_000))).toBe(true);
  });

  test('continue behind the last byte after a cut', async () => {
    let cuts = 0;
    site.answer('/a', (request, response) => {
      const isCut = request.headers.range === 'bytes=100000-129999' && cuts++ === 0;
      // Wait until the disk has what was sent: a client loses what it has not read when the connection closes.
      const received = async (): Promise<void> => {
        await expect.poll(async () => (await fetched())[119_999]).toBe(FILE[119_999]);
      };
      sendFile(request, response, FILE, isCut ? { cutAfter: 20_000, received } : {});
    });
    await stage();
    expect((await fetched()).subarray(100_000, 130_000).equals(FILE.subarray(100_000, 130_000))).toBe(true);
    expect(sent('range')).toContain('bytes=120000-129999');
  });

  test.each([
    ['another version', (file: Buffer) => ({ file, etag: '"version-2"' })],
    ['no version', (file: Buffer) => ({ file, etag: 'W/"version-1"' })],
    ['another size', (file: Buffer) => ({ file: file.subarray(0, 299_999), etag: VERSION })],
  ])('of %s are not joined with those of the first, even if the server ignores If-Range', async (_what, change) => {
    site.answer('/a', (request, response, count) => {
      const { file, etag } = count === 0 ? { file: FILE, etag: VERSION } : change(OTHER);
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = file.subarray(Number(from), Number(to) + 1);
      const last = Number(from) + part.length - 1;
      response.writeHead(206, { etag, 'content-range': `bytes ${from}-${last}/${file.length}` }).end(part);
    });
    await expect(stage()).rejects.toEqual(failure('INPUT_INVALID'));
    expect(await readdir(join(folder, 'in'))).toEqual([]);
  });

  test('are not taken from a whole file', async () => {
    site.answer('/a', (_request, response) => response.writeHead(200, { etag: VERSION }).end(FILE));
    await expect(stage()).rejects.toMatchObject({
      failure: { message: expect.stringContaining(`or ${site.host} no longer sends parts of it`) },
    });
    expect(site.requests).toHaveLength(1);
  });

  test('are never longer than what was requested', async () => {
    site.answer('/a', (_request, response) =>
      response.writeHead(206, { etag: VERSION, 'content-range': 'bytes 0-9999/300000' }).end(FILE.subarray(0, 10_001)),
    );
    await expect(stage()).rejects.toEqual(failure('INPUT_UNAVAILABLE'));
    expect(await readdir(join(folder, 'in'))).toEqual([]);
  });

  test('are not those of a playlist', async () => {
    const list = Buffer.alloc(300_000, '#EXTM3U\n');
    site.answer('/a', (request, response) => sendFile(request, response, list));
    await expect(stage()).rejects.toThrow('is an HLS playlist');
  });

  test('count with the size of the whole file for limits, and with their own for the disk', async () => {
    site.answer('/a', (request, response) => sendFile(request, response, FILE));
    const tooLarge = new Error('too large');
    const checkSizes: StagingOptions['checkSizes'] = ([{ sizeBytes } = { sizeBytes: 0 }]) => {
      if (sizeBytes === FILE.length) throw tooLarge;
    };
    await expect(stage('/a', { checkSizes })).rejects.toBe(tooLarge);
    await expect(stage('/a', {}, { freeBytes: 40_999 })).rejects.toEqual(failure('NO_SPACE'));
    expect(await stage('/a', {}, { freeBytes: 41_000 })).toMatchObject({ isPartial: true });
    expect((await stat(join(folder, 'in/0.mp4'))).blocks * 512).toBeLessThan(100_000);
  });

  test('end with the failure of the deadline, and with the reason of the caller', async () => {
    const begun = Promise.withResolvers<void>();
    site.answer('/a', () => begun.resolve());
    const late = { code: 'LIMIT_EXCEEDED', message: 'Too slow.' } as const;
    await expect(stage('/a', { deadline: { seconds: 0.2, failure: late } })).rejects.toMatchObject({ failure: late });
    const controller = new AbortController();
    const waiting = stage('/a', { signal: controller.signal });
    await begun.promise;
    const reason = new Error('cancelled');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await readdir(join(folder, 'in'))).toEqual([]);
  });

  test('are not fetched from a host to which the server redirects and that is not allowed', async () => {
    const inner = await startFileSite();
    onTestFinished(() => inner.close());
    inner.answer('/secret', (request, response) => sendFile(request, response, FILE));
    site.answer('/a', (request, response, count) => {
      if (count === 0) sendFile(request, response, FILE);
      else response.writeHead(302, { location: `${inner.url}/secret` }).end();
    });
    await expect(stage()).rejects.toThrow('the operator does not allow it');
    expect(inner.requests).toEqual([]);
  });
});

test('the version of a file that is fetched whole is known, so that its parts can be fetched later', async () => {
  site.answer('/etag', (request, response) => sendFile(request, response, FILE));
  site.answer('/date', (request, response) => sendFile(request, response, FILE, { headers: DATED }));
  site.answer('/none', FILE);
  const root = undefined as unknown as MediaRoot;
  const versionOf = async (path: string) => {
    const [staged] = await openMedia().stage(root, { name: 'job.1' }, [inputAt(path)], []);
    return { version: staged?.version, isPartial: staged?.isPartial };
  };
  expect(await versionOf('/etag')).toEqual({ version: VERSION, isPartial: undefined });
  expect(await versionOf('/date')).toEqual({ version: DATED['last-modified'], isPartial: undefined });
  expect(await versionOf('/none')).toEqual({ version: undefined, isPartial: undefined });
});

describe('whether a server sends parts', () => {
  const check = (path: string, fetchedInput?: { readonly version?: string }) =>
    openMedia().checkRanges?.(inputAt(path), {
      isQuick: true,
      ...(fetchedInput && { fetched: fetchedInput as unknown as StagedInput }),
    });

  test('is found by a request for one byte', async () => {
    site.answer('/a', (request, response) => sendFile(request, response, FILE));
    site.answer('/date', (request, response) => sendFile(request, response, FILE, { headers: DATED }));
    expect(await check('/a?sig=1')).toEqual({ version: VERSION });
    expect(await check('/a', { version: VERSION })).toEqual({ version: VERSION });
    expect(await check('/date')).toEqual({ version: DATED['last-modified'] });
    expect(sent('range')).toEqual(['bytes=0-0', 'bytes=0-0', 'bytes=0-0']);
    expect(sent('if-range')).toEqual([undefined, VERSION, undefined]);
  });

  test('has a reason if it does not', async () => {
    site.answer('/whole', FILE);
    site.answer('/weak', (request, response) => sendFile(request, response, FILE, { etag: 'W/"a"' }));
    site.answer('/new', (request, response) => sendFile(request, response, FILE, { etag: '"version-2"' }));
    site.answer('/private', (_request, response) => response.writeHead(403).end());
    expect(await check('/whole')).toEqual({
      whole: `${site.host} sends the whole input when a part is requested, so each worker would fetch all of it.`,
    });
    expect(await check('/weak')).toEqual({ whole: expect.stringContaining('must send a strong ETag') });
    expect(await check('/new', { version: VERSION })).toEqual({ whole: expect.stringContaining('has replaced') });
    expect(await check('/a', {})).toEqual({ whole: expect.stringContaining('must send a strong ETag') });
    expect(await check('/private?sig=secret')).toEqual({
      whole: expect.stringContaining(`"${site.url}/private" is not accessible`),
    });
  });

  test('has a reason if the server does not reply in time, unlike an abort by the caller', async () => {
    site.answer('/silent', () => {});
    const check = (signal: AbortSignal, maxWaitMs: number) =>
      openMedia().checkRanges?.(inputAt('/silent'), { signal, maxWaitMs });
    expect(await check(NEVER, 200)).toEqual({ whole: `${site.host} did not reply within 0.2 s.` });
    await expect(check(AbortSignal.abort(new Error('gone')), 60_000)).rejects.toThrow('gone');
  });

  test('is asked again after a moment for a job, and once for a caller who waits', async () => {
    const answer: Parameters<FileSite['answer']>[1] = (request, response, count) => {
      if (count === 0) response.writeHead(503, { 'retry-after': '0' }).end();
      else sendFile(request, response, FILE);
    };
    site.answer('/a', answer);
    site.answer('/b', answer);
    expect(await openMedia().checkRanges?.(inputAt('/a'))).toEqual({ version: VERSION });
    expect(await check('/b')).toEqual({ whole: expect.stringContaining('replied with status 503') });
  });
});
