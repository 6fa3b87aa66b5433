import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { HOUR_MS } from '../../domain/durations.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Mount } from '../../domain/plan.ts';
import { isUrl } from '../../domain/url-input.ts';
import type { StagedInput, StagingOptions } from '../../jobs/ports/input-staging.ts';
import type { MediaStore } from '../../jobs/ports/media-store.ts';
import type { PathStat } from '../../jobs/ports/path-stats.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { errnoOf } from '../file-errors.ts';
import { storageFailure } from '../job-failures.ts';
import type { MediaLog } from '../scratch/scratch.ts';
import { fetchFiles } from './fetch-files.ts';

export interface UrlMediaOptions {
  /** The engine of everything else, in whose scratch folders fetched files are. */
  readonly base: MediaStore;
  readonly client: OutgoingClient;
  /** The folder that contains the scratch folders. */
  readonly scratchRoot: string;
  /** Free disk space that fetched files must leave. */
  readonly minFreeBytes: number;
  readonly log: MediaLog;
}

export interface UrlMedia extends MediaStore {
  /** Removes copies of probed files that killed processes left. Call it every hour, because a start comes too early for them. */
  removeOldCopies(): Promise<void>;
}

/** A fetched input. */
interface FetchedInput extends Mount {
  readonly sizeBytes: number;
  readonly isFetched: true;
}

/** Probes end long before. A file that is older was left by a process that was killed. */
const PROBE_MS = HOUR_MS;

/**
 * Adds inputs that are URLs to an engine: fetches them into the scratch folder of the job. Every other path goes to `base`.
 */
export async function urlMedia({ base, client, scratchRoot, minFreeBytes, log }: UrlMediaOptions): Promise<UrlMedia> {
  const deps = { client, freeBytes: base.freeBytes, minFreeBytes };
  // Beside the scratch folders, because a sweep removes everything among them that belongs to no job.
  const probes = join(dirname(scratchRoot), `fetched-${basename(scratchRoot)}`);
  const removeOldCopies = (): Promise<void> =>
    removeOld(probes).catch((err) => log.warn({ err }, 'copy of a probed file not removed'));
  await removeOldCopies();

  return {
    ...base,
    removeOldCopies,
    statPaths: (root, paths) => {
      if (!paths.some(isUrl)) return base.statPaths(root, paths);
      return statOthers(paths, (others) => base.statPaths(root, others));
    },

    stageUrl: async ({ url, path, logical }, options = {}) => {
      await mkdir(probes, { mode: 0o700, recursive: true }).catch((error: unknown) => {
        throw storageFailure('fetching the input', error);
      });
      const file = join(probes, uuid());
      const [sizeBytes = 0] = await fetchFiles(deps, [{ url, path, file }], options);
      return asStaged(await identify({ logical, hostPath: file, sizeBytes, isFetched: true }));
    },
    removeInput: async (input) => {
      if (!isFetched(input)) return base.removeInput(input);
      await rm(input.hostPath, { force: true }).catch((err) => log.warn({ err }, 'copy of a probed file not removed'));
    },

    stage: async (root, scratch, inputs, output, options = {}) => {
      const urls = inputs.flatMap(({ url, path, logical }) => (url === undefined ? [] : [{ url, path, logical }]));
      if (urls.length === 0) return base.stage(root, scratch, inputs, output, options);
      const others = inputs.filter(({ url }) => url === undefined);
      // The part of the progress that the other inputs have.
      const share = others.length / inputs.length;
      const found = await base.stage(root, scratch, others, output, scaled(options, 0, share));
      const folder = base.scratchFolder(scratch);
      const files = urls.map((one) => ({ ...one, file: join(folder, one.logical) }));
      const sizes = await fetchFiles(deps, files, scaled(options, share, 1 - share), found);
      const fetched = await Promise.all(
        files.map(({ logical, file }, i) =>
          identify({ logical, hostPath: file, sizeBytes: sizes[i] ?? 0, isFetched: true }),
        ),
      );
      const [ofOthers, ofUrls] = [found.values(), fetched.map(asStaged).values()];
      return inputs.map(({ path, url }) => {
        const { value } = (url === undefined ? ofOthers : ofUrls).next();
        if (value === undefined) throw new Error(`The engine staged nothing for ${path}.`);
        return value;
      });
    },
    // A fetched file is in no storage, so no output can be the same file.
    prepare: (root, scratch, output, main, inputs, signal) =>
      base.prepare(
        root,
        scratch,
        output,
        main,
        inputs.filter((input) => !isFetched(input)),
        signal,
      ),
  };
}

const asStaged = (input: FetchedInput): StagedInput => input as unknown as StagedInput;
const isFetched = (input: StagedInput): input is StagedInput & FetchedInput => 'isFetched' in input;

/** The options of a part of the staging, whose progress begins at `start` and has the share `share` of the whole. */
const scaled = (options: StagingOptions, start: number, share: number): StagingOptions => ({
  ...options,
  ...(options.onProgress && { onProgress: (percent) => options.onProgress?.(100 * start + percent * share) }),
});

async function statOthers(
  paths: readonly MediaPath[],
  stat: (paths: readonly MediaPath[]) => ReturnType<MediaStore['statPaths']>,
): Promise<readonly PathStat[]> {
  const found = (await stat(paths.filter((path) => !isUrl(path)))).values();
  return paths.map((path) => (isUrl(path) ? { kind: 'url' } : (found.next().value ?? { kind: 'missing' })));
}

/** Removes what killed processes have left. Another process may use the folder, so newer files stay. */
async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  for (const name of names) {
    const file = join(folder, name);
    // A probe of another process may have removed it meanwhile.
    const mtimeMs = await stat(file).then((found) => found.mtimeMs, ignoreMissing);
    if (mtimeMs !== undefined && Date.now() - mtimeMs > PROBE_MS) await rm(file, { force: true });
  }
}

function ignoreMissing(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
}

/** Adds the id of a file, by which its readers recognise it. */
async function identify(input: FetchedInput): Promise<FetchedInput> {
  const { dev, ino } = await stat(input.hostPath, { bigint: true });
  return { ...input, identities: [`${dev}:${ino}`] };
}
