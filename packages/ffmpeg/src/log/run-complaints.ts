import { type LogLine, repetitionsIn } from './log-line.ts';

/** A font family that subtitles ask for, and the font with which libass draws them. */
interface SelectedFont {
  readonly family: string;
  /** The PostScript name of an installed font: `DejaVuSans-Bold`. undefined: the font is an input or part of the media. */
  readonly installed: string | undefined;
}

/**
 * Matches `fontselect: (Inter, 400, 0) -> /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf, 0, DejaVuSans` (libass 0.14 to 0.17). Without a
 * path, the font is an input or attached to the media.
 */
const SELECTED = /^fontselect: \(([^()]{1,60}), -?\d+, -?\d+\) -> (?:\/.{1,300}, -?\d+, ([\w-]{1,60})$)?/;
/** Matches the filters that draw with libass. */
const FILTER = /^Parsed_(?:subtitles|ass)_\d+$/;

const MAX_FONTS = 20;

/**
 * Reads which fonts libass selected, from its first line about each family. Later lines about the family are about single characters. Text
 * in the media can forge such lines, so only a warning may depend on them.
 */
export class SelectedFontReader {
  readonly #selected = new Map<string, SelectedFont>();

  feed({ level, component = '', text }: LogLine): void {
    const [, family, installed] = level === 'info' && FILTER.test(component) ? (SELECTED.exec(text) ?? []) : [];
    if (family !== undefined && this.#selected.size < MAX_FONTS && !this.#selected.has(family))
      this.#selected.set(family, { family, installed });
  }

  get found(): readonly SelectedFont[] {
    return [...this.#selected.values()];
  }
}

/** What errors and warnings of ffmpeg say about a run. */
export interface RunComplaints {
  /** How many errors decoders and demuxers logged after all inputs were open. */
  readonly readErrors: number;
  /** The indexes of the inputs that the errors name. Empty: no error names an input. */
  readonly damagedInputs: ReadonlySet<number>;
  /** True if ffmpeg dropped subtitles that are not UTF-8. */
  readonly hasInvalidText: boolean;
  /** The input streams whose frames have several sizes. */
  readonly frameSizes: readonly FrameSizes[];
  /** True if ffmpeg's summary has audio. It rounds to kilobytes, so false for very short outputs. undefined: the run has not ended. */
  readonly wroteAudio: boolean | undefined;
  /** The bytes of all video and audio streams in ffmpeg's summary, which rounds them to kilobytes. undefined: the run has not ended. */
  readonly written: WrittenBytes | undefined;
  /** Options that no stream used. `input`: the index of the input that the option is for. undefined: the option is for the output. */
  readonly unusedOptions: readonly { readonly name: string; readonly input?: number }[];
  /** Parameters that an encoder library did not take, such as `me=hexx` of x264. The log does not say for which output. */
  readonly ignoredParameters: readonly string[];
  /** The fonts of subtitles that a filter draws into the video. */
  readonly selectedFonts: readonly SelectedFont[];
}

interface WrittenBytes {
  readonly video: number;
  readonly audio: number;
}

interface OfOutput {
  /** The index of the output. undefined: the line does not name it. */
  readonly output: number | undefined;
}

/** The frame sizes of an input stream. */
interface FrameSizes {
  readonly input: number;
  readonly stream: number;
  /** The sizes in the order of the frames, without repetitions. */
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
}

/** Matches `Error while decoding stream #0:1: …`, which ffmpeg up to 6 logs. */
const DECODING = /^Error while decoding stream #(\d+):/;
const CORRUPT = /corrupt (?:input packet|decoded frame)|^Packet corrupt /;
/** Matches the component of a line about an input, since ffmpeg 7: `vist#0:0/h264`, `dec:h264`, `in#0/mov`. */
const READER = /^(?:[vas]?ist#(\d+):|dec:|in#(\d+)\/)/;
const INVALID_TEXT = /^Invalid UTF-8 in decoded subtitles text/;
const UNUSED =
  /^Codec AVOption ([\w:-]{1,60}) \(.* specified for (input|output) file #(\d+) \(.* has not been used for any stream\./;
const UNUSED_SINCE_7 = /^Codec AVOption ([\w:-]{1,60}) \(.* has not been used for any stream\./;
/** Matches what libx264.c, libx265.c and libsvtav1.c log about a parameter (5.1 to 8): `Error parsing option 'me = hexx'.`, `Invalid value for sao: maybe.` */
const IGNORED =
  /^(?:Error parsing option '?|Invalid value for |Unknown option: )([\w-]{1,60})(?:(?: =|:) ([\w.,+-]{1,60}))?'?\.$/;
/** Matches errors about references to frames before the seek position. ffmpeg shows no frame with such an error. */
const AFTER_SEEK = /^(?:mmco: unref short failure|number of reference frames \(.{1,40}\) exceeds max)/;

/** Options that the service itself adds to every argv. */
const SERVICE_OPTIONS: ReadonlySet<string> = new Set(['max_pixels', 'threads']);

const MAX_OPTIONS = 20;

/**
 * Matches the component of a filtergraph input, at level verbose: `[graph 0 input from stream 0:1 @ …] w:160 h:120 pixfmt:rgb24 …`. ffmpeg
 * logs it again for each new frame size.
 */
const GRAPH_INPUT = /^graph -?\d+ input from stream (\d+):(\d+)\b/;
const GRAPH_SIZE = /^w:(\d+) h:(\d+) pixfmt:/;
const MAX_SIZES = 20;
const MAX_GRAPH_INPUTS = 100;

/** Matches the summary at the end of the log: `video:111kB audio:0kB subtitle:0kB …`. */
const WRITTEN = /^(?:\[out#(\d+).{0,80}\] )?video:(\d+)Ki?B audio:(\d+)Ki?B /i;

const KILOBYTE = 1024;

/** Matches the component of a line about an output, since ffmpeg 6: `out#0/mp4`. */
const OUTPUT = /^out#(\d+)/;
const MAX_OUTPUTS = 100;

/**
 * Counts errors and warnings instead of keeping them, because a damaged file can cause millions. Lines without colour do not count, because
 * text of the media can forge them.
 */
export class RunComplaintReader {
  readonly #damaged = new Set<number>();
  readonly #unused: ({ readonly name: string; readonly input?: number } & OfOutput)[] = [];
  #errors = 0;
  #hasInvalidText = false;
  #written: (OfOutput & WrittenBytes)[] = [];
  readonly #sizes = new Map<string, Map<string, { width: number; height: number }>>();
  #lastCounted = false;
  readonly #fonts = new SelectedFontReader();
  readonly #ignored = new Set<string>();
  readonly #seeks: boolean;

  /** @param seeks True if ffmpeg starts to read an input after its beginning. */
  constructor(seeks = false) {
    this.#seeks = seeks;
  }

  /**
   * `readers`: the codecs and demuxers of the inputs. Only their errors count. Empty until all inputs are open: ffmpeg decodes some frames
   * before, to detect the streams, and decodes them again later.
   */
  feed(line: LogLine, readers: ReadonlySet<string>): void {
    const { level, text, component = '', isColored } = line;
    if (this.#lastCounted) this.#errors += repetitionsIn(line) ?? 0;
    this.#lastCounted = false;
    this.#fonts.feed(line);
    const [, number = OUTPUT.exec(component)?.[1], video, audio] = (level === 'info' ? WRITTEN.exec(text) : null) ?? [];
    if (audio !== undefined && this.#written.length < MAX_OUTPUTS)
      this.#written.push({
        output: number === undefined ? undefined : Number(number),
        video: Number(video) * KILOBYTE,
        audio: Number(audio) * KILOBYTE,
      });
    if (isColored && level === 'verbose') this.#readSize(component, text);
    if (!isColored || (level !== 'error' && level !== 'warning')) return;
    if (level === 'warning') this.#readUnused(text, component);
    const [, parameter, value = ''] = level === 'warning' ? (IGNORED.exec(text) ?? []) : [];
    if (parameter !== undefined && this.#ignored.size < MAX_OPTIONS) this.#ignored.add(`${parameter}=${value}`);
    if (level === 'error' && INVALID_TEXT.test(text)) this.#hasInvalidText = true;
    if (readers.size === 0 || (this.#seeks && AFTER_SEEK.test(text))) return;
    const reader = READER.exec(component);
    const decoding = DECODING.exec(text);
    const isReadError = level === 'error' && (readers.has(component) || component === 'NULL' || reader !== null);
    if (!isReadError && decoding === null && !CORRUPT.test(text)) return;
    this.#errors++;
    this.#lastCounted = true;
    const input = decoding?.[1] ?? reader?.[1] ?? reader?.[2];
    if (input !== undefined) this.#damaged.add(Number(input));
  }

  #readSize(component: string, text: string): void {
    const [, input, stream] = GRAPH_INPUT.exec(component) ?? [];
    const [, width, height] = GRAPH_SIZE.exec(text) ?? [];
    if (stream === undefined || height === undefined) return;
    const key = `${input}:${stream}`;
    const sizes = this.#sizes.get(key) ?? new Map();
    if (sizes.size < MAX_SIZES) sizes.set(`${width}x${height}`, { width: Number(width), height: Number(height) });
    if (this.#sizes.size < MAX_GRAPH_INPUTS) this.#sizes.set(key, sizes);
  }

  #readUnused(text: string, component: string): void {
    if (this.#unused.length >= MAX_OPTIONS) return;
    const [, name, side, number] = UNUSED.exec(text) ?? UNUSED_SINCE_7.exec(text) ?? [];
    if (name === undefined || SERVICE_OPTIONS.has(name)) return;
    const input = side === 'input' ? number : /^in#(\d+)/.exec(component)?.[1];
    const output = side === 'output' ? number : OUTPUT.exec(component)?.[1];
    this.#unused.push({
      name,
      ...(input === undefined ? {} : { input: Number(input) }),
      output: output === undefined ? undefined : Number(output),
    });
  }

  /** The errors and warnings of a run with one output. */
  get found(): RunComplaints {
    return this.#foundBy(() => true);
  }

  /** What the log says about one of several outputs and about the inputs. Lines about outputs that do not name the output are left out. */
  foundOf(index: number): RunComplaints {
    return this.#foundBy(({ output }) => output === index);
  }

  #foundBy(isOf: (one: OfOutput) => boolean): RunComplaints {
    const written = this.#written.findLast(isOf);
    return {
      readErrors: this.#errors,
      damagedInputs: this.#damaged,
      hasInvalidText: this.#hasInvalidText,
      ignoredParameters: [...this.#ignored],
      selectedFonts: this.#fonts.found,
      frameSizes: [...this.#sizes].flatMap(([key, sizes]) => {
        const [input = 0, stream = 0] = key.split(':').map(Number);
        return sizes.size < 2 ? [] : [{ input, stream, sizes: [...sizes.values()] }];
      }),
      wroteAudio: written && written.audio > 0,
      written: written && { video: written.video, audio: written.audio },
      unusedOptions: this.#unused.flatMap((option) =>
        option.input === undefined && !isOf(option)
          ? []
          : [{ name: option.name, ...(option.input === undefined ? {} : { input: option.input }) }],
      ),
    };
  }
}
