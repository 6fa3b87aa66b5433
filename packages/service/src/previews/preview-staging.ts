import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { appendPart, mountOf as mountOfFile } from '@telecine/ffmpeg/preview/join-parts.ts';
import { mountOf } from '../jobs/ffmpeg/probes.ts';
import type { MediaStore, StagedInput } from '../jobs/ports/media-store.ts';
import { checkInputSize } from '../jobs/run/attempt-failures.ts';
import type { PreviewSource, PreviewTask } from './preview-task.ts';

/** What all files of a preview have in common. `dir`: an empty folder for the preview. */
type StagedFor = Pick<PreviewTask, 'root' | 'policy'> & {
  readonly dir: string;
  readonly signal: AbortSignal;
  readonly reserve: ReserveSpace;
  /** See `InputStaging.stageFile`. Not for the parts of a manifest. */
  readonly ends?: number | undefined;
};

/**
 * Stages the files of a preview. Joins the files of a manifest into one file, because ffmpeg does not open the files of
 * a playlist. Each file is staged once, and removed after its last use, so that it needs no disk space any more.
 */
export function previewStaging(media: MediaStore, { root, policy, dir, signal, reserve, ends }: StagedFor) {
  const staged = new Map<string, StagedInput>();
  const sizes: Pick<StagedInput, 'sizeBytes'>[] = [];
  let partial: { readonly path: PreviewSource['path']; readonly input: StagedInput } | undefined;
  const stageFile = async (
    path: PreviewSource['path'],
    logical: string,
    key: string,
    most?: number,
  ): Promise<StagedInput> => {
    const input = staged.get(key) ?? (await media.stageFile(root, path, logical, signal, most));
    if (input.isPartial === true) partial = { path, input };
    staged.set(key, input);
    sizes.push({ sizeBytes: input.sizeBytes });
    checkInputSize(sizes, policy);
    return input;
  };
  const remove = async (key: string): Promise<void> => {
    const input = staged.get(key);
    staged.delete(key);
    if (input !== undefined) await media.removeInput(input);
  };
  return {
    /** Stages a source and returns its mount. Throws JobFailed, and the reason of an abort. */
    stage: async (source: PreviewSource, index: number): Promise<Mount> => {
      const logical = logicalName(index, source);
      const [path = source.path, ...others] = source.parts ?? [];
      const keyOf = (part: PreviewSource['path']): string => `${index} ${part}`;
      if (others.length === 0) return mountOf(media, await stageFile(path, logical, keyOf(path), ends));
      const file = join(dir, String(index));
      const parts = [path, ...others];
      const lastUse = new Map(parts.map((part, at) => [part, at]));
      for (const [at, part] of parts.entries()) {
        signal.throwIfAborted();
        const input = await stageFile(part, logical, keyOf(part));
        const release = await reserve(dir, input.sizeBytes);
        await appendPart(mountOf(media, input), input.sizeBytes, file, signal).finally(release);
        if (lastUse.get(part) === at) await remove(keyOf(part));
      }
      return mountOfFile(file, logical);
    },
    /** Returns whether bytes of a staged file are missing. */
    isPartial: (): boolean => partial !== undefined,
    /**
     * Copies more bytes of the staged file of which some are missing. Leaves out its ends, which are there. It may be called
     * long after staging, so it has a signal of its own.
     */
    fetchBytes: async (bytes: readonly ByteRange[], fetchSignal: AbortSignal): Promise<void> => {
      if (partial === undefined) return;
      const { path, input } = partial;
      const [first, end] = [ends ?? 0, input.sizeBytes - (ends ?? 0)];
      const missing = bytes.flatMap(([from, to]): readonly ByteRange[] => {
        const [begin, stop] = [Math.max(from, first), Math.min(to, end)];
        return begin < stop ? [[begin, stop]] : [];
      });
      await media.fillInput?.(root, path, input, missing, fetchSignal);
    },
    /** Removes staged files outside `dir`. */
    end: async (): Promise<void> => {
      await Promise.all([...staged.keys()].map(remove));
    },
  };
}

/** Returns the file name that ffmpeg sees. Some demuxers depend on its extension. */
function logicalName(index: number, { path, parts: [first = path] = [] }: PreviewSource): string {
  // An init segment, joined with the segments after it, is a complete MP4.
  const kind = extension(first).replace(/^m4s$/, 'mp4');
  return `in/${index}${/^[a-z0-9]{1,10}$/.test(kind) ? `.${kind}` : ''}`;
}

/**
 * Reserves `bytes` on the disk of `folder`. Returns a function that ends the reservation. Throws NO_SPACE if less space
 * than the reserve of the disk would remain free.
 */
export type ReserveSpace = (folder: string, bytes: number) => Promise<() => void>;

/**
 * Creates the function that reserves disk space for previews. It keeps `minFreeDataBytes` free and, if the media root
 * is on the same disk, also `minFreeBytes`.
 */
export function previewSpace({
  mediaRoot,
  minFreeBytes,
  minFreeDataBytes,
}: {
  readonly mediaRoot: string;
  readonly minFreeBytes: number;
  readonly minFreeDataBytes: number;
}): ReserveSpace {
  let reserved = 0;

  const reserveOf = async (folder: string): Promise<number> => {
    // With an object store, the media root may not exist. Then its scratch folders are on this disk.
    const [here, media] = await Promise.all([stat(folder), stat(mediaRoot).catch(() => undefined)]);
    const isShared = media === undefined || media.dev === here.dev;
    return isShared ? Math.max(minFreeDataBytes, minFreeBytes) : minFreeDataBytes;
  };

  return async (folder, bytes) => {
    reserved += bytes;
    const release = (): void => {
      reserved -= bytes;
    };
    try {
      const [{ bavail, bsize }, reserve] = await Promise.all([statfs(folder), reserveOf(folder)]);
      if (bavail * bsize - reserved < reserve) throw noSpace();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** `cause` is only for the log of the operator. */
export const noSpace = (cause?: unknown): JobFailed =>
  new JobFailed(
    {
      code: 'NO_SPACE',
      message: 'The disk of the service has no room to make this preview.',
      fix: 'Send a smaller file, or ask the operator for space.',
    },
    cause === undefined ? {} : { cause },
  );
