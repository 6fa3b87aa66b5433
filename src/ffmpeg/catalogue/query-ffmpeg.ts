import { runTool } from '../process/run-tool.ts';
import type { Build } from './build.ts';
import { type Catalogue, type CliFacts, type ComponentHelp, componentKey } from './catalogue.ts';
import type { ComponentName } from './component.ts';
import { type OptionClass, parseClasses } from './help-full.ts';
import { INITIAL_QUERIES, type InitialAnswers, parseInitialAnswers } from './initial-queries.ts';

/** Milliseconds for one question. They take about 50; a loaded machine more. */
const TIMEOUT_MS = 15_000;

/** A file that is in no empty folder, so that ffmpeg stops before it reads anything. */
const NOWHERE = 'file:nowhere';

/** Asks what a first start needs. */
export async function queryInitialCatalogue(build: Build): Promise<Catalogue> {
  const answers = Object.entries(INITIAL_QUERIES).map(async ([name, words]) => {
    const { stdout } = await runTool(build.path, ['-hide_banner', ...words], TIMEOUT_MS);
    return [name, stdout] as const;
  });
  return parseInitialAnswers(build, Object.fromEntries(await Promise.all(answers)) as InitialAnswers);
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
export async function queryOption(build: Build, name: string): Promise<CliFacts> {
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

/** Asks for the help of one component, which must be one of the lists: a name from elsewhere is never asked for. */
export async function queryComponent(build: Build, component: ComponentName): Promise<ComponentHelp> {
  const { stdout } = await runTool(build.path, ['-hide_banner', '-h', componentKey(component)], TIMEOUT_MS);
  return { text: stdout };
}

/** The options of every class with their help: more than a catalogue keeps of them. About 0.2 s. */
export async function queryOptionClasses(build: Build): Promise<readonly OptionClass[]> {
  const { stdout } = await runTool(build.path, ['-hide_banner', ...INITIAL_QUERIES.full], TIMEOUT_MS);
  return parseClasses(stdout);
}
