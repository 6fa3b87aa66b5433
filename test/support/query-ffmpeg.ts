import { QUERY_TIMEOUT_MS } from '../../packages/ffmpeg/src/catalogue/answers.ts';
import type { Build } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { type CliFacts, componentKey } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { ComponentName } from '../../packages/ffmpeg/src/catalogue/component.ts';
import { runTool } from '../../packages/ffmpeg/src/process/run-tool.ts';

/** The path of a file that cannot exist, because /dev/null is not a folder. ffmpeg stops when it cannot open this file. */
const MISSING_FILE = 'file:/dev/null/nowhere';

const QUIETLY = ['-nostdin', '-hide_banner', '-loglevel', 'warning'];

/** ffmpeg prints one of these texts for a command line that has only an option. Another output (of a crash) is not an answer. */
const OPTION_ANSWERS = ['Unrecognized option', 'Missing argument', 'Trailing option', 'Use -h to get'];

/** What trial runs show about an option. `nowhere`: the build does not have it. */
export interface TriedOption {
  readonly argument: boolean;
  readonly place: CliFacts['place'] | 'nowhere';
}

/**
 * Finds out by trial runs whether an option of the ffmpeg program takes an argument, and where it applies.
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
export async function queryOption(build: Pick<Build, 'path'>, name: string): Promise<TriedOption> {
  const errorsOf = async (...args: readonly string[]): Promise<string> =>
    (await runTool(build.path, [...QUIETLY, ...args], QUERY_TIMEOUT_MS)).stderr;
  const alone = await errorsOf(`-${name}`);
  if (!OPTION_ANSWERS.some((text) => alone.includes(text)))
    throw new Error(`${build.path} -${name} was not understood`);
  if (alone.includes('Unrecognized option')) return { argument: false, place: 'nowhere' };
  const argument = alone.includes('Missing argument');
  const words = argument ? [`-${name}`, '1'] : [`-${name}`];
  const before = await errorsOf(...words, '-i', MISSING_FILE);
  const after = await errorsOf(...words, '-f', 'null', '-');
  const input = !before.includes('cannot be applied to input');
  const output = !after.includes('cannot be applied to output');
  if (input !== output) return { argument, place: input ? 'input' : 'output' };
  if (!input) return { argument, place: 'nowhere' };
  const trailing = (argument ? await errorsOf(...words) : alone).includes('Trailing option');
  return { argument, place: trailing ? 'both' : 'global' };
}

/** The help of one component. Throws if ffmpeg does not print it. */
export async function queryComponent(build: Pick<Build, 'path'>, component: ComponentName): Promise<string> {
  const key = componentKey(component);
  const { stdout, stderr } = await runTool(build.path, ['-hide_banner', '-h', key], QUERY_TIMEOUT_MS);
  // ffmpeg prints the name of a component even if there is no help for it.
  if (!stdout.includes(component.name) && !stderr.includes(component.name))
    throw new Error(`${build.path} -h ${key} did not print its help`);
  return stdout;
}

/** The names of the lists of libavutil, in ffmpeg's order. */
export async function queryLists(build: Pick<Build, 'path'>) {
  const namesIn = async (list: string, shape: RegExp): Promise<readonly string[]> => {
    const { stdout } = await runTool(build.path, ['-hide_banner', list], QUERY_TIMEOUT_MS);
    return [...stdout.matchAll(shape)].flatMap(([, name]) => name ?? []);
  };
  return {
    /** Without the formats of hardware devices. */
    pixelFormats: await namesIn('-pix_fmts', /^[I.][O.]\.[P.][B.] (?!=)(\S+)/gm),
    sampleFormats: await namesIn('-sample_fmts', /^(?!name )(\S+) +\d/gm),
    /** Single channels, then named layouts. */
    channelLayouts: await namesIn('-layouts', /^(?!NAME\s)(\S+)\s+[A-Za-z].*(?<!:)$/gm),
    /** In lower case: ffmpeg prints `Tomato`, but ignores case. */
    colors: (await namesIn('-colors', /^(?!name )(\S+)\s+#/gm)).map((name) => name.toLowerCase()),
  };
}
