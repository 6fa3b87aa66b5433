import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { MediaStore, PathStat, Scratch, StagedInput, StagingOptions } from '../../jobs/ports/media-store.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { rethrow } from '../errno-codes.ts';
import { storageFailure } from '../job-failures.ts';
import type { ProbeCopies, ProbeCopy } from '../scratch/probe-copies.ts';
import { asStaged, identify, inOrder } from '../staged-inputs.ts';
import type { FetchedFile } from './fetch-file.ts';
import { type FetchedFiles, fetchFiles } from './fetch-inputs.ts';
import { fetchSpace } from './fetch-space.ts';

interface UrlMediaOptions {
  /** The engine for all paths that are not URLs. The files that jobs fetch are in its scratch folders too. */
  readonly base: MediaStore;
  readonly client: OutgoingClient;
  /** Keeps the fetched files of probes. */
  readonly copies: ProbeCopies;
  /** How many bytes must stay free on the disk after files are fetched. */
  readonly minFreeBytes: number;
}

interface FetchedInput extends Mount, FetchedFile {
  readonly isFetched: true;
  /** Removes the fetched file of a probe. undefined for the input of a job. */
  readonly copy?: Pick<ProbeCopy, 'remove'>;
}

const NOTHING: FetchedFile = { sizeBytes: 0 };

/** Adds inputs at URLs to an engine. Fetches the files of a job into its scratch folder. */
export function urlMedia({ base, client, copies, minFreeBytes }: UrlMediaOptions): MediaStore {
  const deps = { client, space: fetchSpace({ freeBytes: base.freeBytes, minFreeBytes }) };
  /** The fetched files of each scratch folder in use, by its name. */
  const fetchedFor = new Map<string, FetchedFiles>();
  const releaseFiles = ({ name }: Scratch): void => {
    fetchedFor.get(name)?.release();
    fetchedFor.delete(name);
  };

  return {
    ...base,
    discard: (scratch) => base.discard(scratch).finally(() => releaseFiles(scratch)),
    // `release` is also called for a scratch folder that is needed later or that could not be removed.
    release: (scratch) => base.release(scratch).finally(() => releaseFiles(scratch)),
    statPaths: async (root, paths) => {
      const urls = paths.filter(isUrl);
      if (urls.length === 0) return base.statPaths(root, paths);
      const others = paths.filter((path) => !isUrl(path));
      return inOrder<MediaPath, PathStat>(
        paths,
        isUrl,
        urls.map(() => ({ kind: 'url' })),
        await base.statPaths(root, others),
      );
    },

    stageUrl: async ({ url, path, logical }, options = {}) => {
      const copy = await copies.add().catch(rethrow((error) => storageFailure('fetching the input', error)));
      const { file } = copy;
      let fetched: FetchedFiles | undefined;
      const remove = (): Promise<void> => copy.remove().finally(() => fetched?.release());
      try {
        fetched = await fetchFiles(deps, [{ url, path, file }], options);
        const { sizeBytes } = fetched.files[0] ?? NOTHING;
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
      const others = inputs.filter(({ url }) => url === undefined);
      // The fraction of the progress for the inputs that are not URLs.
      const share = others.length / inputs.length;
      const found = await base.stage(root, scratch, others, outputs, scaled(options, 0, share));
      const folder = base.scratchFolder(scratch);
      const files = urls.map((one) => ({ ...one, file: join(folder, one.logical) }));
      for (const { file } of files) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const fetchedFiles = await fetchFiles(deps, files, scaled(options, share, 1 - share), found);
      releaseFiles(scratch);
      fetchedFor.set(scratch.name, fetchedFiles);
      const fetched = await Promise.all(
        files.map(({ logical, file: hostPath }, i) => {
          const input: FetchedInput = { logical, hostPath, isFetched: true, ...(fetchedFiles.files[i] ?? NOTHING) };
          return identify(input);
        }),
      );
      return inOrder(inputs, ({ url }) => url !== undefined, fetched.map(asStaged), found);
    },
    // Leave out fetched inputs: an output cannot overwrite them, because they are not in the storage.
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

const isFetched = (input: StagedInput): input is StagedInput & FetchedInput => 'isFetched' in input;

/**
 * Returns the options for one part of staging. In the progress of all staging, this part begins at `start` (0 to 1) and
 * takes the fraction `share`.
 */
const scaled = (options: StagingOptions, start: number, share: number): StagingOptions => ({
  ...options,
  ...(options.onProgress && { onProgress: (percent) => options.onProgress?.(100 * start + percent * share) }),
});
