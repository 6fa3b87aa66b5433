import type { ConversionRequest, InputSpec, OutputSpec, Parameters } from '@telecine/contract/domain/conversion.ts';
import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import { LIST_OPTIONS } from '@telecine/contract/domain/structured-values.ts';
import { FILTER_FILES, isFontPattern, isSystemFont } from '../allowlist/filter-files.ts';
import { isInformation } from '../allowlist/rejected-options.ts';
import { changeFilters, isGraphError, printGraph } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { isNameError, parseOptionName, printOptionName } from '../plan/request/option-name.ts';
import { type Place, type Placed, splitWords, type Word } from './shell-words.ts';

/** An option that the request leaves out, because it does not change the result. */
export interface LeftOut {
  /** With its dash. */
  readonly option: string;
  /** Absent for an option without a value. */
  readonly value?: string;
  readonly why: string;
  readonly place: Place;
}

export interface ReadCommand {
  /** Absent if there are errors. */
  readonly request?: ConversionRequest;
  readonly leftOut: readonly LeftOut[];
  readonly errors: readonly Placed<FieldError>[];
  /** Which part of the command each field of the request comes from, by JSON Pointer. */
  readonly places: ReadonlyMap<string, Place>;
  /** The files that filters read, which are inputs of the request too. */
  readonly filterFiles: readonly string[];
}

/** Options of ffmpeg 5.1 to 9 that take no value. Most exist with `no` before the name too. */
const FLAGS: ReadonlySet<string> = new Set(
  (
    'y n an vn sn dn re stats hide_banner stdin report benchmark benchmark_all ignore_unknown copy_unknown recast_media ' +
    'copyts start_at_zero xerror auto_conversion_filters accurate_seek shortest bitexact copyinkf find_stream_info force_fps ' +
    'fix_sub_duration autorotate autoscale display_hflip display_vflip dump hex debug_ts psnr qphist vstats print_graphs'
  ).split(' '),
);

const isFlag = (name: string): boolean => FLAGS.has(name) || (name.startsWith('no') && FLAGS.has(name.slice(2)));

const LOGGING = 'it changes what ffmpeg prints, and the log is kept with the job';
const HARDWARE = 'the service chooses the devices';

const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ...(
    'hide_banner loglevel v stats nostats stats_period report benchmark benchmark_all progress dump hex debug debug_ts psnr ' +
    'qphist vstats vstats_file print_graphs print_graphs_file'
  )
    .split(' ')
    .map((name): [string, string] => [name, LOGGING]),
  ...'hwaccel hwaccel_device hwaccel_output_format init_hw_device filter_hw_device vaapi_device qsv_device'
    .split(' ')
    .map((name): [string, string] => [name, HARDWARE]),
  ...'stdin nostdin'.split(' ').map((name): [string, string] => [name, 'nobody types while the job runs']),
  ...'threads filter_threads filter_complex_threads'
    .split(' ')
    .map((name): [string, string] => [name, 'the service chooses the number of threads']),
  ['n', 'nothing is overwritten without -y'],
  ['re', 'it slows the conversion down to playback speed'],
  ['passlogfile', 'the service keeps the log of the first pass'],
]);

/** Options of the whole command, wherever they are. */
const GLOBAL: ReadonlySet<string> = new Set(
  (
    'y filter_complex lavfi copyts start_at_zero copytb vsync dts_delta_threshold dts_error_threshold max_error_rate abort_on ' +
    'xerror ignore_unknown copy_unknown recast_media auto_conversion_filters noauto_conversion_filters'
  ).split(' '),
);

const BEFORE_PROGRAM: ReadonlySet<string> = new Set(['sudo', 'time', 'exec', 'nohup']);
const PROGRAM = /(?:^|[/\\.])ffmpeg(?:-\d[\d.]*)?(?:\.exe)?$/i;
const NO_FILE = /^(?:-|pipe:.*|fd:.*|NUL)$/i;
const DEVICE_FILE = /^\/dev\//;
const DEVICES: ReadonlySet<string> = new Set(
  (
    'alsa android_camera audiotoolbox avfoundation bktr caca decklink dshow fbdev gdigrab iec61883 jack kmsgrab libcdio ' +
    'libdc1394 openal opengl oss pulse sdl sdl2 sndio v4l2 vfwcap video4linux2 x11grab xcbgrab xv'
  ).split(' '),
);
/** What ffmpeg reads as a protocol unless a folder is before it: `server:`, `http:`. A single letter is a drive. */
const PROTOCOL = /^[^/\\:]{2,}:/;
/** Options whose values are filtergraphs. */
export const GRAPH_OPTIONS = /^(?:vf|af|lavfi|filter_complex|filter(?::.*)?)$/;

interface Option {
  readonly name: string;
  /** Absent for an option without a value. */
  readonly value?: string;
  readonly place: Place;
}

interface File {
  readonly word: Word;
  readonly options: readonly Option[];
}

/**
 * Reads a command line of ffmpeg, as one text or as a list of its words, as the request that does the same. Runs nothing. The request still
 * has to be checked.
 */
export function readCommand(command: string | readonly string[]): ReadCommand {
  const { words, errors } =
    typeof command === 'string'
      ? splitWords(command)
      : { words: command.map((text, word): Word => ({ text, place: { word } })), errors: [] };
  return new CommandReader(errors).read(words);
}

/** The place of a field of the request, or of the field around it. undefined: it is of the whole command. */
export function placeOf({ places }: Pick<ReadCommand, 'places'>, field: string): Place | undefined {
  for (let pointer = field; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const place = places.get(pointer);
    if (place !== undefined) return place;
  }
  return undefined;
}

class CommandReader {
  readonly #errors: Placed<FieldError>[];
  readonly #leftOut: LeftOut[] = [];
  readonly #places = new Map<string, Place>();
  readonly #filterFiles = new Set<string>();

  constructor(errors: readonly Placed<FieldError>[]) {
    this.#errors = [...errors];
  }

  read(words: readonly Word[]): ReadCommand {
    const request = this.#request(this.#withoutProgram(words));
    return {
      ...(request !== undefined && this.#errors.length === 0 && { request }),
      ...{ leftOut: this.#leftOut, errors: this.#errors, places: this.#places },
      filterFiles: [...this.#filterFiles],
    };
  }

  #fail(place: Place | undefined, code: string, message: string, fix: string): void {
    const field = place !== undefined && 'word' in place ? `/command/${place.word}` : '/command';
    this.#errors.push({ field, code, message, fix, ...(place && { place }) });
  }

  #withoutProgram(words: readonly Word[]): readonly Word[] {
    const [first, ...rest] = words.slice(words.findIndex(({ text }) => !BEFORE_PROGRAM.has(text)));
    if (first === undefined || PROGRAM.test(first.text)) return rest;
    if (first.text.startsWith('-')) return [first, ...rest];
    this.#fail(
      first.place,
      'NOT_FFMPEG',
      `${quote(first.text)} is not ffmpeg.`,
      'Send a command that starts with ffmpeg.',
    );
    return [];
  }

  #request(words: readonly Word[]): ConversionRequest | undefined {
    const { global, inputs, outputs } = this.#files(words);
    if (this.#errors.length > 0) return undefined;
    if (inputs.length === 0)
      this.#fail(
        undefined,
        'MISSING',
        'The command has no input.',
        'Write -i and the file before the options of the output.',
      );
    if (outputs.length === 0)
      this.#fail(undefined, 'MISSING', 'The command has no output.', 'Write the output file as the last word.');
    const specs = inputs.map((input, index) => this.#input(input, index));
    const isSeveral = outputs.length > 1;
    const written = outputs.map(({ word, options }, index) =>
      this.#output(word, isSeveral ? options : [...options, ...global], isSeveral ? `/outputs/${index}` : ''),
    );
    const shared = isSeveral ? this.#parameters(global, '') : {};
    const opened = new Set(specs.map((spec) => (typeof spec === 'string' ? spec : spec.input)));
    const read = [...specs, ...[...this.#filterFiles].filter((file) => !opened.has(file))];
    const [only] = read;
    const isPlain = typeof only === 'string' && read.length === 1;
    if (isPlain && inputs[0] !== undefined) this.#places.set('/input', inputs[0].word.place);
    return {
      ...(isPlain ? { input: only } : { inputs: read }),
      ...(isSeveral ? { outputs: written, ...withMembers('parameters', shared) } : written[0]),
    };
  }

  /** Sorts the words after `ffmpeg` into inputs, outputs and options of the whole command, as ffmpeg does. */
  #files(words: readonly Word[]) {
    const inputs: File[] = [];
    const outputs: File[] = [];
    const global: Option[] = [];
    let options: Option[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] as Word;
      const name = word.text.slice(1);
      if (!word.text.startsWith('-') || name === '') {
        outputs.push({ word, options });
        options = [];
        continue;
      }
      const base = name.replace(/:.*/s, '');
      const value = isFlag(base) ? undefined : words[at + 1];
      if (value !== undefined) at += 1;
      const place = value === undefined ? word.place : upTo(word.place, value.place);
      if (isInformation(base.replace(/^-/, ''))) {
        const message = `${quote(word.text)} prints information about ffmpeg and converts nothing.`;
        this.#fail(word.place, 'OPTION_NOT_ALLOWED', message, 'Send a command with an input and an output.');
        break;
      }
      const option = { name, ...(value && { value: value.text }), place };
      const why = LEFT_OUT.get(base);
      if (!isFlag(base) && value === undefined)
        this.#fail(place, 'MISSING', `${quote(word.text)} needs a value.`, `Write its value after ${word.text}.`);
      else if (why !== undefined) this.#leave(option, why);
      else if (name === 'i' && value !== undefined) {
        inputs.push({ word: value, options });
        options = [];
      } else (GLOBAL.has(name) ? global : options).push(option);
    }
    for (const option of outputs.length > 0 ? options : [])
      this.#leave(option, 'ffmpeg ignores options after the last output');
    return { global, inputs, outputs };
  }

  #leave({ name, ...option }: Option, why: string): void {
    this.#leftOut.push({ option: `-${name}`, ...option, why });
  }

  /** The name of a file. Rejects what only ffmpeg on the user's machine could open. */
  #file({ text, place, isPattern }: Word, options: readonly Option[], use: 'read' | 'written'): string {
    const format = options.findLast(({ name }) => name === 'f')?.value;
    if (format !== undefined && DEVICES.has(format))
      this.#fail(place, 'NOT_A_FILE', `"-f ${format}" is a device, and only files are ${use}.`, 'Name a file.');
    else if (format === 'null' || NO_FILE.test(text) || DEVICE_FILE.test(text.replace(/^file:/, '')))
      this.#fail(place, 'NOT_A_FILE', `${quote(text)} is not a file, and only files are ${use}.`, 'Name a file.');
    else if (isPattern === true)
      this.#fail(
        place,
        'SHELL_SYNTAX',
        `${quote(text)} is a pattern, which a shell replaces by names of files, and no shell runs.`,
        'Name the file. For images, quote the pattern and write -pattern_type glob before -i.',
      );
    const name = text.replace(/^file:/, '').replace(/^(?:\.\/+)+(?=.)/, '');
    return name !== text && PROTOCOL.test(name) ? `./${name}` : name;
  }

  #input(file: File, index: number): string | InputSpec {
    const { word, options } = file;
    const pointer = `/inputs/${index}`;
    this.#places.set(pointer, word.place);
    const format = options.findLast(({ name }) => name === 'f')?.value;
    if (format === 'lavfi') {
      const duration = options.findLast(({ name }) => name === 't');
      const seconds = duration && parseDuration(duration.value ?? '');
      const rest = options.filter((one) => one.name !== 'f' && (one !== duration || seconds === undefined));
      if (duration !== undefined) this.#places.set(`${pointer}/duration`, duration.place);
      return {
        source: word.text,
        ...(seconds !== undefined && { duration: `${seconds}` }),
        ...withMembers('parameters', this.#parameters(rest, pointer)),
      };
    }
    if (format === 'concat')
      this.#fail(
        word.place,
        'NOT_A_FILE',
        '"-f concat" reads a list of files, and a list cannot be an input.',
        'Send the files of the list as "inputs", with "join": "copy" or "encode".',
      );
    const input = this.#file(word, options, 'read');
    const parameters = this.#parameters(options, pointer);
    return Object.keys(parameters).length === 0 ? input : { input, parameters };
  }

  #output(word: Word, options: readonly Option[], pointer: string): OutputSpec {
    this.#places.set(`${pointer}/output`, word.place);
    const output = this.#file(word, options, 'written');
    const format = options.findLast(({ name }) => name === 'f');
    if (format !== undefined) this.#places.set(`${pointer}/format`, format.place);
    const rest = options.filter(({ name }) => name !== 'f');
    return {
      output,
      ...(format?.value !== undefined && { format: format.value }),
      ...withMembers('parameters', this.#parameters(rest, pointer)),
    };
  }

  /** If an option is written twice, even under two names, only the last one counts, as in ffmpeg. */
  #parameters(options: readonly Option[], pointer: string): Parameters {
    const counted = new Map<string, { readonly option: Option; readonly field: string; readonly values: string[] }>();
    for (const option of options) {
      const { name, value = '', place } = option;
      const parsed = parseOptionName(name);
      const key = isNameError(parsed) ? name : printOptionName(parsed);
      const before = counted.get(key);
      if (before !== undefined && LIST_OPTIONS.test(key)) {
        this.#places.set(`${before.field}/${before.values.length}`, place);
        before.values.push(value);
        continue;
      }
      if (before !== undefined) {
        this.#leave(before.option, 'a later one replaces it');
        this.#places.delete(before.field);
        // The last is also read last: among options for the same stream, the order counts.
        counted.delete(key);
      }
      const field = `${pointer}/parameters/${pointerToken(name)}`;
      this.#places.set(field, place);
      counted.set(key, { option, field, values: [value] });
    }
    const parameters = [...counted.values()].map(({ option: { name }, values }): [string, string | string[]] => {
      if (GRAPH_OPTIONS.test(name)) for (const text of values) this.#findFiles(text);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    });
    return Object.fromEntries(parameters);
  }

  /** Collects the files that the filters of a graph read, which are inputs of a request. */
  #findFiles(text: string): void {
    renameFilterFiles(text, (file) => {
      this.#filterFiles.add(file);
      return file;
    });
  }
}

/** Renames the files in a graph that its filters read from the inputs of a request. A wrong graph stays as it is. */
export function renameFilterFiles(text: string, rename: (file: string) => string): string {
  const graph = parseGraph(text);
  if (isGraphError(graph)) return text;
  const renamed = changeFilters(graph, (filter) => {
    const options = filter.options.map((option, at) => {
      const { key, value } = option;
      const isFile = FILTER_FILES.get(filter.name)?.some(
        ({ names, position, font, fontFolder }) =>
          (key === undefined ? at === position : names.includes(key)) &&
          fontFolder === undefined &&
          /\D/.test(value) &&
          !(font === true && (isSystemFont(value) || isFontPattern(value) || !/\.\w+$/.test(value))),
      );
      return isFile === true ? { ...option, value: rename(value) } : option;
    });
    return [{ ...filter, options }];
  });
  return printGraph(renamed);
}

const upTo = (first: Place, last: Place): Place =>
  'word' in first || 'word' in last ? first : { ...first, length: last.offset + last.length - first.offset };

const quote = (text: string): string => `"${text.slice(0, 60)}"`;

const withMembers = <Name extends string>(name: Name, members: Parameters): { readonly [name in Name]?: Parameters } =>
  Object.keys(members).length > 0 ? ({ [name]: members } as { readonly [name in Name]: Parameters }) : {};
