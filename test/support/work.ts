import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { countNativeWork } from './native-work.ts';

/** What one run of a function did. */
export interface Work {
  /** All counts together. */
  readonly units: number;
  /** The counts by place: `packages/contract/src/domain/quantity.ts:12 sizeText`, or the name of a built-in function. */
  readonly places: ReadonlyMap<string, number>;
}

export interface WorkCounter {
  /** Runs `run` once and counts what it does. What it throws is thrown. */
  work(run: () => unknown): Promise<Work>;
  /** Counts what each function does, with as few calls of the profiler as possible: each takes as long as many a function. */
  works(runs: readonly (() => unknown)[]): Promise<readonly Work[]>;
  /** The lines that let a built-in function walk most, the first one first. `every`: how many units apart the samples are. */
  callersOf(builtIn: string, run: () => unknown, every: number): Promise<readonly string[]>;
  /** The files with a function that ran within `work`, from the folder of the package on. */
  ranFiles(): ReadonlySet<string>;
  stop(): void;
}

interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/**
 * Counts work instead of time, so that it is the same on each machine and in each run: the calls of functions and blocks as the
 * precise coverage of V8 counts them, and the elements and characters that built-in functions walk (`countNativeWork`).
 *
 * Not seen: what a regular expression does between its start and its match, copies of objects by `{ ...all }`, copies of texts
 * that are put together, and all that does not run in JavaScript.
 *
 * V8 counts the blocks of functions that it compiles from now on. So call this before what is counted is imported, and in a
 * process of its own: code that counts is slow, also after `stop`.
 */
export function startCounting(): WorkCounter {
  const session = new Session();
  session.connect();
  /** A session of the same thread answers within the call. */
  const call = <T>(method: string, parameters: object = {}): T => {
    let answer: unknown;
    session.post(method, parameters, (error, value) => {
      if (error !== null) throw error;
      answer = value;
    });
    return answer as T;
  };
  const take = () => call<{ readonly result: readonly Script[] }>('Profiler.takePreciseCoverage').result;
  call('Debugger.enable');
  call('Profiler.enable');
  call('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const known = new Map<string, PlacesInScript>();
  const placesIn = ({ scriptId, url }: Script): PlacesInScript => {
    let found = known.get(scriptId);
    if (found === undefined) {
      const file = fileOf(url);
      const sourceOf = (): string =>
        call<{ readonly scriptSource: string }>('Debugger.getScriptSource', { scriptId }).scriptSource;
      found = file === undefined ? undefined : { file, placeOf: placeFinder(file, sourceOf()) };
      known.set(scriptId, found);
    }
    return found;
  };
  const files = new Set<string>();
  /** Counts since the last `take`. */
  const count = async (run: () => unknown): Promise<Work> => {
    const native = countNativeWork();
    let result: unknown;
    try {
      result = run();
      // Awaited only where needed: other tasks of the process may run then.
      if (result instanceof Promise) await result;
    } finally {
      native.stop();
    }
    const places = new Map(native.counts);
    for (const script of take()) {
      const found = placesIn(script);
      if (found === undefined) continue;
      for (const { functionName, ranges } of script.functions) {
        for (const { startOffset, count: calls } of ranges) {
          if (calls === 0) continue;
          const place = found.placeOf(startOffset, functionName);
          places.set(place, (places.get(place) ?? 0) + calls);
        }
        if (functionName !== '' || (ranges[0]?.startOffset ?? 0) > 0) files.add(found.file);
      }
    }
    return { units: [...places.values()].reduce((sum, calls) => sum + calls, 0), places };
  };
  return {
    async work(run) {
      take();
      return count(run);
    },
    async works(runs) {
      take();
      const all: Work[] = [];
      for (const run of runs) all.push(await count(run));
      return all;
    },
    async callersOf(builtIn, run, every) {
      const callers = new Map<string, number>();
      let units = 0;
      const native = countNativeWork((name, walked) => {
        if (name !== builtIn) return;
        units += walked;
        if (units < every) return;
        const caller = callerIn(new Error('where').stack ?? '');
        callers.set(caller, (callers.get(caller) ?? 0) + units);
        units = 0;
      });
      try {
        await run();
      } finally {
        native.stop();
      }
      return [...callers].sort(([, a], [, b]) => b - a).map(([caller]) => caller);
    },
    ranFiles: () => files,
    stop() {
      call('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

const ROOT = `${new URL('../../', import.meta.url).pathname}`;
/** Code that runs the tests, and the tests themselves. */
const NOT_COUNTED = /^test\/(?!fixtures\/)|(?:^|\/)node_modules\/(?:vitest|@vitest|vite|rolldown|tinypool)\//;

/** The file of a script from the folder of the package on. undefined for Node's own, and for those that are not counted. */
function fileOf(url: string): string | undefined {
  const path = url.replace(/^file:\/\//, '');
  if (!path.startsWith(ROOT)) return undefined;
  const file = path.slice(ROOT.length);
  return NOT_COUNTED.test(file) ? undefined : file;
}

/** The innermost line of a stack in a file that is counted. */
function callerIn(stack: string): string {
  for (const line of stack.split('\n')) {
    const [, path = '', at = ''] = /((?:file:\/\/)?\/[^():]+):(\d+):\d+\)?$/.exec(line) ?? [];
    const file = fileOf(path);
    if (file !== undefined) return `${file}:${at}`;
  }
  return 'an unknown line';
}

/** undefined for a script that is not counted. */
type PlacesInScript = { readonly file: string; placeOf(offset: number, functionName: string): string } | undefined;

/** Finds the place of an offset in a script: its file, its line by the source map if there is one, and its function. */
function placeFinder(file: string, source: string): (offset: number, functionName: string) => string {
  const starts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
  const [, map] = /^\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([\w+/=]+)$/m.exec(source) ?? [];
  const original =
    map === undefined ? undefined : new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString('utf8')));
  const found = new Map<number, string>();
  return (offset, functionName) => {
    const known = found.get(offset);
    if (known !== undefined) return known;
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = original?.findEntry(line, offset - (starts[line] ?? 0));
    const number = (entry !== undefined && 'originalLine' in entry ? entry.originalLine : line) + 1;
    const place = `${file}:${number} ${functionName}`;
    found.set(offset, place);
    return place;
  };
}
