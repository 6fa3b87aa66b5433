import { runTool } from '../process/run-tool.ts';
import { type Build, fileStamp } from './build.ts';

/** The queries of each first start with a build: option names and lists of components. None is about a single one. */
export const INITIAL_QUERIES = {
  full: ['-h', 'full'],
  encoders: ['-encoders'],
  decoders: ['-decoders'],
  muxers: ['-muxers'],
  demuxers: ['-demuxers'],
  filters: ['-filters'],
  bsfs: ['-bsfs'],
} as const satisfies Record<string, readonly string[]>;

/** The queries of a first start with a release whose lists are not recorded: see `recordedLists`. */
export const LIST_QUERIES = {
  pixelFormats: ['-pix_fmts'],
  sampleFormats: ['-sample_fmts'],
  layouts: ['-layouts'],
  colors: ['-colors'],
} as const satisfies Record<string, readonly string[]>;

export type InitialAnswers = Readonly<Record<keyof typeof INITIAL_QUERIES, string>>;
export type ListAnswers = Readonly<Record<keyof typeof LIST_QUERIES, string>>;

/** What most requests use, by key: queried at the first start, so that the first request need not wait for it. */
const COMMON_COMPONENTS = [
  ...['muxer=mp4', 'encoder=libx264', 'filter=scale'],
  ...['muxer=webm', 'encoder=libvpx-vp9', 'encoder=libopus'],
] as const;

/** The time limit of one query, in milliseconds. A query takes about 50, and more on a busy machine. */
export const QUERY_TIMEOUT_MS = 15_000;

/** Lets the service load at the same time. On a machine that does other work too, ffmpeg still gets a third of it. */
const NICENESS = 10;
/** The start does not wait for these. */
const COMPONENT_NICENESS = 19;

/** Queries of a program that is not identified yet. */
export interface StartedQueries {
  /** The program, absolute, with symlinks resolved. */
  readonly path: string;
  /** The `fileStamp` of the program when the queries started. */
  readonly stamp: string | undefined;
  readonly answers: Promise<InitialAnswers>;
  /** The help of components by key, as ffmpeg prints it; undefined if it does not answer. */
  readonly helps: ReadonlyMap<string, Promise<string | undefined>>;
}

/**
 * Starts the initial queries of a service, and those of common components. Loads nothing but what starts processes, so that ffmpeg can
 * answer while the service loads.
 */
export function startQueries(path: string): StartedQueries {
  const stamp = fileStamp(path);
  const answers = runQueries(path, INITIAL_QUERIES, NICENESS);
  // Whoever needs the answers handles the error. A start that fails earlier needs none.
  answers.catch(() => {});
  const helps = COMMON_COMPONENTS.map((key) => {
    const help = runQueries(path, { [key]: ['-h', key] }, COMPONENT_NICENESS);
    return [key, help.then((texts) => texts[key]).catch(() => undefined)] as const;
  });
  return { path, stamp, answers, helps: new Map(helps) };
}

/** Whether the program of started queries is that of a build, which was identified since. */
export const belongTo = (started: StartedQueries, build: Build): boolean =>
  started.path === build.path && started.stamp === build.stamp;

/** Runs queries at the same time, and returns what ffmpeg prints for each. Throws if it does not answer one. */
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
