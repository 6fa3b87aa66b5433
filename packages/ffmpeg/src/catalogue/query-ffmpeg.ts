import { runTool } from '../process/run-tool.ts';
import type { Build } from './build.ts';
import { type Catalogue, type CliFacts, type ComponentHelp, componentKey } from './catalogue.ts';
import type { ComponentName } from './component.ts';
import { type OptionClass, parseClasses, parseFullHelp } from './help-full.ts';
import {
  filterHelp,
  parseBsfList,
  parseCodecList,
  parseColors,
  parseFilterList,
  parseFormatList,
  parseLayouts,
  parsePixelFormats,
  parseTable,
} from './help-lists.ts';
import { isInRecordedRange, type RecordedLists, recordedFacts, recordedLists } from './recorded-help.ts';
import {
  INITIAL_QUERIES,
  type InitialAnswers,
  LIST_QUERIES,
  type ListAnswers,
  QUERY_TIMEOUT_MS,
  runQueries,
  type StartedQueries,
} from './started-queries.ts';

const BACKGROUND_TIMEOUT_MS = 60_000;

export interface QueryOptions {
  /** True if no request waits for the query, which then runs at low priority. */
  readonly inBackground?: boolean;
  /** Ends the process of the query. */
  readonly signal?: AbortSignal;
}

const timeoutOf = ({ inBackground = false }: QueryOptions): number =>
  inBackground ? BACKGROUND_TIMEOUT_MS : QUERY_TIMEOUT_MS;

/** The path of a file that cannot exist, because /dev/null is not a folder. ffmpeg stops when it cannot open this file. */
const MISSING_FILE = 'file:/dev/null/nowhere';

const QUIETLY = ['-nostdin', '-hide_banner', '-loglevel', 'warning'];

/** ffmpeg prints one of these texts for a command line that has only an option. Another output (of a crash) is not an answer. */
const OPTION_ANSWERS = ['Unrecognized option', 'Missing argument', 'Trailing option', 'Use -h to get'];

/**
 * Runs the queries of the first start with a build, and parses their answers.
 *
 * @param started The same queries, if they run already. If one of them gets no answer, all run again.
 */
export async function queryInitialCatalogue(build: Build, started?: StartedQueries): Promise<Catalogue> {
  const known = recordedLists(build.release);
  const [early, lists] = await Promise.all([
    started?.answers.catch(() => undefined),
    known ?? runQueries(build.path, LIST_QUERIES).then(parseListAnswers),
  ]);
  return parseInitialAnswers(build, early ?? (await runQueries(build.path, INITIAL_QUERIES)), lists);
}

/**
 * Finds out whether an option of the ffmpeg program takes an argument, and where it applies.
 *
 * - If the option is the last word and takes an argument, ffmpeg reports "Missing argument".
 * - If the option is before a file to which it cannot apply, ffmpeg reports "cannot be applied to input/output".
 * - At the end of a command line without files, ffmpeg reports an option for files as "trailing", but not a global option.
 *
 * ffmpeg makes the second check before it opens anything, and the command lines have no file to read or write. Call this only for allowed
 * options: some others take effect as soon as ffmpeg parses them.
 *
 * @param name Without specifier.
 */
export async function queryOption(build: Build, name: string, how: QueryOptions = {}): Promise<CliFacts> {
  const errorsOf = async (...args: readonly string[]): Promise<string> =>
    (await runTool(build.path, [...QUIETLY, ...args], timeoutOf(how), how)).stderr;
  const alone = await errorsOf(`-${name}`);
  if (!OPTION_ANSWERS.some((text) => alone.includes(text)))
    throw new Error(`${build.path} -${name} was not understood`);
  if (alone.includes('Unrecognized option')) return { argument: false, place: 'nowhere' };
  const argument = alone.includes('Missing argument');
  const words = argument ? [`-${name}`, '1'] : [`-${name}`];
  const [before, after] = await Promise.all([
    errorsOf(...words, '-i', MISSING_FILE),
    errorsOf(...words, '-f', 'null', '-'),
  ]);
  const input = !before.includes('cannot be applied to input');
  const output = !after.includes('cannot be applied to output');
  if (input !== output) return { argument, place: input ? 'input' : 'output' };
  if (!input) return { argument, place: 'nowhere' };
  const trailing = (argument ? await errorsOf(...words) : alone).includes('Trailing option');
  return { argument, place: trailing ? 'both' : 'global' };
}

/** Queries the help of one component. Its name must come from the lists, never from a request. Throws if ffmpeg does not answer. */
export async function queryComponent(
  build: Build,
  component: ComponentName,
  how: QueryOptions = {},
): Promise<ComponentHelp> {
  const key = componentKey(component);
  const { stdout, stderr } = await runTool(build.path, ['-hide_banner', '-h', key], timeoutOf(how), how);
  // ffmpeg prints the name of a component even if there is no help for it.
  if (!stdout.includes(component.name) && !stderr.includes(component.name))
    throw new Error(`${build.path} -h ${key} did not print its help`);
  return { text: stdout };
}

/** Queries every option class with its help texts, which a catalogue does not have. Takes about 0.2 s. */
export async function queryOptionClasses(build: Build): Promise<readonly OptionClass[]> {
  return parseClasses(await queryFullHelp(build));
}

/** Queries the help of all options, about 1 MB. */
export async function queryFullHelp(build: Build): Promise<string> {
  const { stdout } = await runTool(build.path, ['-hide_banner', ...INITIAL_QUERIES.full], QUERY_TIMEOUT_MS);
  if (!/AVOptions:$/m.test(stdout)) throw new Error(`${build.path} -h full did not print ffmpeg's help`);
  return stdout;
}

/**
 * Makes the catalogue of a build from the answers to the initial queries. Adds the recorded facts of the release, and the help of most
 * filters. Throws if the answers are not ffmpeg's help.
 */
export function parseInitialAnswers(build: Build, answers: InitialAnswers, lists: RecordedLists): Catalogue {
  const { cli, avOptions, generic } = parseFullHelp(answers.full);
  if (cli.size === 0 || avOptions.size === 0) throw new Error(`${build.path} -h full did not print ffmpeg's help`);
  const filters = parseFilterList(answers.filters);
  const names = [...cli.keys()].map((name): [string, CliFacts | null] => [name, null]);
  return {
    build,
    cli: new Map([...names, ...recordedFacts(build.release, cli)]),
    cliHelp: cli,
    avOptions,
    generic,
    lists: {
      encoders: parseCodecList(answers.encoders),
      decoders: parseCodecList(answers.decoders),
      muxers: parseFormatList(answers.muxers),
      demuxers: parseFormatList(answers.demuxers),
      filters,
      bsfs: parseBsfList(answers.bsfs),
      ...lists,
    },
    components: isInRecordedRange(build.release) ? filterHelp(answers.full, filters) : new Map(),
  };
}

/** Parses the lists of a release that is not recorded. */
export const parseListAnswers = (answers: ListAnswers): RecordedLists => ({
  pixelFormats: parsePixelFormats(answers.pixelFormats),
  sampleFormats: parseTable(answers.sampleFormats),
  channelLayouts: parseLayouts(answers.layouts),
  colors: parseColors(answers.colors),
});
