import type { CutOptions, WholeReason } from '../../ports/chunk-maker.ts';
import { ChunkUnfit } from './encode-chunk.ts';

/** The cutting of an input, which goes on while its first chunks are encoded. */
export interface RunningCut {
  /** Returns whether all chunks are stored. Throws why cutting has failed, as `ChunkUnfit` if the job must run whole. */
  isEnded(): boolean;
  /** The share of the video that is cut. 0: unknown. */
  share(): number;
  /** Stops the cutting. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** The cutting of an input whose chunks are all stored. */
export const ENDED_CUT: RunningCut = { isEnded: () => true, share: () => 1, stop: async () => undefined };

interface CutSteps {
  readonly signal: AbortSignal;
  /** See `ChunkMaker.cut`. */
  cut(signal: AbortSignal, onParts: CutOptions['onParts']): Promise<WholeReason | undefined>;
  /** Stores parts. The next ones are stored afterwards. Resolves to a reason if the job must run whole. */
  store(parts: readonly string[]): Promise<WholeReason | undefined>;
}

/**
 * Starts to cut an input. `begun` resolves when the first chunks are stored, or to the reason if the job must run whole before
 * any are. Rejects with the error of the cutting.
 */
export function startCut({ signal, cut, store }: CutSteps): RunningCut & {
  readonly begun: Promise<WholeReason | undefined>;
} {
  const stopped = new AbortController();
  const begun = Promise.withResolvers<WholeReason | undefined>();
  // Nobody waits for it if an earlier attempt has stored chunks.
  begun.promise.catch(() => undefined);
  let [isEnded, isStored, share] = [false, false, 0];
  let fault: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    fault ??= { error };
    begun.reject(error);
    stopped.abort();
  };
  const mustFit = (reason: WholeReason | undefined): void => {
    if (reason === undefined) return;
    if (!isStored) begun.resolve(reason);
    throw new ChunkUnfit(reason.whole);
  };
  let storing = Promise.resolve();
  const onParts: CutOptions['onParts'] = (parts, cutShare) => {
    storing = storing
      .then(async () => {
        stopped.signal.throwIfAborted();
        mustFit(await store(parts));
        [isStored, share] = [true, cutShare];
        begun.resolve(undefined);
      })
      .catch(fail);
  };
  const run = async (): Promise<void> => {
    const reason = await cut(AbortSignal.any([signal, stopped.signal]), onParts);
    await storing;
    mustFit(reason);
    isEnded = fault === undefined;
  };
  const ended = run().catch(fail);
  return {
    begun: begun.promise,
    isEnded: () => {
      if (fault !== undefined) throw fault.error;
      return isEnded;
    },
    share: () => share,
    stop: () => {
      stopped.abort();
      return ended;
    },
  };
}
