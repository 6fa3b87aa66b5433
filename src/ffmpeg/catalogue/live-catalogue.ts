import { setTimeout as sleep } from 'node:timers/promises';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { type Build, fileStamp } from './build.ts';
import { buildQueries } from './build-queries.ts';
import {
  type Catalogue,
  type CliFacts,
  componentKey,
  componentOf,
  LIST_OF,
  type MissingFacts,
  stillMissing,
} from './catalogue.ts';
import { loadCatalogue, saveCatalogue } from './catalogue-file.ts';
import type { Component, ComponentKind, ComponentName } from './component.ts';
import type { OptionClass } from './help-full.ts';
import { programState, rejectReplaced } from './program-state.ts';
import {
  type QueryOptions,
  queryComponent,
  queryInitialCatalogue,
  queryOption,
  queryOptionClasses,
} from './query-ffmpeg.ts';
import { belongTo, type StartedQueries } from './started-queries.ts';

/** A catalogue that is extended when a request needs more facts, and saved for the next start. */
export interface LiveCatalogue {
  /**
   * The catalogue, which is replaced when a request gets new facts. What queries in the background find is added in steps, or earlier if
   * it is needed, because plans are cached for a catalogue.
   */
  readonly current: Catalogue;
  /**
   * Queries ffmpeg until `findMissing` returns undefined. This takes about 0.1 s for options that were never queried,
   * once per build. Concurrent calls share their queries. Throws `BuildUnavailable` if ffmpeg gives no answer; a later call
   * queries again. So do the other methods.
   */
  ensure(findMissing: (catalogue: Catalogue) => MissingFacts | undefined, how?: QueryOptions): Promise<Catalogue>;
  /**
   * Returns a component. Queries it if it is not known yet, which takes about 50 ms. Returns undefined if the build has
   * no such component.
   */
  component(kind: ComponentKind, name: string): Promise<Component | undefined>;
  /**
   * Returns the facts about one of ffmpeg's own options. Queries them if they are not known yet, and requests may use the
   * option. Returns undefined if the build has no such option.
   */
  option(name: string): Promise<CliFacts | undefined>;
  /**
   * Returns every option class with its help texts, for searching. They are cached by a weak reference and queried
   * again after garbage collection.
   */
  classes(): Promise<readonly OptionClass[]>;
  /** Saves new facts now instead of after a short delay. Call it before the process exits. */
  flush(): Promise<void>;
}

/** Applies an answer to the catalogue, which may have changed since the query started. Returns the changed fields. */
type Update = (current: Catalogue) => Partial<Catalogue>;

/** How long requests wait for the help that is on its way: its queries leave the processor to others. */
const HELP_WAIT_MS = 200;

/** How long new facts are collected before they are saved together, in milliseconds. */
const SAVE_DELAY_MS = 500;

/** The same for what queries in the background find, some twenty facts a second. A crash loses it. */
const BACKGROUND_STEP_MS = 10_000;

/**
 * Copies every string of a catalogue. Substrings of ffmpeg's output keep the whole output (about 1 MB) in memory; a clone does not.
 */
const detachStrings = (catalogue: Catalogue): Catalogue => structuredClone(catalogue);

/** A catalogue with the facts of two of one build. */
const merge = (one: Catalogue, other: Catalogue): Catalogue => ({
  ...one,
  cli: new Map([...one.cli].map(([name, facts]) => [name, facts ?? other.cli.get(name) ?? null])),
  components: new Map([...other.components, ...one.components]),
});

/**
 * Opens the catalogue of `build`: from `folder` if an earlier start saved it there, and from `prepared`, otherwise by
 * querying ffmpeg (one round of concurrent queries, 0.2 to 0.4 s).
 *
 * @param folder Undefined: nothing is read or saved.
 * @param onFault Called when `folder` cannot be written, and with `QueryFailed`. The catalogue keeps working.
 * @param prepared The catalogue that was prepared for this build, if any.
 * @param running The initial queries, if they run already. They are not used if another program has taken the place of theirs.
 */
export async function openCatalogue(
  build: Build,
  folder: string | undefined,
  onFault: (error: unknown) => void = () => {},
  prepared?: Catalogue,
  running?: StartedQueries,
): Promise<LiveCatalogue> {
  const saved = folder === undefined ? undefined : await loadCatalogue(folder, build);
  const known = saved && prepared ? merge(prepared, saved) : (saved ?? prepared);
  const started = running !== undefined && belongTo(running, build) ? running : undefined;
  let current = known ?? detachStrings(await queryInitialCatalogue(build, started));
  /** `current` with the facts that the background has found since. */
  let newest = current;
  let hasUnsavedFacts = known === undefined;
  let saveTimer: NodeJS.Timeout | undefined;
  let stepTimer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const runningQueries = new Map<string, { readonly promise: Promise<void> } & QueryOptions>();
  let classes: WeakRef<readonly OptionClass[]> | undefined;
  let classesQuery: Promise<readonly OptionClass[]> | undefined;
  const queriesOfBuild = () => buildQueries(build, onFault, () => fileStamp(build.path));
  const runQuery = queriesOfBuild();
  // Requests neither wait for these nor are rejected because one of them failed.
  const runBackgroundQuery = queriesOfBuild();
  /** Runs a query, unless another program has taken the place of the build: its answer would be saved as a fact of this one. */
  const ask = async <T>(
    key: string,
    query: () => Promise<T>,
    subject?: string,
    { inBackground = false, signal }: QueryOptions = {},
  ): Promise<T> => {
    rejectReplaced(build);
    const run = inBackground ? runBackgroundQuery : runQuery;
    return run(key, () => query().finally(() => rejectReplaced(build)), subject, signal);
  };

  const flush = (): Promise<void> => {
    current = newest;
    clearTimeout(saveTimer);
    clearTimeout(stepTimer);
    saveTimer = undefined;
    stepTimer = undefined;
    saving = saving.then(async () => {
      if (folder === undefined || !hasUnsavedFacts) return;
      hasUnsavedFacts = false;
      await saveCatalogue(folder, current).catch(onFault);
    });
    return saving;
  };
  const add = (update: Update, inBackground: boolean): void => {
    newest = { ...newest, ...update(newest) };
    hasUnsavedFacts = true;
    if (inBackground) stepTimer ??= setTimeout(flush, BACKGROUND_STEP_MS).unref();
    else {
      current = newest;
      saveTimer ??= setTimeout(flush, SAVE_DELAY_MS).unref();
    }
  };
  const runOnce = (key: string, query: () => Promise<Update>, subject: string, how: QueryOptions): Promise<void> => {
    const { inBackground = false } = how;
    const running = runningQueries.get(key);
    // A request does not wait for a query that leaves the processor to others.
    if (running !== undefined && (inBackground || !running.inBackground)) return running.promise;
    const promise = ask(key, query, subject, how)
      .then((update) => add(update, inBackground))
      .finally(() => {
        if (runningQueries.get(key)?.promise === promise) runningQueries.delete(key);
      });
    runningQueries.set(key, { promise, inBackground });
    return promise;
  };
  const query = async ({ options, components }: MissingFacts, how: QueryOptions = {}): Promise<void> => {
    await Promise.all([
      ...options.map((name) =>
        runOnce(
          `option ${name}`,
          async () => {
            const facts = await queryOption(build, name, how);
            return ({ cli }) => ({ cli: new Map(cli).set(name, facts) });
          },
          `option "${name}"`,
          how,
        ),
      ),
      ...components.map((component) => {
        const key = componentKey(component);
        return runOnce(
          key,
          async () => {
            const help = await queryComponent(build, component, how);
            return (before) => ({ components: new Map(before.components).set(key, help) });
          },
          `${component.kind} "${component.name}"`,
          how,
        );
      }),
    ]);
  };
  const ensure: LiveCatalogue['ensure'] = async (findMissing, how = {}) => {
    const { inBackground = false } = how;
    if (!inBackground && findMissing(current) === undefined) return current;
    for (let missing = findMissing(newest); missing !== undefined; missing = findMissing(newest))
      await query(missing, how);
    if (!inBackground) current = newest;
    return newest;
  };
  /** Adds the help of a component that is on its way. A request that needs it waits for it, and queries it if it does not come. */
  const awaitHelp = (component: ComponentName, help: Promise<string | undefined>): void => {
    const key = componentKey(component);
    if (current.components.has(key) || !current.lists[LIST_OF[component.kind]].has(component.name)) return;
    const added = help.then((text) => {
      if (text === undefined || !text.includes(component.name) || programState(build).kind !== 'same') return;
      add(({ components }) => ({ components: new Map(components).set(key, { text }) }), false);
    });
    const promise = Promise.race([added, sleep(HELP_WAIT_MS, undefined, { ref: false })]).then(() => {
      runningQueries.delete(key);
    });
    runningQueries.set(key, { promise });
  };
  for (const [key, help] of started?.helps ?? []) {
    const [kind, name] = key.split('=') as [ComponentKind, string];
    awaitHelp({ kind, name }, help);
  }
  void flush();

  return {
    get current() {
      return current;
    },
    ensure,
    component: async (kind, name) => {
      if (!current.lists[LIST_OF[kind]].has(name)) return undefined;
      const facts = { options: [], components: [{ kind, name }] };
      return componentOf(await ensure((catalogue) => stillMissing(catalogue, facts)), kind, name);
    },
    option: async (name) => {
      // A query runs ffmpeg with the option, and others than the allowed ones can write files or open devices.
      const isNew = CLI_RULES.has(name) && current.cli.get(name) === null;
      const facts = { options: isNew ? [name] : [], components: [] };
      return (await ensure((catalogue) => stillMissing(catalogue, facts))).cli.get(name) ?? undefined;
    },
    classes: async () => {
      const cached = classes?.deref();
      if (cached !== undefined) return cached;
      classesQuery ??= ask('full', () => queryOptionClasses(build)).finally(() => {
        classesQuery = undefined;
      });
      const result = await classesQuery;
      classes = new WeakRef(result);
      return result;
    },
    flush,
  };
}
