import { join } from 'node:path';
import { extension } from '../../domain/media-path.ts';
import type { Mount } from '../../domain/plan.ts';
import { appendPart, mountOf } from '../../ffmpeg/preview/join-parts.ts';
import type { StagedInput } from '../../jobs/ports/input-staging.ts';
import { checkInputSize } from '../../jobs/run/size-limits.ts';
import type { PreviewSource, PreviewTask } from '../../previews/ports.ts';
import type { Storage } from './storage.ts';

/** The files of one preview. */
interface PreviewStaging {
  /** Returns what ffmpeg reads of a source. Throws JobFailed, and the reason of an abort. */
  stage(source: PreviewSource, index: number): Promise<Mount>;
  /** Removes what is not in `dir`. */
  end(): Promise<void>;
}

/** What all files of a preview share. `dir`: an empty folder of the preview. */
type StagedFor = Pick<PreviewTask, 'root' | 'policy'> & { readonly dir: string; readonly signal: AbortSignal };

/**
 * Stages files of previews. The files that a manifest names become one file, because ffmpeg opens none that a playlist names. Each
 * is removed when it is read, so that an object store needs no second copy of all.
 */
export function previewStaging(media: Storage['media'], { root, policy, dir, signal }: StagedFor): PreviewStaging {
  const kept: StagedInput[] = [];
  const sizes: Pick<StagedInput, 'sizeBytes'>[] = [];
  const stageFile = async (path: PreviewSource['path'], logical: string): Promise<StagedInput> => {
    const input = await media.stageFile(root, path, logical, signal);
    sizes.push({ sizeBytes: input.sizeBytes });
    try {
      checkInputSize(sizes, policy);
      return input;
    } catch (error) {
      await media.removeInput(input);
      throw error;
    }
  };
  const mount = (input: StagedInput): Mount => {
    const [found] = media.mounts([input]);
    if (found === undefined) throw new Error('The engine has no mount for a staged input.');
    return found;
  };
  return {
    stage: async (source, index) => {
      const logical = logicalName(index, source);
      const [path = source.path, ...others] = source.parts ?? [];
      if (others.length === 0) {
        const input = await stageFile(path, logical);
        kept.push(input);
        return mount(input);
      }
      const file = join(dir, String(index));
      for (const part of [path, ...others]) {
        const input = await stageFile(part, logical);
        await appendPart(mount(input), file, signal).finally(() => media.removeInput(input));
      }
      return mountOf(file, logical);
    },
    end: async () => {
      await Promise.all(kept.map((input) => media.removeInput(input)));
    },
  };
}

/** The name in an argv. It keeps the extension, because some demuxers are chosen by it. */
function logicalName(index: number, { path, parts: [first = path] = [] }: PreviewSource): string {
  // Segments after an init segment are a whole MP4.
  const kind = extension(first).replace(/^m4s$/, 'mp4');
  return `in/${index}${/^[a-z0-9]{1,10}$/.test(kind) ? `.${kind}` : ''}`;
}
