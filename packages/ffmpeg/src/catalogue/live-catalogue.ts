import { setTimeout as sleep } from 'node:timers/promises';
import { weaklyCached } from '@telecine/contract/domain/remember.ts';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { type Build, fileStamp } from './build.ts';
import { buildQueries } from './build-queries.ts';
import {
  type Catalogue,
  type CliFacts,
  componentKey,
  componentOf,
  type Fact,
  factsOf,
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

/** A catalogue that grows when a request needs more facts, and that is saved for the next start. */
export interface LiveCatalogue {
  /**
   * The newest catalogue. Facts that a request needs are in it at once; facts of background queries only now and then, because plans are
   * cached by catalogue object.
   */
  readonly current: Catalogue;
  /**
   * Queries ffmpeg until `findMissing` returns undefined: about 0.1 s for new options, once per build. Concurrent calls share their
   * queries. All methods throw `BuildUnavailable` if ffmpeg does not answer.
   */
  ensure(findMissing: (catalogue: Catalogue) => MissingFacts | undefined, how?: QueryOptions): Promise<Catalogue>;
  /** Returns a component, with a query of about 50 ms if it is new. undefined: the build lacks it. */
  component(kind: ComponentKind, name: string): Promise<Component | undefined>;
  /** Returns the facts about an allowed option of the ffmpeg program, with a query if it is new. undefined: the build lacks it. */
  option(name: string): Promise<CliFacts | undefined>;
  classes(): Promise<readonly OptionClass[]>;
  /** Saves new facts at once instead of after a short delay. Call this before the process exits. */
  flush(): Promise<void>;
}

/** Returns the fields of the catalogue that an answer changes. `current`: the catalogue now, which may be newer than the query. */
type Update = (current: Catalogue) => Partial<Catalogue>;

/** Milliseconds that a request waits for a query of the start, which has low priority. Then the request runs its own query. */
const HELP_WAIT_MS = 200;

/** How long new facts are collected before they are saved together, in milliseconds. */
const SAVE_DELAY_MS = 500;

/**
 * How long facts of background queries are collected before `current` gets them and they are saved, in milliseconds. Some twenty arrive per
 * second. A crash loses the facts that are not saved.
 */
const BACKGROUND_STEP_MS = 10_000;

/** A catalogue with the facts of two catalogues of the same build. */
const merge = (one: Catalogue, other: Catalogue): Catalogue => ({
  ...one,
  cli: new Map([...one.cli].map(([name, facts]) => [name, facts ?? other.cli.get(name) ?? null])),
  components: new Map([...other.components, ...one.components]),
});

/**
 * Opens the catalogue of `build`. It begins with the facts that an earlier start saved in `folder`, and the facts of `prepared`. If there
 * are none, ffmpeg is queried (several queries at once, 0.2 to 0.4 s).
 *
 * @param folder undefined: nothing is read or saved.
 * @param onFault Called when `folder` cannot be written, and with `QueryFailed`. The catalogue continues to work.
 * @param prepared The catalogue that was prepared for this build.
 * @param running The initial queries, if they run already. Ignored if another program has replaced the queried program since.
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
  // Copies the strings. Each is a part of ffmpeg's output, and would keep all of it (about 1 MB) in memory.
  let current = known ?? structuredClone(await queryInitialCatalogue(build, started));
  /** `current`, and the facts of background queries that it does not have yet. */
  let newest = current;
  let hasUnsavedFacts = known === undefined;
  let saveTimer: NodeJS.Timeout | undefined;
  let stepTimer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const runningQueries = new Map<string, { readonly promise: Promise<void> } & QueryOptions>();
  const queriesOfBuild = () => buildQueries(build, onFault, () => fileStamp(build.path));
  const runQuery = queriesOfBuild();
  // Background queries have their own queue, so that requests do not wait for them and are not rejected when they fail.
  const runBackgroundQuery = queriesOfBuild();
  /** Runs a query. Throws if another program has replaced the build, so that no answer of that program is saved. */
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
  const runOnce = (fact: Fact, how: QueryOptions): Promise<void> => {
    const { key, subject } = fact;
    const { inBackground = false } = how;
    const running = runningQueries.get(key);
    // Share a running query, but let no request wait for one at low priority.
    if (running !== undefined && (inBackground || !running.inBackground)) return running.promise;
    const promise = ask(key, () => queryFact(build, fact, how), subject, how)
      .then((update) => add(update, inBackground))
      .finally(() => {
        if (runningQueries.get(key)?.promise === promise) runningQueries.delete(key);
      });
    runningQueries.set(key, { promise, inBackground });
    return promise;
  };
  const ensure: LiveCatalogue['ensure'] = async (findMissing, how = {}) => {
    const { inBackground = false } = how;
    if (!inBackground && findMissing(current) === undefined) return current;
    for (let missing = findMissing(newest); missing !== undefined; missing = findMissing(newest))
      await Promise.all(factsOf(missing).map((fact) => runOnce(fact, how)));
    if (!inBackground) current = newest;
    return newest;
  };
  /** Adds the help of a component when it arrives. A request that needs this help waits a short time, and then queries it itself. */
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
      // Only allowed options are queried. A query runs ffmpeg with the option, and other options can write files or open devices.
      const isNew = CLI_RULES.has(name) && current.cli.get(name) === null;
      const facts = { options: isNew ? [name] : [], components: [] };
      return (await ensure((catalogue) => stillMissing(catalogue, facts))).cli.get(name) ?? undefined;
    },
    classes: weaklyCached(() => ask('full', () => queryOptionClasses(build))),
    flush,
  };
}

async function queryFact(build: Build, { key, options, components }: Fact, how: QueryOptions): Promise<Update> {
  const [name] = options;
  const [component] = components;
  const facts = name === undefined ? undefined : await queryOption(build, name, how);
  const help = component && (await queryComponent(build, component, how));
  return (before) => ({
    ...(name !== undefined && facts && { cli: new Map(before.cli).set(name, facts) }),
    ...(help && { components: new Map(before.components).set(key, help) }),
  });
}
