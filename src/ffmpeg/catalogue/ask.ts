import type { Build } from './build.ts';
import type { Catalogue, CliFacts } from './catalogue.ts';
import { parseComponentOptions, parseEncoders, parseFormatList, parseFullHelp } from './help.ts';
import { runTool } from './run-tool.ts';

/** Milliseconds for one question. They take about 50; a loaded machine more. */
const TIMEOUT_MS = 15_000;

/** A file that is in no empty folder, so that ffmpeg stops before it reads anything. */
const NOWHERE = 'file:nowhere';

/** What a first start asks: the option names, and the lists of formats and encoders. Nothing here is per option. */
export async function askBasics(build: Build): Promise<Catalogue> {
  const say = async (...args: readonly string[]): Promise<string> =>
    (await runTool(build.path, ['-hide_banner', ...args], TIMEOUT_MS)).stdout;
  const [help, muxers, demuxers, encoders] = await Promise.all([
    say('-h', 'full'),
    say('-muxers'),
    say('-demuxers'),
    say('-encoders'),
  ]);
  const { cli, avOptions } = parseFullHelp(help);
  if (cli.length === 0 || avOptions.size === 0) throw new Error(`${build.path} -h full is not the help of ffmpeg`);
  return {
    build,
    cli: new Map(cli.map((name) => [name, null])),
    avOptions,
    muxers: new Set(parseFormatList(muxers)),
    demuxers: new Set(parseFormatList(demuxers)),
    encoders: parseEncoders(encoders),
    muxerOptions: new Map(),
  };
}

/**
 * Asks for one option of ffmpeg's own (without specifier) whether it takes an argument and where it may stand.
 *
 * - As the last word it is answered with "Missing argument", or it takes none.
 * - Before an input or an output of the wrong kind it is answered with "cannot be applied to input/output",
 *   which ffmpeg checks before it opens anything. Neither shape has a file to read or to write.
 * - At the end of a command line without files, an option that belongs to a file is "trailing"; a global one is not.
 *
 * Only options that callers may use are to be asked: some others act as soon as they are parsed.
 */
export async function askOption(build: Build, name: string): Promise<CliFacts> {
  const say = async (...args: readonly string[]): Promise<string> =>
    (await runTool(build.path, ['-nostdin', '-hide_banner', '-loglevel', 'warning', ...args], TIMEOUT_MS)).stderr;
  const alone = await say(`-${name}`);
  if (alone.includes('Unrecognized option')) return { argument: false, place: 'nowhere' };
  const argument = alone.includes('Missing argument');
  const words = argument ? [`-${name}`, '1'] : [`-${name}`];
  const [before, after] = await Promise.all([say(...words, '-i', NOWHERE), say(...words, '-f', 'null', '-')]);
  const input = !before.includes('cannot be applied to input');
  const output = !after.includes('cannot be applied to output');
  if (input !== output) return { argument, place: input ? 'input' : 'output' };
  if (!input) return { argument, place: 'nowhere' };
  const trailing = (argument ? await say(...words) : alone).includes('Trailing option');
  return { argument, place: trailing ? 'both' : 'global' };
}

/** The names of the options that a muxer takes itself, beyond those of every container. */
export async function askMuxer(build: Build, muxer: string): Promise<ReadonlySet<string>> {
  const { stdout } = await runTool(build.path, ['-hide_banner', '-h', `muxer=${muxer}`], TIMEOUT_MS);
  return new Set(parseComponentOptions(stdout));
}
