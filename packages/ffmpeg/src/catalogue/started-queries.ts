import { runTool } from '../process/run-tool.ts';
import { type Build, fileStamp } from './build.ts';

/** The queries that run whenever the service first starts with a build: all options, and the lists of components. */
export const INITIAL_QUERIES = {
  full: ['-h', 'full'],
  encoders: ['-encoders'],
  decoders: ['-decoders'],
  muxers: ['-muxers'],
  demuxers: ['-demuxers'],
  filters: ['-filters'],
  bsfs: ['-bsfs'],
} as const satisfies Record<string, readonly string[]>;

/** Further queries of a first start, for a release whose lists are not recorded; see `recordedLists`. */
export const LIST_QUERIES = {
  pixelFormats: ['-pix_fmts'],
  sampleFormats: ['-sample_fmts'],
  layouts: ['-layouts'],
  colors: ['-colors'],
} as const satisfies Record<string, readonly string[]>;

export type InitialAnswers = Readonly<Record<keyof typeof INITIAL_QUERIES, string>>;
export type ListAnswers = Readonly<Record<keyof typeof LIST_QUERIES, string>>;

/** Components that most requests use, by key. They are queried at the first start, so that the first request need not wait. */
const COMMON_COMPONENTS = [
  ...['muxer=mp4', 'encoder=libx264', 'filter=scale'],
  ...['muxer=webm', 'encoder=libvpx-vp9', 'encoder=libopus'],
] as const;

/** The timeout of a query in milliseconds. A query takes about 50 ms, and more on a busy machine. */
export const QUERY_TIMEOUT_MS = 15_000;

/** The niceness of the initial queries, so that the service can load meanwhile. ffmpeg still gets a third of a busy processor. */
const NICENESS = 10;
/** The niceness of the queries of components, for which the start does not wait. */
const COMPONENT_NICENESS = 19;

/** Queries that run before the program is identified as a build. */
export interface StartedQueries {
  /** The absolute path of the program, with symlinks resolved. */
  readonly path: string;
  /** The `fileStamp` of the program when the queries started. */
  readonly stamp: string | undefined;
  readonly answers: Promise<InitialAnswers>;
  /** The help of components by key, as ffmpeg prints it. undefined: ffmpeg did not answer. */
  readonly helps: ReadonlyMap<string, Promise<string | undefined>>;
}

/**
 * Starts the initial queries and the queries of common components. This module imports little, so ffmpeg answers while the service loads.
 */
export function startQueries(path: string): StartedQueries {
  const stamp = fileStamp(path);
  const answers = runQueries(path, INITIAL_QUERIES, NICENESS);
  // The function that reads the answers handles an error. If the start fails before that, the error must not end the process.
  answers.catch(() => {});
  const helps = COMMON_COMPONENTS.map((key) => {
    const help = runQueries(path, { [key]: ['-h', key] }, COMPONENT_NICENESS);
    return [key, help.then((texts) => texts[key]).catch(() => undefined)] as const;
  });
  return { path, stamp, answers, helps: new Map(helps) };
}

/** True if the queries were started with the program of this build. */
export const belongTo = (started: StartedQueries, build: Build): boolean =>
  started.path === build.path && started.stamp === build.stamp;

/** Runs queries at the same time. Returns the output of ffmpeg for each. Throws if a query gets no answer. */
export async function runQueries<K extends string>(
  path: string,
  queries: Readonly<Record<K, readonly string[]>>,
  niceness?: number,
): Promise<Readonly<Record<K, string>>> {
  const answers = Object.entries<readonly string[]>(queries).map(async ([name, words]) => {
    const { stdout } = await runTool(path, ['-hide_banner', ...words], QUERY_TIMEOUT_MS, { niceness });
    return [name, stdout] as const;
  });
  return Object.fromEntries(await Promise.all(answers)) as Record<K, string>;
}
