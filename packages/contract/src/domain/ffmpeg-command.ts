import type { ConversionRequest, InputSpec, OutputSpec, Parameters } from './conversion.ts';
import { pointerToken } from './problem.ts';
import { readShellText, type ShellWord, type TextFinding, type TextRange } from './shell-text.ts';
import { LIST_OPTIONS } from './structured-values.ts';

/** The result of reading an ffmpeg command line as a request. */
export interface FfmpegCommand {
  /** Absent if there are errors. */
  readonly request?: ConversionRequest;
  /** Which part of the text each field of the request comes from. Keys are JSON Pointers. */
  readonly places: ReadonlyMap<string, TextRange>;
  /** The parts of the text that a request cannot express, in the order of the text. */
  readonly errors: readonly TextFinding[];
  /** The parts of the text that the request leaves out, with the reason, in the order of the text. */
  readonly notes: readonly TextFinding[];
}

/** Options that take no value in ffmpeg 5.1 to 9. */
const FLAGS: ReadonlySet<string> = new Set(
  (
    'y n an vn sn dn re stats nostats hide_banner stdin nostdin report benchmark benchmark_all ignore_unknown copy_unknown ' +
    'recast_media copyts start_at_zero xerror auto_conversion_filters noauto_conversion_filters accurate_seek noaccurate_seek ' +
    'shortest bitexact copyinkf find_stream_info nofind_stream_info force_fps fix_sub_duration autorotate noautorotate ' +
    'autoscale noautoscale display_hflip display_vflip dump hex psnr qphist vstats print_graphs'
  ).split(' '),
);

/** Whether an ffmpeg option takes no value. `name`: the option without the dash and the stream specifier. */
export const isFlag = (name: string): boolean => FLAGS.has(name);

const LOGGING = 'it changes what ffmpeg prints; the log of the job shows that';
const HARDWARE = 'conversions use the processor';

/** Options that have no effect in a request, with the reason. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ...'hide_banner loglevel v stats nostats stats_period report benchmark benchmark_all progress dump hex debug psnr vstats vstats_file'
    .split(' ')
    .map((name): [string, string] => [name, LOGGING]),
  ...'hwaccel hwaccel_device hwaccel_output_format init_hw_device filter_hw_device vaapi_device qsv_device'
    .split(' ')
    .map((name): [string, string] => [name, HARDWARE]),
  ...'stdin nostdin'.split(' ').map((name): [string, string] => [name, 'the service has no keyboard']),
  ['n', 'the service never overwrites a file without -y'],
  ['re', 'it slows the conversion down to playback speed'],
  ['passlogfile', 'the service keeps the log of the first pass'],
]);

/** Options that apply to the whole command at any position. */
const GLOBAL: ReadonlySet<string> = new Set('y filter_complex lavfi copyts start_at_zero'.split(' '));

/** Words before `ffmpeg` that are skipped: a copied prompt (`$`), `sudo`, `time`, `NAME=value`. */
const BEFORE = /^(?:\$|>|sudo|time|command|exec|nohup|\w+=.*)$/;
const PROGRAM = /(?:^|[/\\])ffmpeg(?:-\d[\d.]*)?(?:\.exe)?$/i;
const NULL_FILE = /^(?:-|\/dev\/null|NUL|pipe:\d*)$/i;

interface CommandOption {
  readonly name: string;
  readonly value: string;
  readonly range: TextRange;
}

interface CommandFile {
  readonly word: ShellWord;
  readonly options: readonly CommandOption[];
}

interface Parts {
  /** Options of the whole command. */
  readonly global: readonly CommandOption[];
  readonly inputs: readonly CommandFile[];
  readonly outputs: readonly CommandFile[];
}

/** Reads an ffmpeg command line as a request, without running it. The two commands of a two-pass encoding become one request. */
export function readFfmpegCommand(text: string): FfmpegCommand {
  const { commands, errors: shell, notes: dropped } = readShellText(text);
  const errors = [...shell];
  const notes = [...dropped];
  const places = new Map<string, TextRange>();
  const all = commands.flatMap((words) => readParts(withoutProgram(words, errors), errors, notes));
  const parts = oneCommand(all, commands, errors, notes);
  const request = parts && buildRequest(parts, { places, errors, notes });
  const inOrder = (findings: readonly TextFinding[]) => findings.toSorted((a, b) => a.from - b.from);
  return {
    ...(request !== undefined && errors.length === 0 && { request }),
    ...{ places, errors: inOrder(errors), notes: inOrder(notes) },
  };
}

/** The range of the text that a field of the request comes from. If the field has no range, the range of the nearest field around it. */
export function placeOf({ places }: Pick<FfmpegCommand, 'places'>, field: string): TextRange | undefined {
  for (let pointer = field; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const place = places.get(pointer);
    if (place !== undefined) return place;
  }
  return undefined;
}

const rangeOf = ({ from, to }: TextRange): TextRange => ({ from, to });

const finding = (range: TextRange, message: string, fix?: string): TextFinding => ({
  ...rangeOf(range),
  message,
  ...(fix !== undefined && { fix }),
});

function withoutProgram(words: readonly ShellWord[], errors: TextFinding[]): readonly ShellWord[] {
  const start = words.findIndex(({ text }) => !BEFORE.test(text));
  const [first, ...rest] = words.slice(Math.max(start, 0));
  if (first === undefined || PROGRAM.test(first.text)) return rest;
  if (first.text.startsWith('-')) return [first, ...rest];
  errors.push(finding(first, `"${first.text}" is not ffmpeg.`, 'Paste a command that starts with ffmpeg.'));
  return [];
}

/** Sorts the words after `ffmpeg` into inputs, outputs and options of the whole command. */
function readParts(words: readonly ShellWord[], errors: TextFinding[], notes: TextFinding[]): readonly Parts[] {
  if (words.length === 0) return [];
  const inputs: CommandFile[] = [];
  const outputs: CommandFile[] = [];
  const global: CommandOption[] = [];
  let options: CommandOption[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const { text } = word;
    if (!text.startsWith('-') || text === '-') {
      outputs.push({ word, options });
      options = [];
      continue;
    }
    const name = text.replace(/^-+/, '');
    const base = name.replace(/:.*/s, '');
    const value = isFlag(base) ? undefined : words[at + 1];
    if (value !== undefined) at += 1;
    const range = { from: word.from, to: value?.to ?? word.to };
    const reason = LEFT_OUT.get(base);
    if (!isFlag(base) && value === undefined)
      errors.push(finding(range, `"${text}" needs a value.`, `Write its value after ${text}.`));
    else if (reason !== undefined) notes.push(finding(range, `Left out ${text}: ${reason}.`));
    else if (name === 'i' && value !== undefined) {
      inputs.push({ word: value, options });
      options = [];
    } else (GLOBAL.has(name) ? global : options).push({ name, value: value?.text ?? '', range });
  }
  for (const { range, name } of options)
    if (outputs.length > 0)
      notes.push(finding(range, `Left out -${name}: ffmpeg ignores options after the last output.`));
  return [{ global, inputs, outputs }];
}

const passOf = ({ outputs }: Parts): string | undefined =>
  outputs.flatMap(({ options }) => options).find(({ name }) => /^pass(?::v)?$/.test(name))?.value;

/** The only command, or the second command of two passes. This command becomes the request. */
function oneCommand(
  all: readonly Parts[],
  commands: readonly (readonly ShellWord[])[],
  errors: TextFinding[],
  notes: TextFinding[],
): Parts | undefined {
  const [first, second, third] = all;
  if (second === undefined) return first;
  const [one, other] = commands.map((words) => ({ from: words[0]?.from ?? 0, to: words.at(-1)?.to ?? 0 }));
  if (
    one !== undefined &&
    third === undefined &&
    first !== undefined &&
    passOf(first) === '1' &&
    passOf(second) === '2'
  ) {
    notes.push(finding(one, 'Left out the first pass: the service runs both passes by itself.'));
    return second;
  }
  errors.push(
    finding(
      other ?? { from: 0, to: 0 },
      'This is a second command. A request is a single command.',
      'Paste one command at a time.',
    ),
  );
  return undefined;
}

interface Findings {
  readonly places: Map<string, TextRange>;
  readonly errors: TextFinding[];
  readonly notes: TextFinding[];
}

function buildRequest({ global, inputs, outputs }: Parts, found: Findings): ConversionRequest | undefined {
  const { errors, places } = found;
  const end = outputs.at(-1)?.word.to ?? inputs.at(-1)?.word.to ?? 0;
  if (inputs.length === 0)
    errors.push(
      finding(
        { from: 0, to: end },
        'The command has no input.',
        'Write -i and the file before the options of the output.',
      ),
    );
  if (outputs.length === 0)
    errors.push(
      finding({ from: end, to: end }, 'The command has no output.', 'Write the output file as the last word.'),
    );
  if (inputs.length === 0 || outputs.length === 0) return undefined;
  const isSeveral = outputs.length > 1;
  const shared = isSeveral ? parametersOf(global, '', found) : {};
  const written = outputs.map(({ word, options }, index) => {
    const pointer = isSeveral ? `/outputs/${index}` : '';
    places.set(`${pointer}/output`, rangeOf(word));
    if (NULL_FILE.test(word.text))
      errors.push(
        finding(
          word,
          `"${word.text}" is not a file, and a conversion writes files.`,
          'Name the output file, such as out.mp4.',
        ),
      );
    return outputSpec(word.text, isSeveral ? options : [...options, ...global], pointer, found);
  });
  const [only] = written;
  const sent = inputs.map((input, index) => inputSpec(input, index, found));
  const [single] = sent;
  const isPlain = sent.length === 1 && typeof single === 'string';
  if (isPlain) places.set('/input', rangeOf((inputs[0] as CommandFile).word));
  return {
    ...(isPlain ? { input: single } : { inputs: sent }),
    ...(isSeveral ? { outputs: written, ...(Object.keys(shared).length > 0 && { parameters: shared }) } : only),
  };
}

function outputSpec(output: string, options: readonly CommandOption[], pointer: string, found: Findings): OutputSpec {
  const format = options.findLast(({ name }) => name === 'f');
  if (format !== undefined) found.places.set(`${pointer}/format`, format.range);
  const parameters = parametersOf(
    options.filter(({ name }) => name !== 'f'),
    pointer,
    found,
  );
  return {
    output,
    ...(format !== undefined && { format: format.value }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
}

function inputSpec({ word, options }: CommandFile, index: number, found: Findings): string | InputSpec {
  const pointer = `/inputs/${index}`;
  const format = options.findLast(({ name }) => name === 'f')?.value;
  found.places.set(pointer, { from: options[0]?.range.from ?? word.from, to: word.to });
  found.places.set(`${pointer}/input`, rangeOf(word));
  if (NULL_FILE.test(word.text))
    found.errors.push(finding(word, `"${word.text}" is not a file.`, 'Name the file to read.'));
  if (format === 'concat')
    found.errors.push(
      finding(
        word,
        'A list of files cannot be an input.',
        'Write -i for each of its files, and choose "join" in the form.',
      ),
    );
  if (format === 'lavfi') {
    found.places.set(`${pointer}/source`, rangeOf(word));
    const duration = options.findLast(({ name }) => name === 't');
    const rest = options.filter(({ name }) => name !== 'f' && name !== 't');
    const parameters = parametersOf(rest, pointer, found);
    if (duration !== undefined) found.places.set(`${pointer}/duration`, duration.range);
    return {
      source: word.text,
      ...(duration !== undefined && { duration: duration.value }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    };
  }
  const parameters = parametersOf(options, pointer, found);
  return Object.keys(parameters).length === 0 ? word.text : { input: word.text, parameters };
}

/** Converts options to `parameters`. If an option with a value is repeated, ffmpeg uses the last value. */
function parametersOf(options: readonly CommandOption[], pointer: string, { places, notes }: Findings): Parameters {
  const parameters: Record<string, string | string[]> = {};
  for (const { name, value, range } of options) {
    const field = `${pointer}/parameters/${pointerToken(name)}`;
    const before = parameters[name];
    if (before !== undefined && LIST_OPTIONS.test(name)) {
      const list = typeof before === 'string' ? [before] : before;
      places.set(`${field}/${list.length}`, range);
      list.push(value);
      parameters[name] = list;
      continue;
    }
    const replaced = places.get(field);
    if (before !== undefined && replaced !== undefined)
      notes.push(finding(replaced, `Left out this -${name}: a later one replaces it.`));
    places.set(field, range);
    parameters[name] = value;
  }
  return parameters;
}
