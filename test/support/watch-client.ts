import { expect } from 'vitest';
import type { WatchedFileListView, WatchedFileView, WatchView } from '../../packages/contract/src/wire/watch.ts';
import { type ApiClient, login } from './api-client.ts';
import { insertClient } from './insert-client.ts';
import type { TestServer } from './server.ts';
import type { TestMedia } from './test-media.ts';
import { waitUntil } from './wait.ts';

/** A conversion that keeps each sample, so that `soundSame` compares an output with its source. */
export const SAME_SOUND = { output: 'out/{folder}{name}.wav', parameters: { 'c:a': 'pcm_s16le' } };

export type WatchCounts = Partial<WatchView['counts']>;

/** How long a busy machine may take for some small files. */
const SECONDS = 90;

/** How often a wait asks for a list. The service scans less often, so this need not be rare. */
const ASK_MS = 2000;

/** A client with a media root of its own. */
export interface WatchingClient {
  readonly server: TestServer;
  readonly client: ApiClient;
  readonly media: TestMedia;
  /** The client's media root, below that of the service. */
  readonly root: string;
}

export async function watchingClient(server: TestServer, name: string): Promise<WatchingClient> {
  const root = `clients/${name}`;
  const client = await login(server.url, await insertClient(server, name, { root }));
  return { server, client, media: server.media.below(root), root };
}

/** A watch, as its client sees it. */
export interface TestWatch {
  readonly watchId: string;
  read(): Promise<WatchView>;
  change(body: object): Promise<WatchView>;
  retry(paths?: readonly string[]): Promise<number>;
  remove(): Promise<void>;
  /** All files that the watch knows, by path. */
  files(query?: string): Promise<readonly WatchedFileView[]>;
  /** Waits until `read` has a value. In a bucket, which is listed once a minute, it asks for lists meanwhile. */
  wait<T>(what: string, read: () => Promise<T | undefined>): Promise<T>;
  /** Waits, as `wait` does, until so many files have these states. */
  until(counts: WatchCounts): Promise<WatchView>;
  /** Waits until a scan of the folder has begun and ended. No other watch of the service may be active. */
  scan(): Promise<void>;
}

/** Makes a watch that lists its folder each second, and takes files after a second. */
export async function makeWatch({ server, client }: Pick<WatchingClient, 'server' | 'client'>, body: object) {
  const sent = { folder: 'in/', settleSeconds: 1, every: 1, request: SAME_SOUND, ...body };
  const reply = await client.request<WatchView>('/api/watches', { method: 'POST', body: sent });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return watchOf(server, client, reply.body.watchId);
}

export function watchOf(server: Pick<TestServer, 'url' | 'settings'>, client: ApiClient, watchId: string): TestWatch {
  const path = `/api/watches/${watchId}`;
  const ok = async <T>(at: string, options: Parameters<ApiClient['request']>[1] = {}): Promise<T> => {
    const reply = await client.request<T>(at, options);
    if (reply.status >= 300) throw new Error(`${at} → ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const read = (): Promise<WatchView> => ok(path);
  const files: TestWatch['files'] = async (query = '') => {
    const found: WatchedFileView[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const at = new URLSearchParams(query);
      if (cursor !== undefined) at.set('cursor', cursor);
      const page = await ok<WatchedFileListView>(`${path}/files?${at}`);
      found.push(...page.files);
      cursor = page.nextCursor;
    }
    return found;
  };
  const wait: TestWatch['wait'] = (what, readValue) => {
    let askedMs = performance.now();
    return waitUntil(
      what,
      async () => {
        if ('TELECINE_STORAGE' in server.settings && performance.now() > askedMs + ASK_MS) {
          askedMs = performance.now();
          // To resume a watch that is active lists its folder at once.
          if ((await read()).state === 'ACTIVE') await ok(path, { method: 'PATCH', body: { state: 'ACTIVE' } });
        }
        return readValue();
      },
      SECONDS,
    );
  };
  return {
    watchId,
    wait,
    read,
    files,
    change: (body) => ok(path, { method: 'PATCH', body }),
    retry: async (paths) =>
      (await ok<{ files: number }>(`${path}/retry`, { method: 'POST', body: paths === undefined ? {} : { paths } }))
        .files,
    remove: () => ok(path, { method: 'DELETE' }),
    async until(counts) {
      let last: WatchView | undefined;
      const isReached = async (): Promise<WatchView | undefined> => {
        last = await read();
        const { counts: now } = last;
        return Object.entries(counts).every(([state, count]) => now[state as keyof typeof now] === count)
          ? last
          : undefined;
      };
      return wait(`the counts ${JSON.stringify(counts)}`, isReached).catch(async (cause: unknown) => {
        throw new Error(`The watch is ${JSON.stringify(last)}, its files ${JSON.stringify(await files())}`, { cause });
      });
    },
    async scan() {
      // A scan that runs began before.
      const before = await scansOf(server.url);
      await waitUntil('a scan', async () => (await scansOf(server.url)) > before + 1 || undefined, SECONDS);
    },
  };
}

/** How many complete scans of whole folders the metrics of a service count. */
async function scansOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^telecine_watch_scan_seconds_count\{end="complete"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
