import pLimit from 'p-limit';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { findMissingFacts, type MissingFacts } from '../plan/required-facts.ts';
import type { Build } from './build.ts';
import { type Catalogue, type CliFacts, componentKey, componentOf, LIST_OF } from './catalogue.ts';
import { deserialise, loadCatalogue, saveCatalogue, serialise } from './catalogue-file.ts';
import type { Component, ComponentKind } from './component.ts';
import type { OptionClass } from './help-full.ts';
import { askBasics, askClasses, askComponent, askOption } from './query-ffmpeg.ts';

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
  /** One component, asked for where it is not known yet (about 50 ms); undefined: the build has none of that name. */
  component(kind: ComponentKind, name: string): Promise<Component | undefined>;
  /** What ffmpeg itself says of one of its options; undefined: the build has none of that name. */
  option(name: string): Promise<CliFacts | undefined>;
  /** Every class of options with its help: for searching. Asked anew where the collector took it back. */
  classes(): Promise<readonly OptionClass[]>;
  /** Writes down what was learned, now instead of a moment later. Call before the process ends. */
  flush(): Promise<void>;
}

/** What an answer changes in the catalogue that is current when it arrives. */
type Learned = (before: Catalogue) => Partial<Catalogue>;

/** Milliseconds after which new facts are written down together. */
const SAVE_AFTER_MS = 500;

/** Strings cut out of what the program printed hold on to all of it, a megabyte; read back, they stand alone. */
const standAlone = (catalogue: Catalogue): Catalogue => deserialise(serialise(catalogue), catalogue.build) ?? catalogue;

/** Questions at once: each is a process that loads all of ffmpeg's libraries. */
const QUESTIONS_AT_ONCE = 4;

/**
 * Opens what is known of `build`: from `folder` where an earlier start left it, else by asking the program
 * (one round of eleven questions at once, 0.3 to 0.6 s). `onFault` hears of a folder that cannot be written; nothing
 * else suffers by it.
 */
export async function openCatalogue(
  build: Build,
  folder: string,
  onFault: (error: unknown) => void = () => {},
): Promise<LiveCatalogue> {
  const kept = await loadCatalogue(folder, build);
  let current = kept ?? standAlone(await askBasics(build));
  let unsaved = kept === undefined;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const asked = new Map<string, Promise<void>>();
  let classes: WeakRef<readonly OptionClass[]> | undefined;
  let asking: Promise<readonly OptionClass[]> | undefined;
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
  const learn = async ({ options, components }: MissingFacts): Promise<void> => {
    await Promise.all([
      ...options.map((name) =>
        once(`option ${name}`, async () => {
          const facts = await askOption(build, name);
          return ({ cli }) => ({ cli: new Map(cli).set(name, facts) });
        }),
      ),
      ...components.map((component) => {
        const key = componentKey(component);
        return once(key, async () => {
          const help = await askComponent(build, component);
          return (before) => ({ components: new Map(before.components).set(key, help) });
        });
      }),
    ]);
  };
  void flush();

  return {
    get current() {
      return current;
    },
    knows: (request) => findMissingFacts(request, current) === undefined,
    ensure: async (request) => {
      for (
        let missing = findMissingFacts(request, current);
        missing !== undefined;
        missing = findMissingFacts(request, current)
      )
        await learn(missing);
      return current;
    },
    component: async (kind, name) => {
      if (!current.lists[LIST_OF[kind]].has(name)) return undefined;
      if (componentOf(current, kind, name) === undefined) await learn({ options: [], components: [{ kind, name }] });
      return componentOf(current, kind, name);
    },
    option: async (name) => {
      if (current.cli.get(name) === null) await learn({ options: [name], components: [] });
      return current.cli.get(name) ?? undefined;
    },
    classes: async () => {
      const kept = classes?.deref();
      if (kept !== undefined) return kept;
      asking ??= limited(() => askClasses(build)).finally(() => {
        asking = undefined;
      });
      const asked = await asking;
      classes = new WeakRef(asked);
      return asked;
    },
    flush,
  };
}
