import { useCallback, useSyncExternalStore } from 'react';
import { MEDIA_DURATION, MEDIA_SIZE } from '../../packages/contract/src/wire/endpoints.ts';
import { formatDuration } from '../ui/format.ts';
import { KeyWatchers } from '../ui/key-watchers.ts';

/** What the reply to a thumbnail says about its file, so that a list needs no probes. */
export interface MediaFacts {
  readonly durationSeconds?: number;
  /** The width and height in pixels: `854×480`. */
  readonly size?: string;
}

export function readMediaFacts(headers: Pick<Headers, 'get'>): MediaFacts {
  const seconds = Number(headers.get(MEDIA_DURATION) ?? Number.NaN);
  const [, width, height] = /^(\d+)x(\d+)$/.exec(headers.get(MEDIA_SIZE) ?? '') ?? [];
  return {
    ...(seconds > 0 && { durationSeconds: seconds }),
    ...(width !== undefined && height !== undefined && { size: `${width}×${height}` }),
  };
}

/** `1:30, 854×480`. '' if nothing is known. */
export const mediaFactsText = ({ durationSeconds, size }: MediaFacts = {}): string =>
  [durationSeconds !== undefined && formatDuration(durationSeconds), size].filter(Boolean).join(', ');

/** How many files are remembered, so that a long list that is scrolled for hours does not fill the memory. */
const MAX_FILES = 5000;

/** Facts by file and version. They are remembered, because a list removes and adds its rows again while it is scrolled. */
export class MediaFactsStore {
  readonly #facts = new Map<string, MediaFacts>();
  readonly #watchers = new KeyWatchers();
  readonly #most: number;

  constructor(most = MAX_FILES) {
    this.#most = most;
  }

  get(key: string): MediaFacts | undefined {
    return this.#facts.get(key);
  }

  set(key: string, facts: MediaFacts): void {
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > this.#most && oldest !== undefined) this.#facts.delete(oldest);
    this.#watchers.notify(key);
  }

  /** Calls `onChange` when the facts of this file become known. Returns a function that stops this. */
  watch(key: string, onChange: () => void): () => void {
    return this.#watchers.watch(key, onChange);
  }
}

const KNOWN = new MediaFactsStore();

/** Remembers what the reply to a thumbnail of a file says. `key`: the path and the version of the file. */
export const rememberFacts = (key: string, headers: Headers): void => KNOWN.set(key, readMediaFacts(headers));

/** The facts of a file. undefined until its thumbnail has loaded. */
export function useMediaFacts(key: string): MediaFacts | undefined {
  const subscribe = useCallback((onChange: () => void) => KNOWN.watch(key, onChange), [key]);
  return useSyncExternalStore(subscribe, () => KNOWN.get(key));
}
