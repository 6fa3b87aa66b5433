import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AttemptDeferred } from '../../packages/contract/src/domain/failure.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { MediaStore, StagingOptions } from '../../packages/service/src/jobs/ports/media-store.ts';
import { probeCopies } from '../../packages/service/src/media/scratch/probe-copies.ts';
import { fetchFiles } from '../../packages/service/src/media/urls/fetch-inputs.ts';
import { type FetchSpace, fetchSpace } from '../../packages/service/src/media/urls/fetch-space.ts';
import { urlMedia } from '../../packages/service/src/media/urls/url-media.ts';
import { outgoingClient } from '../../packages/service/src/outgoing/outgoing-client.ts';
import { failure } from '../contracts/media.ts';
import { type FileSite, sendFile, startFileSite } from '../support/file-site.ts';
import { testFolder } from '../support/folders.ts';

const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
const OTHER = Buffer.from(FILE).reverse();

let site: FileSite;
let folder: string;
beforeEach(async () => {
  site = await startFileSite();
  folder = await testFolder('fetched');
});
afterEach(() => site.close());

interface Disk {
  readonly freeBytes?: () => Promise<number>;
  readonly minFreeBytes?: number;
  readonly space?: FetchSpace;
}

/** Fetches paths of the site to files 0, 1, … */
async function fetchPaths(paths: readonly string[], options: StagingOptions = {}, disk: Disk = {}) {
  const [name = '', port] = site.host.split(':');
  const client = outgoingClient({ isPublicAllowed: false, hosts: [{ host: name, port: Number(port) }] });
  onTestFinished(() => client.close());
  const { freeBytes = async () => 2 ** 40, minFreeBytes = 0 } = disk;
  const deps = { client, space: disk.space ?? fetchSpace({ freeBytes, minFreeBytes }) };
  const files = paths.map((path, i) => ({
    url: site.url + path,
    path: `${site.url}${path.replace(/\?.*/, '')}`,
    file: join(folder, String(i)),
  }));
  const fetched = await fetchFiles(deps, files, options);
  return fetched.files.map(({ sizeBytes }) => sizeBytes);
}

const fetched = (name = '0') => readFile(join(folder, name));
const ranges = () => site.requests.map(({ headers }) => headers.range);

test('fetches files, and links those with the same URL', async () => {
  site.answer('/a', FILE);
  site.answer('/b', OTHER);
  expect(await fetchPaths(['/a', '/b', '/a', '/a?x'])).toEqual([FILE, OTHER, FILE, FILE].map(({ length }) => length));
  expect(await Promise.all(['0', '1', '2', '3'].map((name) => fetched(name)))).toEqual([FILE, OTHER, FILE, FILE]);
  expect(site.requests.map(({ line }) => line).toSorted()).toEqual(['GET /a', 'GET /a?x', 'GET /b']);
  const [first, second] = await Promise.all(['0', '2'].map((name) => stat(join(folder, name))));
  expect(first?.ino).toBe(second?.ino);
});

test('continues after each cut behind the last byte', async () => {
  const percents: number[] = [];
  const received = (bytes: number): Promise<void> =>
    vi.waitFor(() => expect(percents.at(-1)).toBeGreaterThanOrEqual(Math.floor((100 * bytes) / FILE.length)), {
      timeout: 15_000,
    });
  site.answer('/a', (request, response) => sendFile(request, response, FILE, { cutAfter: 100_000, received }));
  await fetchPaths(['/a'], { onProgress: (percent) => percents.push(percent) });
  expect(await fetched()).toEqual(FILE);
  const [first, ...others] = site.requests.map(({ headers }) => headers);
  expect(first).not.toHaveProperty('range');
  expect(others.map(({ range }) => range)).toEqual(['bytes=100000-', 'bytes=200000-']);
  expect(new Set(others.map((headers) => headers['if-range']))).toEqual(new Set(['"version-1"']));
  expect(percents.at(-1)).toBe(100);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
});

test('begins again if the file was replaced meanwhile', async () => {
  site.answer('/a', (request, response, count) => {
    if (count === 0) sendFile(request, response, FILE, { cutAfter: 100_000 });
    else sendFile(request, response, OTHER, { etag: '"version-2"' });
  });
  await fetchPaths(['/a']);
  expect(await fetched()).toEqual(OTHER);
});

test.each([['W/"version-1"'], ['no-quotes']])('begins again without a strong ETag: %s', async (etag) => {
  site.answer('/a', (request, response, count) =>
    sendFile(request, response, FILE, count < 2 ? { etag, cutAfter: 100_000 } : { etag }),
  );
  await fetchPaths(['/a']);
  expect(await fetched()).toEqual(FILE);
  expect(ranges()).toEqual([undefined, undefined, undefined]);
});

test('continues a file without an ETag whose date names its version', async () => {
  const headers = { 'last-modified': 'Wed, 01 Jul 2026 10:00:00 GMT' };
  const arrived = Promise.withResolvers<void>();
  site.answer('/a', (request, response, count) =>
    sendFile(request, response, FILE, {
      headers,
      ...(count === 0 && { cutAfter: 100_000, received: () => arrived.promise }),
    }),
  );
  await fetchPaths(['/a'], { onProgress: (percent) => percent > 0 && arrived.resolve() });
  expect(await fetched()).toEqual(FILE);
  expect(site.requests.map(({ headers: sent }) => sent['if-range'])).toEqual([undefined, headers['last-modified']]);
});

test('never joins parts of two versions, whatever a server claims', async () => {
  site.answer('/a', (request, response, count) => {
    if (count === 0) return sendFile(request, response, FILE, { cutAfter: 100_000 });
    if (count > 1) return sendFile(request, response, OTHER, { etag: '"version-2"' });
    response.writeHead(206, { etag: '"version-2"', 'content-range': `bytes 100000-299999/300000` });
    response.end(OTHER.subarray(100_000));
  });
  await fetchPaths(['/a']);
  expect(await fetched()).toEqual(OTHER);
});

test.each([
  ['the same size', '*'],
  ['a smaller size', '200000'],
])('takes a part of a file with %s for no complete file: bytes 100000-199999/%s', async (_what, size) => {
  site.answer('/a', (request, response, count) => {
    if (count !== 1) return sendFile(request, response, FILE, count === 0 ? { cutAfter: 100_000 } : {});
    const [, from = ''] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(206, { etag: '"version-1"', 'content-range': `bytes ${from}-199999/${size}` });
    response.end(FILE.subarray(Number(from), 200_000));
  });
  expect(await fetchPaths(['/a'])).toEqual([FILE.length]);
  expect(await fetched()).toEqual(FILE);
});

test('names the host that replied after a redirect', async () => {
  const host = site.host.replace('127.0.0.1', 'localhost');
  site.answer('/moved', (_request, response) => response.writeHead(302, { location: `http://${host}/gone` }).end());
  await expect(fetchPaths(['/moved'])).rejects.toMatchObject({
    failure: { message: `Input "${site.url}/moved" does not exist: ${host} replied with status 404.` },
  });
});

test('gives up a file that is always cut and cannot be continued', { tags: 'long' }, async () => {
  site.answer('/a', (request, response) => sendFile(request, response, FILE, { etag: 'none', cutAfter: 100_000 }));
  await expect(fetchPaths(['/a'])).rejects.toEqual(failure('INPUT_UNAVAILABLE'));
  expect(site.requests).toHaveLength(4);
  expect(await readdir(folder)).toEqual([]);
});

test('gives up a server that fails again and again', async () => {
  site.answer('/a', (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end());
  await expect(fetchPaths(['/a'])).rejects.toMatchObject({
    nonRetryable: false,
    failure: {
      code: 'INPUT_UNAVAILABLE',
      message: `Input "${site.url}/a" cannot be fetched: ${site.host} replied with status 503.`,
    },
  });
  expect(site.requests).toHaveLength(5);
});

test('leaves a long Retry-After to the next attempt of the job', async () => {
  site.answer('/a', (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
  await expect(fetchPaths(['/a'])).rejects.toMatchObject({ nonRetryable: false });
  expect(site.requests).toHaveLength(1);
});

test('a length that is not that of the body is no complete file', { tags: 'long' }, async () => {
  site.answer('/short', (_request, response, count) => {
    response.writeHead(200, { 'content-length': FILE.length });
    if (count > 2) response.end(FILE);
    else response.write(FILE.subarray(0, 1000), () => response.socket?.end());
  });
  await fetchPaths(['/short']);
  expect(await fetched()).toEqual(FILE);
});

test.each([
  ['an encoded body', { 'content-encoding': 'gzip' }, 'bytes', 'INPUT_INVALID'],
  ['an empty file', {}, '', 'INPUT_INVALID'],
  ['a playlist', {}, '#EXTM3U\n', 'INPUT_INVALID'],
  ['a web page', { 'content-type': 'text/html' }, '<!doctype html><title>Log in</title>', 'INPUT_INVALID'],
] as const)('rejects %s at once', async (_what, headers, body, code) => {
  site.answer('/a', (_request, response) => response.writeHead(200, headers).end(body));
  await expect(fetchPaths(['/a'])).rejects.toEqual(failure(code));
  expect(site.requests).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
});

test('rejects a playlist that is sent slowly, before all of it has arrived', async () => {
  site.answer('/a', (_request, response) => {
    response.write('#EXTM3U\n');
    response.write(Buffer.alloc(8192, '#'));
  });
  await expect(fetchPaths(['/a'])).rejects.toThrow('is an HLS playlist');
});

test('stops before the first byte if the declared size is over the limit or the reserve of the disk', async () => {
  site.answer('/a', (_request, response) => response.writeHead(200, { 'content-length': FILE.length }).write('a'));
  const tooLarge = new Error('too large');
  const checkSizes: StagingOptions['checkSizes'] = (sizes) => {
    if (sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > 1000) throw tooLarge;
  };
  await expect(fetchPaths(['/a'], { checkSizes })).rejects.toBe(tooLarge);
  const disk = { freeBytes: async () => 500_000, minFreeBytes: 300_000 };
  await expect(fetchPaths(['/a'], {}, disk)).rejects.toEqual(failure('NO_SPACE'));
});

test('stops a file without a declared size at the reserve of the disk', async () => {
  site.answer('/a', (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  });
  let free = 40 * 2 ** 20;
  const disk = { freeBytes: async () => (free -= 8 * 2 ** 20), minFreeBytes: 2 ** 20 };
  await expect(fetchPaths(['/a'], {}, disk)).rejects.toEqual(failure('NO_SPACE'));
  expect(await readdir(folder)).toEqual([]);
});

test('of two jobs whose files do not fit together, the second is deferred until the first has its files', async () => {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  site.answer('/a', (_request, response) => {
    response.writeHead(200, { 'content-length': FILE.length });
    response.write(FILE.subarray(0, 1));
    goOn.promise.then(() => response.end(FILE.subarray(1)));
  });
  site.answer('/b', OTHER);
  const space = fetchSpace({ freeBytes: async () => 500_000, minFreeBytes: 0 });
  const first = fetchPaths(['/a'], { onProgress: () => begun.resolve() }, { space });
  await begun.promise;
  const error = await fetchPaths(['/b'], {}, { space }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AttemptDeferred);
  expect(error).toEqual(failure('NO_SPACE'));
  goOn.resolve();
  expect(await first).toEqual([FILE.length]);
  expect(await fetchPaths(['/b'], {}, { space })).toEqual([OTHER.length]);
});

test('the first failure ends all downloads of a job', async () => {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  site.answer('/silent', (_request, response) => {
    response.on('close', closed.resolve);
    response.write('start', () => begun.resolve());
  });
  site.answer('/gone', (_request, response) => begun.promise.then(() => response.writeHead(410).end()));
  await expect(fetchPaths(['/silent', '/gone'])).rejects.toEqual(failure('INPUT_NOT_FOUND'));
  await closed.promise;
});

test('ends with the failure of the deadline, and with the reason of the caller', async () => {
  site.answer('/silent', (_request, response) => response.write('start'));
  const late = { code: 'LIMIT_EXCEEDED', message: 'Too slow.' } as const;
  const deadline = { seconds: 1, failure: late };
  await expect(fetchPaths(['/silent'], { deadline })).rejects.toMatchObject({ failure: late });
  const controller = new AbortController();
  const reason = new Error('cancelled');
  const waiting = fetchPaths(['/silent'], { signal: controller.signal, onProgress: () => controller.abort(reason) });
  await expect(waiting).rejects.toBe(reason);
  expect(await readdir(folder)).toEqual([]);
});

test('fetches no more than four files at a time', async () => {
  let [now, most] = [0, 0];
  const names = Array.from({ length: 12 }, (_, i) => `/file-${i}`);
  for (const name of names)
    site.answer(name, (_request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end(FILE);
      }, 50);
    });
  await fetchPaths(names);
  expect(most).toBe(4);
});

describe('copies of probed files', () => {
  const log = { warn: () => {} };
  /** A service with the scratch folder `jobs-NAME`, which shares its disk with services of the same database. */
  const serviceNamed = (name: string) => {
    const copies = probeCopies({
      scratchRoot: join(folder, `jobs-${name}`),
      isPeer: (other) => other.startsWith('jobs-'),
      log,
    });
    const [host = '', port] = site.host.split(':');
    const client = outgoingClient({ isPublicAllowed: false, hosts: [{ host, port: Number(port) }] });
    onTestFinished(() => client.close());
    // A probe of a URL uses nothing else of the engine.
    const base = { freeBytes: async () => 2 ** 40 } as unknown as MediaStore;
    const media = urlMedia({ base, client, copies, minFreeBytes: 0 });
    const stage = () => media.stageUrl?.({ url: `${site.url}/a`, path: `${site.url}/a` as MediaPath, logical: 'in/0' });
    return { copies, media, stage };
  };
  const age = async (path: string, hours: number): Promise<void> => {
    const at = new Date(Date.now() - hours * 3_600_000);
    await utimes(path, at, at);
  };
  beforeEach(() => site.answer('/a', FILE));

  test('are removed when the probe has ended, and when the download failed', async () => {
    const { media, stage } = serviceNamed('one');
    const input = await stage();
    expect(await readdir(join(folder, 'probes-jobs-one'))).toHaveLength(1);
    if (input !== undefined) await media.removeInput(input);
    site.answer('/a', new Uint8Array());
    await expect(stage()).rejects.toEqual(failure('INPUT_INVALID'));
    expect(await readdir(join(folder, 'probes-jobs-one'))).toEqual([]);
  });

  test('of killed processes are removed later, and those in use stay, whatever their age', async () => {
    const { copies, media, stage } = serviceNamed('one');
    const input = await stage();
    onTestFinished(async () => input && media.removeInput(input));
    const own = join(folder, 'probes-jobs-one');
    const [used = ''] = await readdir(own);
    await writeFile(join(own, 'left'), FILE);
    await writeFile(join(own, 'of-another-process'), FILE);
    await age(join(own, 'left'), 4);
    await age(join(own, used), 4);
    await copies.sweep();
    expect((await readdir(own)).toSorted()).toEqual([used, 'of-another-process'].toSorted());
    // So another process with this folder sees that it is in use.
    expect(Date.now() - (await stat(join(own, used))).mtimeMs).toBeLessThan(60_000);
  });

  test('of services that have ended are removed by the others on their disk, and of no others', async () => {
    for (const name of ['jobs-one', 'jobs-ended', 'jobs-live', 'of-others']) {
      await mkdir(join(folder, `probes-${name}`));
      await writeFile(join(folder, `probes-${name}`, 'left'), FILE);
      await age(join(folder, `probes-${name}`, 'left'), 100);
    }
    for (const name of ['jobs-ended', 'of-others']) await age(join(folder, `probes-${name}`), 100);
    await age(join(folder, 'probes-jobs-live'), 10);
    await symlink(join(folder, 'probes-of-others'), join(folder, 'probes-jobs-symlink'));
    await serviceNamed('one').copies.sweep();
    expect((await readdir(folder)).toSorted()).toEqual(
      ['probes-jobs-live', 'probes-jobs-one', 'probes-jobs-symlink', 'probes-of-others'].toSorted(),
    );
    expect(await readdir(join(folder, 'probes-jobs-one'))).toEqual([]);
    for (const name of ['jobs-live', 'of-others'])
      expect(await readdir(join(folder, `probes-${name}`))).toEqual(['left']);
  });
});
