import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AttemptDeferred } from '../../domain/failure.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Mount } from '../../domain/plan.ts';
import { isUrl } from '../../domain/url-input.ts';
import type { MediaStore, PathStat, Scratch, StagedInput, StagingOptions } from '../../jobs/ports/media-store.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { storageFailure } from '../job-failures.ts';
import type { ProbeCopies, ProbeCopy } from '../scratch/probe-copies.ts';
import { type FetchedFiles, fetchFiles, ROOM_TAKEN } from './fetch-files.ts';
import { fetchSpace } from './fetch-space.ts';

export interface UrlMediaOptions {
  /** The engine of everything else, in whose scratch folders fetched files are. */
  readonly base: MediaStore;
  readonly client: OutgoingClient;
  /** Where files of probes are fetched to. */
  readonly copies: ProbeCopies;
  /** Free disk space that fetched files must leave. */
  readonly minFreeBytes: number;
}

/** A fetched input. */
interface FetchedInput extends Mount {
  readonly sizeBytes: number;
  readonly isFetched: true;
  /** Present if it was fetched for a probe. */
  readonly copy?: Pick<ProbeCopy, 'remove'>;
}

/**
 * Adds inputs that are URLs to an engine: fetches them into the scratch folder of the job. Every other path goes to `base`.
 */
export function urlMedia({ base, client, copies, minFreeBytes }: UrlMediaOptions): MediaStore {
  const deps = { client, space: fetchSpace({ freeBytes: base.freeBytes, minFreeBytes }) };
  /** The fetched files of each scratch folder in use. */
  const fetchedFor = new Map<string, FetchedFiles>();
  const releaseFiles = ({ name }: Scratch): void => {
    fetchedFor.get(name)?.release();
    fetchedFor.delete(name);
  };

  return {
    ...base,
    discard: (scratch) => base.discard(scratch).finally(() => releaseFiles(scratch)),
    // A scratch folder that is needed later, or could not be removed, is only released.
    release: (scratch) => base.release(scratch).finally(() => releaseFiles(scratch)),
    statPaths: (root, paths) => {
      if (!paths.some(isUrl)) return base.statPaths(root, paths);
      return statOthers(paths, (others) => base.statPaths(root, others));
    },

    stageUrl: async ({ url, path, logical }, options = {}) => {
      const copy = await copies.add().catch((error: unknown) => {
        throw storageFailure('fetching the input', error);
      });
      const { file } = copy;
      let fetched: FetchedFiles | undefined;
      const remove = (): Promise<void> => copy.remove().finally(() => fetched?.release());
      try {
        fetched = await fetchFiles(deps, [{ url, path, file }], options);
        const [sizeBytes = 0] = fetched.sizes;
        return asStaged(await identify({ logical, hostPath: file, sizeBytes, isFetched: true, copy: { remove } }));
      } catch (error) {
        await remove();
        throw error;
      }
    },
    removeInput: async (input) => {
      if (isFetched(input)) await input.copy?.remove();
      else await base.removeInput(input);
    },

    stage: async (root, scratch, inputs, outputs, options = {}) => {
      const urls = inputs.flatMap(({ url, path, logical }) => (url === undefined ? [] : [{ url, path, logical }]));
      if (urls.length === 0) return base.stage(root, scratch, inputs, outputs, options);
      const owner = jobOf(scratch);
      // Before anything is copied: another attempt would copy it again.
      if (!(await deps.space.mayBegin(owner))) throw new AttemptDeferred(ROOM_TAKEN);
      const others = inputs.filter(({ url }) => url === undefined);
      // The part of the progress that the other inputs have.
      const share = others.length / inputs.length;
      const found = await base.stage(root, scratch, others, outputs, scaled(options, 0, share));
      const folder = base.scratchFolder(scratch);
      const files = urls.map((one) => ({ ...one, file: join(folder, one.logical) }));
      for (const { file } of files) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const fetchedFiles = await fetchFiles({ ...deps, owner }, files, scaled(options, share, 1 - share), found);
      fetchedFor.set(scratch.name, fetchedFiles);
      const { sizes } = fetchedFiles;
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
    prepare: (root, scratch, outputs, inputs, options) =>
      base.prepare(
        root,
        scratch,
        outputs,
        inputs.filter((input) => !isFetched(input)),
        options,
      ),
  };
}

/** The job of a scratch folder. */
const jobOf = ({ name }: Scratch): string => name.slice(0, name.lastIndexOf('.'));

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

/** Adds the id of a file, by which its readers recognise it. */
async function identify(input: FetchedInput): Promise<FetchedInput> {
  const { dev, ino } = await stat(input.hostPath, { bigint: true });
  return { ...input, identities: [`${dev}:${ino}`] };
}
