import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Finding, FindingName } from '@telecine/contract/domain/finding.ts';
import { DAY_MS, minuteOf } from '@telecine/contract/domain/quantity.ts';
import { redactUrl } from '@telecine/contract/domain/url-input.ts';
import { findFfprobe } from '@telecine/ffmpeg/catalogue/build.ts';
import { openCatalogue } from '@telecine/ffmpeg/catalogue/open-catalogue.ts';
import { openDevices } from '@telecine/ffmpeg/devices/devices.ts';
import { findSpeechModel } from '@telecine/ffmpeg/filtergraph/speech-model.ts';
import { findDelegatedCgroup, KERNEL_CGROUPS } from '@telecine/ffmpeg/sandbox/cgroup/delegated-cgroup.ts';
import { weaknessOf } from '@telecine/ffmpeg/sandbox/sandbox.ts';
import type { Config } from '../config/config.ts';
import { FIRST_MIGRATION, lacks, MIGRATES } from '../store/migrate.ts';
import { PostgresUnusable } from '../store/operator-errors.ts';
import type { Store } from '../store/store.ts';
import { LIVE_SECONDS } from '../workers/ports/worker-store.ts';
import { unreadyText } from '../workers/worker-operations.ts';
import { exposedFiles, readBuckets } from './bucket-settings.ts';
import { databaseFile, readStore } from './database.ts';
import { ownCgroup } from './discover-tools.ts';
import { findFfmpeg, findFfmpegPath, trySandbox } from './find-ffmpeg.ts';
import {
  findReservedPaths,
  isMissing,
  realPathIfPresent,
  rejectReservedRoot,
  requireMediaRoot,
} from './reserved-paths.ts';

const OLDEST_NODE = 24;

/** The checks for a process that runs jobs itself. */
const TOOLS = [ffmpeg, ffprobe, sandbox, devices, speech, limits];

/**
 * Checks the requirements of the service. `worker`: true for `telecine worker`, false for `telecine serve --no-worker`. `store`: the open
 * store, if a running service does the checks.
 */
export async function runChecks(
  config: Config,
  { worker, store }: { readonly worker?: boolean; readonly store?: CheckedStore } = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const onWorkers = worker === false && config.databaseUrl !== undefined;
  const isLoneWorker = worker === true && config.databaseUrl === undefined;
  const tools = onWorkers ? [workers] : TOOLS;
  const stored = worker === true ? [] : [webhooks];
  const checks = [node, settings, ...tools, isLoneWorker ? missingDatabase : database, ...stored, mediaRoot];
  for (const look of checks) findings.push(...[await look(config, store)].flat());
  findings.push(...(await buckets(config)));
  return findings;
}

/** What the checks read of the store. */
export type CheckedStore = Pick<Store, 'ping' | 'pendingMigrations' | 'database' | 'workers' | 'webhookEndpoints'>;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const finding = (name: FindingName, state: Finding['state'], says: string, fix?: string): Finding => ({
  ...{ name, state, says },
  ...(fix !== undefined && { fix }),
});
const ok = (name: FindingName, says: string): Finding => finding(name, 'ok', says);

async function node(): Promise<Finding> {
  const { node: running } = process.versions;
  if (Number(running.split('.')[0]) >= OLDEST_NODE) return ok('node', running);
  return finding('node', 'bad', running, `Install Node ${OLDEST_NODE} or newer.`);
}

async function settings({ warnings }: Config): Promise<Finding> {
  return warnings.length === 0 ? ok('settings', 'valid') : finding('settings', 'warn', warnings.join('; '));
}

async function ffmpeg(config: Config): Promise<Finding> {
  try {
    const build = await findFfmpeg(config);
    return ok('ffmpeg', `${build.version} at ${build.path}`);
  } catch (error) {
    return finding('ffmpeg', 'bad', messageOf(error));
  }
}

async function ffprobe(config: Config): Promise<Finding> {
  const path = await findFfprobe(config.ffprobePath, await findFfmpegPath(config), config.searchPath);
  if (path !== undefined) return ok('ffprobe', path);
  const fix = 'Install ffprobe, which comes with ffmpeg, or set FFPROBE_PATH.';
  return finding('ffprobe', 'warn', 'not found; probes are not available', fix);
}

async function sandbox(config: Config): Promise<Finding> {
  const path = await findFfmpegPath(config);
  if (path === undefined) return finding('sandbox', 'bad', 'cannot be tested without ffmpeg');
  try {
    const { sandbox: found } = await trySandbox(config, path);
    if (found.kind === 'bubblewrap') return ok('sandbox', `bubblewrap at ${found.bwrap}, tested`);
    if (found.kind === 'landlock') return ok('sandbox', `${weaknessOf(found)} Tested`);
    return finding('sandbox', 'warn', found.reason, found.fix);
  } catch (error) {
    return finding('sandbox', 'bad', messageOf(error));
  }
}

async function devices(config: Config): Promise<readonly Finding[]> {
  const path = await findFfmpegPath(config);
  if (config.devices.length === 0 || path === undefined) return [];
  try {
    const [{ sandbox: found }, build] = await Promise.all([trySandbox(config, path), findFfmpeg(config)]);
    const encoders = (await openCatalogue(build)).lists.encoders.keys();
    const { list, failed } = await openDevices(config.devices, {
      ...{ sandbox: found, ffmpegPath: path, encoders },
      workRoot: tmpdir(),
    });
    const none = 'decodes only: no encoder of this ffmpeg works on it';
    return [
      ...list.map(({ type, encoders }) => ok('device', `${type}, tested: ${encoders.join(', ') || none}`)),
      ...failed.map(({ type, name, reason, fix }) => finding('device', 'bad', `${type}:${name}: ${reason}`, fix)),
    ];
  } catch (error) {
    return [finding('device', 'bad', messageOf(error))];
  }
}

/** Checks the speech model if one is configured. A missing ffmpeg is reported by another check. */
async function speech(config: Config): Promise<readonly Finding[]> {
  const { whisperModel } = config;
  const build = whisperModel === undefined ? undefined : await findFfmpeg(config).catch(() => undefined);
  if (build === undefined) return [];
  const { model, unused } = await findSpeechModel(whisperModel, await openCatalogue(build));
  if (unused !== undefined) return [finding('speech', 'bad', unused.reason, unused.fix)];
  return [ok('speech', `the model ${model?.hostPath}`)];
}

/** Checks the limits of a service that is started from this shell. A systemd service has another cgroup and maybe other limits. */
async function limits(): Promise<Finding> {
  const found = await findDelegatedCgroup(KERNEL_CGROUPS, ownCgroup());
  if (typeof found !== 'string') return ok('limits', 'for each conversion as a whole, by a cgroup');
  return ok('limits', `for each process of a conversion. ${found} /ready shows the limits of a running service`);
}

async function missingDatabase(): Promise<Finding> {
  const fix = 'Set TELECINE_DATABASE_URL to the database of the services whose jobs it runs.';
  return finding('store', 'bad', 'a worker needs PostgreSQL', fix);
}

/** Checks the workers. An API machine plans jobs for their builds of ffmpeg. An unusable database is reported by another check. */
async function workers(config: Config, open?: CheckedStore): Promise<Finding> {
  const seenWithin = (seconds: number) =>
    withStore(config, open, (store) => store.workers.seenWithin(seconds)).catch(() => []);
  const seen = await seenWithin(LIVE_SECONDS);
  const builds = new Set(seen.map(({ ffmpegVersion }) => ffmpegVersion));
  const unready = unreadyText(seen);
  if (unready !== undefined)
    return finding('workers', 'warn', unready, 'Run "telecine workers" to see which workers, and why.');
  if (seen.length > 0) return ok('workers', `${seen.length} live, with ffmpeg ${[...builds].join(', ')}`);
  const earlier = await seenWithin((config.buildRetentionDays * DAY_MS) / 1000);
  const says =
    earlier.length === 0
      ? 'no worker is known, so requests for conversions get 503'
      : 'no worker is live: requests for the builds of earlier workers are accepted, but no job starts';
  return finding('workers', 'warn', says, 'Run telecine worker on the same database.');
}

async function withStore<T>(
  config: Config,
  open: CheckedStore | undefined,
  use: (store: CheckedStore) => Promise<T>,
): Promise<T> {
  if (open !== undefined) return use(open);
  const store = await readStore(config);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function database(config: Config, open?: CheckedStore): Promise<Finding> {
  const { dataDir, databaseUrl } = config;
  const isSqlite = databaseUrl === undefined;
  try {
    const says = isSqlite ? `SQLite in ${await folderText(dataDir)}` : 'PostgreSQL at TELECINE_DATABASE_URL';
    if (isSqlite && !(await mayWrite(dataDir))) return ok('store', `${says}, created by the first start`);
    const missing = await withStore(config, open, async (store) => {
      const pending = await store.pendingMigrations();
      if (pending.length === 0) await store.ping();
      else if (!isSqlite) await (await import('../store/postgres/open.ts')).requireGrants(store.database.reader);
      return pending;
    });
    if (missing.length === 0) return ok('store', says);
    if (missing[0] === FIRST_MIGRATION) return ok('store', `${says}, whose tables the first start creates`);
    return finding('store', 'warn', `${says}. ${lacks(missing)}`, MIGRATES);
  } catch (error) {
    const fix = isSqlite
      ? `Make ${dataDir} a folder that this user can write to, or set TELECINE_DATA_DIR.`
      : 'Start the database, or correct TELECINE_DATABASE_URL.';
    return finding('store', 'bad', messageOf(error), error instanceof PostgresUnusable ? error.fix : fix);
  }
}

/** Returns whether there is an SQLite database. Throws if this user may not write it, or not create it. */
async function mayWrite(dataDir: string): Promise<boolean> {
  const file = databaseFile(dataDir);
  if (existsSync(file)) await access(file, constants.R_OK | constants.W_OK);
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  // The slash makes a file fail that is not a folder.
  await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  return existsSync(file);
}

/** How many failing webhooks are named. */
const MAX_NAMED = 3;

/** Reports webhooks whose deliveries fail: no job fails because of it, and no other check sees it. An unusable database is reported by another check. */
async function webhooks(config: Config, open?: CheckedStore): Promise<readonly Finding[]> {
  const failing = await withStore(config, open, (store) => store.webhookEndpoints.failing()).catch(() => []);
  if (failing.length === 0) return [];
  const named = failing
    .slice(0, MAX_NAMED)
    .map(
      ({ url, clientId, failingSince }) =>
        `${redactUrl(url)} of the client ${clientId}, since ${minuteOf(failingSince ?? '')}`,
    );
  const rest = failing.length > MAX_NAMED ? `; and ${failing.length - MAX_NAMED} more` : '';
  const says = `${failing.length === 1 ? '1 webhook fails' : `${failing.length} webhooks fail`}: ${named.join('; ')}${rest}`;
  return [
    finding(
      'webhooks',
      'warn',
      says,
      'Its client sees the reason at the last delivery. Repair the receiver, or remove the webhook.',
    ),
  ];
}

/** A folder and the space that is free there. */
async function folderText(path: string): Promise<string> {
  // The first start creates the folder.
  const found = await statfs(path).catch(() => undefined);
  return found === undefined ? path : `${path}, ${freeText(found)}`;
}

const freeText = ({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }): string =>
  `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;

async function buckets(config: Config): Promise<readonly Finding[]> {
  try {
    const named = readBuckets(config);
    const exposed = exposedFiles(named).map((path) =>
      finding('bucket', 'warn', `other users can read the credentials in ${path}`, `chmod 600 ${path}`),
    );
    if (named.length === 0) return exposed;
    // Load this code only here, because most services use no object store.
    return [...exposed, ...(await (await import('./s3-checks.ts')).checkBuckets(named))];
  } catch (error) {
    return [finding('bucket', 'bad', messageOf(error), 'Correct the file (docs/operate/s3.md#other-buckets).')];
  }
}

async function mediaRoot(config: Config): Promise<Finding> {
  if (config.storage !== undefined) return (await import('./s3-checks.ts')).checkStorage(config, config.storage);
  const { mediaRoot: path, minFreeBytes } = config;
  try {
    requireMediaRoot(config);
    if (isMissing(path)) return ok('media root', `${path}, created by the first start`);
    if (!(await stat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
    rejectReservedRoot(realPathIfPresent(path), findReservedPaths(config));
    await access(path, constants.R_OK | constants.W_OK);
    const space = await statfs(path);
    const says = `${path}, ${freeText(space)}`;
    if (space.bavail * space.bsize >= minFreeBytes) return ok('media root', says);
    return finding('media root', 'bad', says, 'Free some disk space, or lower TELECINE_MIN_FREE_DISK.');
  } catch (error) {
    const fix = `Make ${path} a folder that this user can read and write, or set TELECINE_MEDIA_ROOT.`;
    return finding('media root', 'bad', messageOf(error), fix);
  }
}
