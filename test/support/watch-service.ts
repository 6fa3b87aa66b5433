import { onTestFinished } from 'vitest';
import { type Caller, DEFAULT_SCOPES } from '../../packages/contract/src/domain/client.ts';
import type { Failure } from '../../packages/contract/src/domain/failure.ts';
import type { JobOutput } from '../../packages/contract/src/domain/job.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { Watch, WatchedFileState } from '../../packages/contract/src/domain/watch.ts';
import { endJob, type JobToEnd } from '../../packages/service/src/jobs/end-job.ts';
import { insertWatched } from '../../packages/service/src/jobs/submit/submit-watched.ts';
import { watchEndWrite } from '../../packages/service/src/watches/after-job.ts';
import { startWatcher, type Watcher } from '../../packages/service/src/watches/watcher.ts';
import { jobToInsert, mustClaim, take, type World } from '../contracts/engine.ts';
import { waitUntil } from './wait.ts';

type WatcherDeps = Parameters<typeof startWatcher>[0];
type InsertArguments = [job: Parameters<typeof insertWatched>[1], mark: Parameters<typeof insertWatched>[2]];

export const WATCH_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16';

export const watchOf = (change: Partial<Watch> = {}): Watch => {
  const at = new Date().toISOString();
  return {
    ...{ watchId: WATCH_ID, clientId: 'amy', folder: 'in/', subfolders: true, request: { output: 'out/{name}.mp4' } },
    ...{ source: 'keep', changed: 'ignore', existing: 'convert', settleSeconds: 0, maxUnfinished: 20, every: 0.05 },
    ...{ state: 'ACTIVE', createdAt: at, changedAt: at },
    ...change,
  };
};

/** What works for the watches of a store, without HTTP and without a worker. */
export interface WatchService {
  readonly world: World;
  readonly watcher: Watcher;
  /** How often the rights of the client were read, as each round does. */
  rounds(): number;
  /** The inputs of all jobs, oldest first. */
  inputs(): Promise<readonly (string | undefined)[]>;
  states(): Promise<Readonly<Record<string, WatchedFileState>>>;
  /** Completes the next queued job. `outputs`: default: the one that its request names, with 7 bytes. */
  complete(outputs?: readonly JobOutput[]): Promise<void>;
  /** Lets the next queued job fail. */
  fail(error: Failure): Promise<void>;
  /** The client with the rights that it has now. */
  caller: Caller;
}

type WatchServiceOptions = Partial<WatcherDeps> &
  Pick<WatcherDeps, 'folders' | 'files'> & {
    /** The media root of the client. */
    readonly root?: object;
    readonly lookMs?: number;
    /** Default: stores the job in the queue. */
    readonly insertJob?: (...args: InsertArguments) => Promise<unknown>;
  };

/** Starts the loops of a service on a store. The jobs of its watches are queued, and nothing runs them. */
export async function startWatchService(
  world: World,
  { root = {}, now = () => new Date(), lookMs, ...more }: WatchServiceOptions,
): Promise<WatchService> {
  const { store, queue } = world;
  let rounds = 0;
  const endWrites = { watches: watchEndWrite(store.watchLedger) };
  const deps = { ...store, queue, changes: { publish: () => {} }, now, endWrites };
  const insertJob = more.insertJob ?? ((...args: InsertArguments) => insertWatched(deps, ...args));
  const setting = { caller: { clientId: 'amy', scopes: DEFAULT_SCOPES, root, policy: {} } as unknown as Caller };
  const watcherDeps: WatcherDeps = {
    ...{ ledger: store.watchLedger, now, monotonic: () => performance.now(), hasBin: true },
    callerOf: async () => {
      rounds += 1;
      return setting.caller;
    },
    frameOf: async () => undefined,
    jobs: {
      submitWatched: async ({ clientId }, watchId, request, mark) => {
        const job = jobToInsert(clientId, { watchId, request: JSON.stringify(request) });
        await insertJob(job, (tx) => mark(tx, job.jobId, [request.output as MediaPath]));
      },
      get: store.jobs.get,
      outputs: store.jobs.outputs,
    },
    onError: (error) => {
      throw error;
    },
    ...more,
    watches: store.watches,
  };
  const watcher = startWatcher(watcherDeps, lookMs);
  onTestFinished(() => watcher.stop());
  type Outcome = Extract<JobToEnd, { readonly claim: unknown }>['outcome'];
  const end = async (outcomeOf: (output: string) => Outcome): Promise<void> => {
    const [delivery] = await take(world);
    if (delivery === undefined) throw new Error('There is no queued job.');
    const claim = await mustClaim(world, delivery.jobId);
    await endJob(deps, { claim, delivery, outcome: outcomeOf(claim.job.request.output ?? ''), log: '' });
    watcher.jobEnded('amy');
  };
  return Object.assign(setting, {
    ...{ world, watcher },
    rounds: () => rounds,
    inputs: async () => (await store.jobs.list({ limit: 1000 })).map(({ request }) => request.input).toReversed(),
    states: async () => {
      const files = await store.watchLedger.list(WATCH_ID, { limit: 1000 });
      return Object.fromEntries(files.map(({ path, state }) => [path, state]));
    },
    complete: (outputs?: readonly JobOutput[]) =>
      end((output) => ({ status: 'COMPLETED', outputs: outputs ?? [{ path: output, sizeBytes: 7 }] })),
    fail: (error: Failure) => end(() => ({ status: 'FAILED', error })),
  });
}

/** Lets rounds of the watch begin. */
export async function nextRound({ watcher, rounds }: Pick<WatchService, 'watcher' | 'rounds'>): Promise<void> {
  for (let woken = 0; woken < 2; woken += 1) {
    const before = rounds();
    watcher.wake(WATCH_ID);
    await waitUntil('a round', async () => rounds() > before || undefined);
  }
}

/** Clocks that a test moves on. Between that, they go as those of the machine do. */
export function movedClocks() {
  let aheadMs = 0;
  return {
    now: (): Date => new Date(Date.now() + aheadMs),
    monotonic: (): number => performance.now() + aheadMs,
    pass: (ms: number): void => {
      aheadMs += ms;
    },
  };
}
