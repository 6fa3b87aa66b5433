import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { isGraphError } from '../../packages/ffmpeg/src/filtergraph/graph.ts';
import { parseGraph } from '../../packages/ffmpeg/src/filtergraph/parse.ts';
import type { ManualExample } from './read-examples.ts';
import { shellCommands } from './shell-words.ts';

/** The words after `ffmpeg`. */
export type Words = readonly string[];

/** Something of an example that ffmpeg can run, in the forms that it can have. */
export interface Runnable {
  readonly text: string;
  /** In the order in which to try them. */
  readonly forms: readonly Words[];
}

/** The inputs of a graph, which has no names for them. */
const INPUTS: readonly string[] = Array.from({ length: 16 }, (_, at) => `input${at + 1}.mkv`);
const SEVERAL = 4;

/** Checksums of frames, so that no encoder limits their size and format. */
const OUTPUT: Words = ['-f', 'framemd5', 'out.framemd5'];

/**
 * Returns what of an example can be run: nothing for drawings, descriptions of a syntax, and filters that this build
 * does not have.
 */
export function runnables({ text, section }: ManualExample, catalogue: Catalogue): readonly Runnable[] {
  if (/^(?:\.\/)?ff(?:mpeg|play|probe)\s/m.test(text) || /^-\w/.test(text))
    return commandsOf(shellCommands(text) ?? [], text);
  const filter = section.split(', ').find((name) => catalogue.lists.filters.has(name));
  const joined = text.replaceAll(/([,;:|\\[\]])\s*\n\s*/g, '$1 ').replaceAll(/\| (?=w)/g, '|');
  const lines = joined
    .replaceAll(/\n\s*(?=[:,;\s])/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: line, forms: textForms(line, filter, catalogue) }));
  return lines.some(({ forms }) => forms.length > 0) ? lines : [{ text, forms: [] }];
}

/** A line that starts with an option continues the command of the line before. */
function commandsOf(lines: readonly Words[], text: string): readonly Runnable[] {
  const commands: string[][] = [];
  for (const line of lines) {
    const program = (line[0] ?? '').replace('./', '');
    const before = commands.at(-1);
    if (/^ff(?:mpeg|play|probe)$/.test(program)) commands.push([program, ...line.slice(1)]);
    else if (program === '-i' || (before === undefined && program.startsWith('-'))) commands.push(['ffmpeg', ...line]);
    else if (before !== undefined && !/^(?:gnuplot|cat|echo|mkfifo|exiftran)$/.test(program)) before.push(...line);
  }
  if (commands.length === 0) return [{ text, forms: [] }];
  return commands.map((words) => ({ text: words.join(' '), forms: commandForms(words) }));
}

/** The words of a command, with paths below the working folder instead of URLs and of `/tmp`. */
function commandForms([program, ...written]: Words): readonly Words[] {
  const words = written
    .filter((word) => !/^\.{3,}$/.test(word))
    .map((word) => word.replace(/^https?:\/\/[^/]+\//, '').replaceAll(/(^|=)\/tmp\//g, '$1'));
  if (program === 'ffprobe') return [];
  if (program === 'ffplay') return playerForms(words);
  return [words.includes('-i') || words.includes('-filter_complex') ? words : ['-i', 'INPUT', ...words]];
}

/** `ffplay -f lavfi GRAPH` and `ffplay OPTIONS FILE OPTIONS`, as ffmpeg would do them. */
function playerForms(given: Words): readonly Words[] {
  const words = given.filter((word) => word !== '-i');
  const at = words.indexOf('lavfi');
  if (at > 0) return graphForms((words[at + 1] ?? '').replaceAll(/\s*\n\s*/g, ' ').trim()).slice(2);
  const file = words.findIndex((word, index) => !word.startsWith('-') && !(words[index - 1] ?? '').startsWith('-'));
  if (file < 0) return [];
  const [before, after] = [words.slice(0, file), words.slice(file + 1)];
  return [[...before, '-i', words[file] ?? '', ...after]];
}

/** The forms of a graph, with and without the quotes of a shell, and of the options of the filter of a section. */
function textForms(text: string, filter: string | undefined, catalogue: Catalogue): readonly Words[] {
  const unquoted = text.includes('"') ? shellCommands(text)?.[0]?.join(' ') : undefined;
  const texts = [...(unquoted === undefined ? [] : [unquoted]), text.trim()];
  return texts.flatMap((one) => {
    const name = /^\s*(?:\[[^\]]*\]\s*)*([a-z]\w*)/.exec(one)?.[1] ?? '';
    if (catalogue.lists.filters.has(name)) return graphForms(one);
    return filter !== undefined && /^\w+=/.test(one) ? graphForms(`${filter}=${one}`) : [];
  });
}

/** A graph of one video, of one sound, and of several inputs. */
function graphForms(text: string): readonly Words[] {
  const inputs = INPUTS.slice(0, /inputs=\d{1,2}/.test(text) ? INPUTS.length : SEVERAL);
  const { waiting, loose } = openLabels(text);
  const complex = (media: 'v' | 'a'): Words => [
    ...inputs.flatMap((name) => ['-i', name]),
    '-filter_complex',
    waiting.reduce((graph, label, at) => graph.replace(`[${label}]`, `[${at}:${media}]`), text),
    ...loose.flatMap((label) => ['-map', `[${label}]`]),
    ...OUTPUT,
  ];
  return [
    ...['-vf', '-af'].map((option) => ['-i', INPUTS[0] ?? '', option, text, ...OUTPUT]),
    complex('v'),
    ...(waiting.length === 0 ? [] : [complex('a')]),
  ];
}

/** The labels that name streams of inputs, unless they are stream specifiers, and those that need a map. */
function openLabels(text: string): { readonly waiting: readonly string[]; readonly loose: readonly string[] } {
  const graph = parseGraph(text);
  if (isGraphError(graph)) return { waiting: [], loose: [] };
  const filters = graph.chains.flat();
  const made = filters.flatMap(({ outputs }) => outputs);
  const used = filters.flatMap(({ inputs }) => inputs);
  return {
    waiting: used.filter((label) => !made.includes(label) && !/^\d/.test(label)),
    loose: made.filter((label) => !used.includes(label)),
  };
}
