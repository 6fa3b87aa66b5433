import type { OutputUploads } from '../../jobs/ports/job-records.ts';
import type { ScratchSpace } from '../../jobs/ports/media-store.ts';
import { type MediaLog, scratchName } from './scratch.ts';

type ScratchRemoval = Pick<ScratchSpace, 'discard' | 'discardEarlier' | 'sweep'>;

/** Wraps the removal of scratch folders, so that the uploads of their attempts are removed with them. */
export function removeWithUploads(
  folders: ScratchRemoval,
  deps: {
    /** Aborts the uploads of attempts. `scratchNames`: the scratch folders of the attempts. */
    readonly dropUploads: (scratchNames: readonly string[]) => Promise<void>;
    readonly uploads: Pick<OutputUploads, 'scratchNames'>;
    /** Returns whether this process uses the scratch folder `scratch`. */
    readonly isOpen: (scratch: string) => boolean;
    readonly log: MediaLog;
  },
): ScratchRemoval {
  const { dropUploads, uploads, isOpen, log } = deps;
  return {
    discard: async (scratch) => {
      await folders.discard(scratch);
      await dropUploads([scratchName(scratch.name)]);
    },
    discardEarlier: async (jobId, fence, kept) => {
      await folders.discardEarlier(jobId, fence, kept);
      const names = await uploads.scratchNames();
      await dropUploads(
        names.filter((name) => {
          const dot = name.lastIndexOf('.');
          return name.slice(0, dot) === jobId && Number(name.slice(dot + 1)) < fence && name !== kept;
        }),
      );
    },
    sweep: async (readLive) => {
      const names = await uploads.scratchNames();
      let live: readonly string[] | undefined;
      await folders.sweep(async () => (live = await readLive()));
      try {
        const known = new Set((live ?? (await readLive())).map(scratchName));
        await dropUploads(names.filter((name) => !known.has(name) && !isOpen(name)));
      } catch (err) {
        log.warn({ err }, 'uploads of earlier runs not removed');
      }
    },
  };
}
