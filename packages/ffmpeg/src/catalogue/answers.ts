import { runTool } from '../process/run-tool.ts';
import { type Build, fileStamp } from './build.ts';

/** What ffmpeg is asked, once a build: all options, and the lists of components. */
const QUERIES = {
  full: ['-h', 'full'],
  encoders: ['-encoders'],
  decoders: ['-decoders'],
  muxers: ['-muxers'],
  demuxers: ['-demuxers'],
  filters: ['-filters'],
  bsfs: ['-bsfs'],
} as const;

type HelpAnswers = Readonly<Record<keyof typeof QUERIES, string>>;

/** The answers: `options` are the options of the ffmpeg program that it has, and how it reads each of them; see `optionArguments`. */
export const ANSWERS = [...(Object.keys(QUERIES) as readonly (keyof typeof QUERIES)[]), 'options'] as const;

/** The answers of ffmpeg, as it prints them. `catalogueOf` reads them. */
export type Answers = Readonly<Record<(typeof ANSWERS)[number], string>>;

/** The timeout of a query in milliseconds. A query takes about 50 ms, and more on a busy machine. */
export const QUERY_TIMEOUT_MS = 15_000;

/** The niceness of the first queries, so that the service can load meanwhile. ffmpeg still gets a third of a busy processor. */
const NICENESS = 10;

/** Queries that run before the program is identified as a build. */
export interface StartedQueries {
  /** The `fileStamp` of the program when the queries started. */
  readonly stamp: string | undefined;
  readonly answers: Promise<HelpAnswers>;
}

/** Starts the queries. This module imports little, so ffmpeg answers while the service loads. */
export function startQueries(path: string): StartedQueries {
  const answers = queryHelp(path, NICENESS);
  // The function that reads the answers handles an error. If the start fails before that, the error must not end the process.
  answers.catch(() => {});
  return { stamp: fileStamp(path), answers };
}

/**
 * Asks a build all that a catalogue needs. Throws if an answer is missing or incomplete, or if the program of the build is replaced meanwhile.
 *
 * @param names The names of options of the ffmpeg program that requests may use, without specifiers.
 * @param started The queries, if they run already. Not used if they get no answer, or another program has replaced the queried one since.
 */
export async function queryBuild(build: Build, names: readonly string[], started?: StartedQueries): Promise<Answers> {
  const [early, options] = await Promise.all([
    started?.stamp === build.stamp ? started?.answers.catch(() => undefined) : undefined,
    queryOptions(build.path, names),
  ]);
  const help = early ?? (await queryHelp(build.path));
  // The answers are saved for this build, also for other machines. Do not save those of another program under its key.
  if (fileStamp(build.path) !== build.stamp)
    throw new Error(`${build.path} was replaced while it answered. Start again.`);
  return { ...help, options };
}

async function queryHelp(path: string, niceness?: number): Promise<HelpAnswers> {
  const answers = Object.entries<readonly string[]>(QUERIES).map(async ([name, words]) => {
    const { stdout, exitCode } = await runTool(path, ['-hide_banner', ...words], QUERY_TIMEOUT_MS, niceness);
    // Reject an incomplete answer: the answers are saved, so that it would hide components until the next build.
    if (exitCode !== 0) throw new Error(`${path} ${words.join(' ')} ended with exit code ${exitCode}`);
    return [name, stdout] as const;
  });
  return Object.fromEntries(await Promise.all(answers)) as HelpAnswers;
}

/** The word after each option: its value, or an output if the option takes none. */
const WORD = 'telecine-value';

/** No ffmpeg has this option. ffmpeg splits the whole command line into options and values before it acts on any. Here, it stops. */
const NO_OPTION = 'telecine-end';

const UNKNOWN = /Unrecognized option '(.*)'/;

/** Asks which of the options ffmpeg has, and how ffmpeg reads them. Each run finds at most one option that ffmpeg lacks. */
async function queryOptions(path: string, names: readonly string[]): Promise<string> {
  const words = names.flatMap((name) => [`-${name}`, WORD]);
  const debug = ['-hide_banner', '-nostdin', '-loglevel', 'debug'];
  const { stderr } = await runTool(path, [...debug, ...words, `-${NO_OPTION}`], QUERY_TIMEOUT_MS);
  const unknown = UNKNOWN.exec(stderr)?.[1] ?? '';
  if (unknown === NO_OPTION) return stderr;
  const others = names.filter((name) => name !== unknown);
  if (others.length === names.length) throw new Error(`${path} did not say which of its options take a value`);
  return queryOptions(path, others);
}

/** Matches what ffmpeg says about an option of its own and, if it reads the word after the option as an output, the line about the word. */
const READ_OPTION = new RegExp(
  `^Reading option '-(\\w+)' \\.{3} matched as option (.*)(\\nReading option '${WORD}' \\.{3} matched as output )?`,
  'gm',
);

/**
 * Whether each option takes a value, by `Answers.options`. An option without a value would turn a value into one more output file, and the
 * help is wrong about some options, so this is asked. undefined: ffmpeg's line about the option contradicts its line about the word.
 */
export const optionArguments = (options: string): ReadonlyMap<string, boolean | undefined> =>
  new Map(
    [...options.matchAll(READ_OPTION)].map(([, name = '', text = '', output]) => {
      const isValue = text.endsWith(` with argument '${WORD}'.`);
      const isOutput = output !== undefined;
      return [name, isValue === isOutput ? undefined : isValue];
    }),
  );
