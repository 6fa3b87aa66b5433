import pLimit from 'p-limit';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { askBasics, askMuxer, askOption } from './ask.ts';
import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';
import { loadCatalogue, saveCatalogue } from './catalogue-file.ts';
import { missingFacts } from './needs.ts';

/** A catalogue that grows by what requests need, and is remembered. */
export interface LiveCatalogue {
  /** What is known now. */
  readonly current: Catalogue;
  /** Whether a request can be planned from `current`. A few microseconds; starts nothing. */
  knows(request: ConversionRequest): boolean;
  /**
   * Asks the program for what is missing: about 0.1 s for options never seen before, once for each build. Calls at
   * the same time share their questions. Throws when ffmpeg gives no answer; a later call asks again.
   */
  ensure(request: ConversionRequest): Promise<Catalogue>;
  /** Writes down what was learned, now instead of a moment later. Call before the process ends. */
  flush(): Promise<void>;
}

/** What an answer changes in the catalogue that is current when it arrives. */
type Learned = (before: Catalogue) => Partial<Catalogue>;

/** Milliseconds after which new facts are written down together. */
const SAVE_AFTER_MS = 500;

/** Questions at once: each is a process that loads all of ffmpeg's libraries. */
const QUESTIONS_AT_ONCE = 4;

/**
 * Opens what is known of `build`: from `folder` where an earlier start left it, else by asking the program
 * (one round of four questions at once, 0.1 to 0.3 s). `onFault` hears of a folder that cannot be written; nothing else suffers by it.
 */
export async function openCatalogue(
  build: Build,
  folder: string,
  onFault: (error: unknown) => void = () => {},
): Promise<LiveCatalogue> {
  const kept = await loadCatalogue(folder, build);
  let current = kept ?? (await askBasics(build));
  let unsaved = kept === undefined;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const asked = new Map<string, Promise<void>>();
  const limited = pLimit(QUESTIONS_AT_ONCE);

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    saving = saving.then(async () => {
      if (!unsaved) return;
      unsaved = false;
      await saveCatalogue(folder, current).catch(onFault);
    });
    return saving;
  };
  const saveSoon = (): void => {
    unsaved = true;
    timer ??= setTimeout(flush, SAVE_AFTER_MS).unref();
  };
  const once = (question: string, ask: () => Promise<Learned>): Promise<void> => {
    const running = asked.get(question);
    if (running !== undefined) return running;
    const answer = limited(ask)
      .then((learned) => {
        current = { ...current, ...learned(current) };
        saveSoon();
      })
      .finally(() => asked.delete(question));
    asked.set(question, answer);
    return answer;
  };
  if (unsaved) saveSoon();

  return {
    get current() {
      return current;
    },
    knows: (request) => missingFacts(request, current) === undefined,
    ensure: async (request) => {
      const missing = missingFacts(request, current);
      if (missing !== undefined)
        await Promise.all([
          ...missing.options.map((name) =>
            once(`option ${name}`, async () => {
              const facts = await askOption(build, name);
              return ({ cli }) => ({ cli: new Map(cli).set(name, facts) });
            }),
          ),
          ...missing.muxers.map((name) =>
            once(`muxer ${name}`, async () => {
              const options = await askMuxer(build, name);
              return ({ muxerOptions }) => ({ muxerOptions: new Map(muxerOptions).set(name, options) });
            }),
          ),
        ]);
      return current;
    },
    flush,
  };
}
