import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../domain/finding.ts';
import { findProgram } from '../../ffmpeg/catalogue/build.ts';
import { loadPreparedCatalogue, PreparedCatalogueUnusable } from '../../ffmpeg/catalogue/prepared-catalogue.ts';
import { queryInitialCatalogue } from '../../ffmpeg/catalogue/query-ffmpeg.ts';
import { findSpeechModel } from '../../ffmpeg/filtergraph/speech-model.ts';
import { findDelegatedCgroup, KERNEL_CGROUPS } from '../../ffmpeg/sandbox/cgroup/delegated-cgroup.ts';
import { weaknessOf } from '../../ffmpeg/sandbox/sandbox.ts';
import type { Store } from '../../store/store.ts';
import { LIVE_SECONDS } from '../../workers/ports.ts';
import { exposedFiles, readBuckets } from './bucket-settings.ts';
import { openStore } from './database.ts';
import { findFfprobe, ownCgroup } from './discover-tools.ts';
import {
  findReservedPaths,
  isMissing,
  realPathIfPresent,
  rejectReservedRoot,
  requireMediaRoot,
} from './reserved-paths.ts';
import { findFfmpeg, tryDevices, trySandbox } from './toolchain.ts';

const OLDEST_NODE = 24;

/** The checks of what a process needs that runs jobs. */
const TOOLS = [ffmpeg, ffprobe, sandbox, devices, speech, limits];

/**
 * Checks the requirements of the service. `worker`: true checks them for `telecine worker`, and false for
 * `telecine serve --no-worker`, which needs no ffmpeg on PostgreSQL. `store`: the open store of a running service.
 */
export async function runChecks(
  config: Config,
  { worker, store }: { readonly worker?: boolean; readonly store?: CheckedStore } = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const onWorkers = worker === false && config.databaseUrl !== undefined;
  const isLoneWorker = worker === true && config.databaseUrl === undefined;
  const tools = onWorkers ? [workers] : TOOLS;
  const checks = [node, settings, ...tools, isLoneWorker ? missingDatabase : database, mediaRoot];
  for (const look of checks) findings.push(...[await look(config, store)].flat());
  findings.push(...(await buckets(config)));
  return findings;
}

type CheckedStore = Pick<Store, 'ping' | 'workers'>;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function node(): Promise<Finding> {
  const { node: running } = process.versions;
  if (Number(running.split('.')[0]) >= OLDEST_NODE) return { name: 'node', state: 'ok', says: running };
  return { name: 'node', state: 'bad', says: running, fix: `Install Node ${OLDEST_NODE} or newer.` };
}

async function settings({ warnings }: Config): Promise<Finding> {
  if (warnings.length === 0) return { name: 'settings', state: 'ok', says: 'valid' };
  return { name: 'settings', state: 'warn', says: warnings.join('; ') };
}

async function ffmpeg(config: Config): Promise<Finding> {
  try {
    const build = await findFfmpeg(config);
    const says = `${build.version} at ${build.path}`;
    if (config.catalogueDir === undefined) return { name: 'ffmpeg', state: 'ok', says };
    await loadPreparedCatalogue(config.catalogueDir, build);
    return { name: 'ffmpeg', state: 'ok', says: `${says}, with a prepared catalogue` };
  } catch (error) {
    if (error instanceof PreparedCatalogueUnusable)
      return { name: 'ffmpeg', state: 'warn', says: messageOf(error), fix: error.fix };
    return { name: 'ffmpeg', state: 'bad', says: messageOf(error) };
  }
}

async function ffprobe(config: Config): Promise<Finding> {
  const ffmpegPath = await findProgram('ffmpeg', config.ffmpegPath, config.searchPath);
  const path = await findFfprobe(config, ffmpegPath);
  if (path !== undefined) return { name: 'ffprobe', state: 'ok', says: path };
  return {
    name: 'ffprobe',
    state: 'warn',
    says: 'not found; probes are not available',
    fix: 'Install ffprobe, which comes with ffmpeg, or set FFPROBE_PATH.',
  };
}

async function sandbox(config: Config): Promise<Finding> {
  const path = await findProgram('ffmpeg', config.ffmpegPath, config.searchPath);
  if (path === undefined) return { name: 'sandbox', state: 'bad', says: 'cannot be tested without ffmpeg' };
  try {
    const { sandbox: found } = await trySandbox(config, path);
    if (found.kind === 'bubblewrap')
      return { name: 'sandbox', state: 'ok', says: `bubblewrap at ${found.bwrap}, tested` };
    if (found.kind === 'landlock') return { name: 'sandbox', state: 'ok', says: `${weaknessOf(found)} Tested` };
    return { name: 'sandbox', state: 'warn', says: found.reason, fix: found.fix };
  } catch (error) {
    return { name: 'sandbox', state: 'bad', says: messageOf(error) };
  }
}

/** A finding for each hardware device that the operator allows. */
async function devices(config: Config): Promise<readonly Finding[]> {
  const path = await findProgram('ffmpeg', config.ffmpegPath, config.searchPath);
  if (config.devices.length === 0 || path === undefined) return [];
  try {
    const { list, failed } = await tryDevices(config, path);
    return [
      ...list.map(
        ({ type, encoders }): Finding => ({
          name: 'device',
          state: 'ok',
          says: `${type}, tested: ${encoders.join(', ') || 'it decodes, and no encoder of this ffmpeg works on it'}`,
        }),
      ),
      ...failed.map(
        ({ type, name, reason, fix }): Finding => ({
          name: 'device',
          state: 'bad',
          says: `${type}:${name}: ${reason}`,
          fix,
        }),
      ),
    ];
  } catch (error) {
    return [{ name: 'device', state: 'bad', says: messageOf(error) }];
  }
}

/** The speech model, if the operator names one. Without an ffmpeg, that is another finding. */
async function speech(config: Config): Promise<readonly Finding[]> {
  const { whisperModel } = config;
  const build = whisperModel === undefined ? undefined : await findFfmpeg(config).catch(() => undefined);
  if (build === undefined) return [];
  const { model, unused } = await findSpeechModel(whisperModel, await queryInitialCatalogue(build));
  if (unused !== undefined) return [{ name: 'speech', state: 'bad', says: unused.reason, fix: unused.fix }];
  return [{ name: 'speech', state: 'ok', says: `the model ${model?.hostPath}` }];
}

/**
 * A shell and the unit of the service have different cgroups, so this finding is about a service that is started from
 * this shell.
 */
async function limits(): Promise<Finding> {
  const found = await findDelegatedCgroup(KERNEL_CGROUPS, ownCgroup());
  const says =
    typeof found === 'string'
      ? `for each process of a conversion. ${found} /ready shows the limits of a running service`
      : 'for each conversion as a whole, by a cgroup';
  return { name: 'limits', state: 'ok', says };
}

async function missingDatabase(): Promise<Finding> {
  return {
    name: 'store',
    state: 'bad',
    says: 'a worker needs PostgreSQL',
    fix: 'Set TELECINE_DATABASE_URL to the database of the services whose jobs it runs.',
  };
}

/** The workers whose builds an API machine plans for. A database that cannot be used is another finding. */
async function workers(config: Config, open?: CheckedStore): Promise<Finding> {
  const seen = await withStore(config, open, (store) => store.workers.seenWithin(LIVE_SECONDS)).catch(() => []);
  const builds = new Set(seen.map(({ ffmpegVersion }) => ffmpegVersion));
  if (seen.length > 0)
    return { name: 'workers', state: 'ok', says: `${seen.length} live, with ffmpeg ${[...builds].join(', ')}` };
  return {
    name: 'workers',
    state: 'warn',
    says: 'none is live; without one, requests for conversions get 503',
    fix: 'Run telecine worker on the same database.',
  };
}

async function withStore<T>(
  config: Config,
  open: CheckedStore | undefined,
  use: (store: CheckedStore) => Promise<T>,
): Promise<T> {
  if (open !== undefined) return use(open);
  const store = await openStore(config);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function database(config: Config, open?: CheckedStore): Promise<Finding> {
  try {
    await withStore(config, open, (store) => store.ping());
    return {
      name: 'store',
      state: 'ok',
      says: config.databaseUrl === undefined ? `SQLite in ${config.dataDir}` : 'PostgreSQL at TELECINE_DATABASE_URL',
    };
  } catch (error) {
    return {
      name: 'store',
      state: 'bad',
      says: messageOf(error),
      fix:
        config.databaseUrl === undefined
          ? `Make ${config.dataDir} a folder that this user can write to, or set TELECINE_DATA_DIR.`
          : 'Start the database, or correct TELECINE_DATABASE_URL.',
    };
  }
}

async function buckets(config: Config): Promise<readonly Finding[]> {
  try {
    const settings = readBuckets(config);
    const exposed = exposedFiles(settings).map(
      (path): Finding => ({
        name: 'bucket',
        state: 'warn',
        says: `other users can read the credentials in ${path}`,
        fix: `chmod 600 ${path}`,
      }),
    );
    if (settings.length === 0) return exposed;
    // Loaded only here, because most services use no object store.
    return [...exposed, ...(await (await import('./s3-storage.ts')).checkBuckets(settings))];
  } catch (error) {
    return [
      {
        name: 'bucket',
        state: 'bad',
        says: messageOf(error),
        fix: 'Correct the file (docs/operations.md#other-buckets).',
      },
    ];
  }
}

async function mediaRoot(config: Config): Promise<Finding> {
  if (config.storage !== undefined) return (await import('./s3-storage.ts')).checkStorage(config, config.storage);
  const { mediaRoot: path, minFreeBytes } = config;
  try {
    requireMediaRoot(config);
    if (isMissing(path)) return { name: 'media root', state: 'ok', says: `${path}, created by the first start` };
    if (!(await stat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
    rejectReservedRoot(realPathIfPresent(path), findReservedPaths(config));
    await access(path, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = await statfs(path);
    const says = `${path}, ${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`;
    if (bavail * bsize >= minFreeBytes) return { name: 'media root', state: 'ok', says };
    return { name: 'media root', state: 'bad', says, fix: 'Free some disk space, or lower TELECINE_MIN_FREE_DISK.' };
  } catch (error) {
    return {
      name: 'media root',
      state: 'bad',
      says: messageOf(error),
      fix: `Make ${path} a folder that this user can read and write, or set TELECINE_MEDIA_ROOT.`,
    };
  }
}
