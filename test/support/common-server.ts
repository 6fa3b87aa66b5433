import { cp, lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { SCOPES } from '../../packages/contract/src/domain/client.ts';
import { afterFile } from './after-file.ts';
import { type ApiClient, adminClient, login } from './api-client.ts';
import { type FileSite, startFileSite } from './file-site.ts';
import { testFolder } from './folders.ts';
import { insertClient } from './insert-client.ts';
import { shareContract } from './openapi-contract.ts';
import { startServer, type TestServer } from './server.ts';
import { waitUntil } from './wait.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** What a test file has of the service that all files of its process use. */
export interface CommonServer {
  /** Its media root is a folder of this file, its log begins with this file, and no test may stop it. */
  readonly server: TestServer;
  /** A client of this file, with all scopes but that of administrators. It sees its own jobs alone. */
  readonly own: ApiClient;
  /** The administrator, for what clients may not do. Its media root is that of the service, and it also sees the jobs of earlier files. */
  readonly admin: ApiClient;
  /** A web server of this process from which the service may fetch inputs. It keeps the answers and requests of earlier files. */
  readonly site: FileSite;
  /** A receiver of this process to which the service may send webhooks. It keeps the answers and events of earlier files. */
  readonly receiver: WebhookReceiver;
}

/** Settings of the common service: limits that a test can reach. */
export const COMMON = {
  slots: 2,
  linkSeconds: 600,
  maxUploadBytes: 32_000_000,
  sharesPerClient: 6,
  eventStreams: 10,
} as const;

const ENV = {
  TELECINE_CONCURRENCY: String(COMMON.slots),
  TELECINE_LINK_SECONDS: String(COMMON.linkSeconds),
  TELECINE_MAX_UPLOAD_SIZE: String(COMMON.maxUploadBytes),
  TELECINE_CLIENT_LIMITS: `shares=${COMMON.sharesPerClient},event-streams=${COMMON.eventStreams}`,
  TELECINE_EVENT_HEARTBEAT_SECONDS: '1',
};

type Running = Pick<CommonServer, 'server' | 'site' | 'receiver'>;

/** The service of this process, from the first file that uses it on. */
let running: Promise<Running> | undefined;
/** What the test file that runs now has of it. */
let current: Promise<CommonServer> | undefined;
let files = 0;

/**
 * A service that the files of a process share: starting one, and letting it become fast, takes longer than the tests of many files. For
 * files whose tests need no settings but `COMMON`, do not stop the service, and undo what they change for all clients; others take
 * `sharedServer`. It starts at the first call.
 */
export const commonServer = (): (() => Promise<CommonServer>) => () => {
  if (current === undefined) {
    current = enter();
    afterFile(leave);
  }
  return current;
};

async function enter(): Promise<CommonServer> {
  running ??= start();
  const { server: whole, site, receiver } = await running;
  shareContract(whole.url, whole.settings);
  files += 1;
  const name = `file-${files}`;
  const folder = join(whole.mediaRoot, name);
  await mkdir(folder);
  const begin = whole.log().length;
  const credentials = await insertClient(whole, name, { root: name, scopes: SCOPES.filter((one) => one !== 'admin') });
  const [own, admin] = [await login(whole.url, credentials), await adminClient(whole)];
  return {
    server: {
      ...whole,
      mediaRoot: folder,
      media: whole.media.below(name),
      part: name,
      log: () => whole.log().slice(begin),
    },
    own,
    admin,
    site,
    receiver,
  };
}

async function start(): Promise<Running> {
  // Removed after the run.
  const folder = await mkdtemp(join(inject('clips'), 'common-'));
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  for (const each of [dataDir, mediaRoot]) await mkdir(each);
  const [site, receiver] = await Promise.all([startFileSite(), startReceiver()]);
  const env = { ...ENV, TELECINE_INPUT_URLS: `public,${site.host}`, TELECINE_WEBHOOK_HOSTS: receiver.host };
  const server = await startServer({ dataDir, mediaRoot, outlivesFile: true, env });
  // The next file starts another one.
  void server.exited.then(() => {
    running = undefined;
  });
  return { server, site, receiver };
}

/** Ends the jobs that a test file left, and resumes the queue. Keeps its files if it failed. */
async function leave(failed: boolean): Promise<void> {
  const [entered, left] = await Promise.all([current, running]).catch(() => []);
  current = undefined;
  if (entered === undefined || left === undefined) return;
  if (failed) {
    // A pipe cannot be copied.
    const filter = async (path: string) => !(await lstat(path)).isFIFO();
    await cp(entered.server.mediaRoot, join(await testFolder('media'), 'media'), { recursive: true, filter });
  }
  const admin = await adminClient(left.server);
  // A test that failed may have left the queue paused.
  await admin.request('/api/queue/resume', { method: 'POST' });
  const unfinished = async () => {
    const lists = await Promise.all(['PENDING', 'PROCESSING'].map((one) => admin.list(`?status=${one}&limit=200`)));
    return lists.flatMap(({ jobs }) => jobs);
  };
  for (const { jobId } of await unfinished())
    await admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  await waitUntil('the jobs of a test file to end', async () => ((await unfinished()).length === 0 ? true : undefined));
}
