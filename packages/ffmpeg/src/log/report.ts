import type { EncodedVideo } from '@telecine/contract/domain/chunks.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { lengthOfFile } from '../allowlist/containers.ts';
import { storedTagOf } from '../allowlist/stored-tags.ts';
import type { LogLine } from './log-line.ts';
import { type FrameTraits, type InputStream, parseStreamLine, readFrameTraits, readSampleBits } from './stream-line.ts';

/** An input, as ffmpeg logs it when it opens the file. Unknown members are undefined. */
export interface InputReport {
  /** The demuxer with all its names, as ffmpeg logs it: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly demuxer: string;
  readonly durationSeconds?: number;
  /** Of the whole file, in kbit/s. */
  readonly bitRate?: number;
  readonly streams: readonly InputStream[];
  /** The number of chapters. */
  readonly chapters?: number;
  /** The names of common tags of the file, such as `title`. */
  readonly tags?: readonly string[];
}

const INPUT = /^Input #(\d+), ([\w,.+-]+), from '/;
const OUTPUT = /^Output #(\d+), ([\w,.+-]+), to '/;
const DURATION = /^ {2}Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?),(?: start: (-?\d+\.\d+),)?(?:.* bitrate: (\d+) kb\/s)?/;
const WRITER = /^ {4}ENCODER *: (\S+)/i;

/** Matches the rotation of a stream. ffmpeg 7 indents this line by two more spaces. */
const ROTATION = /^ {6}(?: {2})?displaymatrix: rotation of (-?\d+(?:\.\d+)?) degrees$/;

/**
 * Match tags of a stream in Matroska and WebM: `      alpha_mode      : 1`, `      DURATION        : 00:00:08.333000000`. ffmpeg 7 indents
 * them by two more spaces.
 */
const ALPHA_MODE = /^ {6}(?: {2})?alpha_mode *: 1$/i;
const STREAM_DURATION = /^ {6}(?: {2})?DURATION(?:-\w{1,8})? *: (\d+):(\d\d):(\d\d(?:\.\d+)?)$/;

/** Matches `    Chapter #0:2: start 8.000000, end 12.000000`. ffmpeg up to 4 writes a dot between the numbers. */
const CHAPTER = /^ {4}Chapter #\d+[:.]\d+: start -?\d/;

/** Matches a tag of the file, which stands before its duration. */
const FILE_TAG = /^ {4}([A-Za-z_]{3,20}) *: \S/;
/** Matches a tag of a stream. ffmpeg 7 indents it by two more spaces. The tags of Ogg files are those of their stream. */
const STREAM_TAG = /^ {6}(?: {2})?([A-Za-z_]{3,20}) *: \S/;

const DOLBY_VISION = /^ {6}(?: {2})?DOVI configuration record: version: [\d.]+, profile: (\d+)/;

/** Matches the HDR transfer function in the line of a video stream: `yuv420p10le(tv, bt2020nc/bt2020/smpte2084)`. */
const HDR = /: Video: .{1,200}[/(, ](smpte2084|arib-std-b67)[),]/;

/** Matches the tag of a stream that names its encoder. ffmpeg 7 indents this line by two more spaces. */
const ENCODER = /^ {6}(?: {2})?encoder *: ([\w .-]{1,80})$/;

/** Matches what ffmpeg says of an encoded or copied stream when it has closed the file, at level verbose (4.0 to 8.0). Captures its numbers, its samples and its packets. */
const WRITTEN =
  /^ {2}Output stream #(\d+):(\d+) \((?:video|audio)\): (?:\d+ frames encoded(?: \((\d{1,15}) samples\))?; )?(\d{1,12}) packets muxed \((\d{1,15}) bytes\); ?$/;

/** An input stream that an output uses. */
export interface UsedStream {
  readonly input: number;
  readonly stream: number;
  /** The index of the output stream that this stream becomes. undefined: a filtergraph reads this stream. */
  readonly output?: number;
  readonly copied: boolean;
}

/** An output stream in the stream mapping, which ffmpeg prints before it writes the header. */
export interface MappedStream {
  /** The codec. After a filtergraph, the name of the encoder, because ffmpeg does not print the codec there. */
  readonly codec: string;
  /** The encoder. undefined: the stream is copied. */
  readonly encoder?: string;
}

/** What ffmpeg logged about one output. */
export interface OutputLog {
  /** undefined: ffmpeg has not written the header yet, so there is no file to finish. */
  readonly muxer: string | undefined;
  /** The streams of the output. Empty until ffmpeg has written the header. */
  readonly streams: readonly OutputStream[];
  /** Properties of video streams that `OutputStream` lacks, such as the pixel aspect ratio, by stream index. */
  readonly traits: ReadonlyMap<number, FrameTraits>;
  /** The videos that ffmpeg has encoded. Empty until the file is complete, and at level info. */
  readonly encodedVideos: readonly EncodedVideo[];
  /** The length of the only audio in seconds, by the samples that ffmpeg has encoded. undefined: copied, unknown, or there are several. */
  readonly soundSeconds?: number | undefined;
  /** The output streams from the stream mapping, by index. */
  readonly mapped: readonly MappedStream[];
  /** The input streams that ffmpeg reads for this output or for a complex filtergraph. Empty until the stream mapping is printed. */
  readonly used: readonly UsedStream[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An input while the reader builds its report. */
type InputEntry = Mutable<Omit<InputReport, 'streams'>> & { readonly streams: Mutable<InputStream>[] };

/** An output while the reader builds it. */
interface OutputEntry {
  muxer: string | undefined;
  readonly streams: OutputStream[];
  readonly traits: Map<number, FrameTraits>;
  readonly mapped: MappedStream[];
  /** The stream indexes in the stream mapping. */
  readonly numbers: Set<number>;
  /** The tags that name the encoders, by stream index. */
  readonly encoders: Map<number, string>;
  /** The packets of the encoded streams, and the samples of audio, by stream index. */
  readonly written: Map<number, Pick<EncodedVideo, 'packets' | 'bytes'> & { readonly samples: number }>;
}

const newOutput = (): OutputEntry => ({
  muxer: undefined,
  streams: [],
  traits: new Map(),
  encoders: new Map(),
  written: new Map(),
  mapped: [],
  numbers: new Set(),
});

/** The maximum number of entries to keep, so that forged lines do not fill the memory. A request has at most 100 inputs. */
const MAX_ENTRIES = 1000;

/** Matches the text after the language of a stream. */
const AFTER_LANGUAGE = /\): (?:Video|Audio|Subtitle|Data|Attachment)\b/;
/** The maximum length of a stream line. Real stream lines are far shorter. */
const MAX_STREAM_LINE_LENGTH = 600;

/** Matches the beginning of a stream line. Text of the media can change only what follows it. */
const STREAM_NUMBERS = /^ {2}Stream #(\d+):(\d+)/;
/**
 * Matches the line of a program or a stream group. ffmpeg prints the streams of a program first and in the order of the program, and a
 * stream of two programs twice.
 */
const PROGRAM = /^ {2}(?:Program \d|Stream group #)/;
/** Matches a stream that is neither video, audio, subtitle, data nor attachment. */
const UNKNOWN_STREAM = /: Unknown: /;

const MAPPING = 'Stream mapping:';
/** Matches lines of the stream mapping about input streams: `  Stream #0:1 -> #0:0 (copy)`, `  Stream #1:0 (png) -> overlay:overlay`. */
const READ = /^ {2}Stream #(\d+):(\d+)(?: \([^)]{0,80}\))? -> (?:#(\d+):(\d+) \((.*)\)$)?/;
/** Matches lines of the stream mapping about output streams: `  Stream #0:1 -> #0:0 (copy)`, `  scale:default -> Stream #0:0 (libx264)`. */
const MAPPED = /^ {2}.* -> (?:Stream )?#(\d+):(\d+) \(/;
/** Matches the codec and the encoder: `(h264 (native) -> vp9 (libvpx-vp9))`, `(aac (native) -> aac (native))`. */
const ENCODED = /-> ([\w-]{1,40}) \(([\w-]{1,40})\)\)?$/;
/** Matches the encoder of a stream from a filtergraph: `  hflip:default -> Stream #0:0 (libx264)`. */
const FROM_GRAPH = /-> Stream #\d+:\d+ \(([\w-]{1,40})\)$/;

/**
 * Reads the inputs and outputs from the ffmpeg log, so that the service need not run ffprobe. Text in the media can forge such lines; see
 * `isForged`.
 *
 * A title or comment cannot forge a line, because ffmpeg indents continuation lines deeper. A tag name can add lines. ffmpeg logs
 * everything about an output once, so a repeated line, or more streams than were mapped, reveals added lines. A language can contain a line
 * feed; the rest of its stream line then reveals the forgery. Inputs and their streams are numbered, so a wrong number reveals a line that
 * was added between them. The reader does not detect a forged stream after the last stream of an input.
 */
export class ReportReader {
  readonly #inputs: InputEntry[] = [];
  readonly #outputs: readonly OutputEntry[];
  /**
   * The input streams that ffmpeg reads. `file`: the index of the output that uses the stream. undefined: a complex filtergraph reads it.
   */
  readonly #used: (UsedStream & { readonly file?: number })[] = [];
  /** The stream indexes in all stream lines, by the index of the file. Input 0 and output 0 share an entry. */
  readonly #streamNumbers = new Map<number, Set<number>>();
  /** How many stream lines of the current input were read. undefined: the input has programs, so its streams come in any order. */
  #inputLines: number | undefined = 0;
  #section: 'input' | 'output' | 'mapping' | undefined;
  /** The index of the output that the next lines describe. */
  #current = 0;
  #hasMapping = false;
  #forged = false;
  /** The program that wrote the current input, from its tag ENCODER. Empty: unknown. */
  #writer = '';

  /** @param count The number of outputs in the argv. A line about another output is forged. */
  constructor(count = 1) {
    this.#outputs = Array.from({ length: count }, newOutput);
  }

  feed(line: LogLine): void {
    // The stream mapping contains no text from the media.
    if (this.hasOutput && this.#section !== 'mapping') this.#forged ||= isOdd(line.text);
    // Text of the media cannot have a colour.
    if (line.level === 'verbose' && line.isColored) this.#feedWritten(line.text);
    if (line.level !== 'info' || line.component !== undefined) return;
    const { text } = line;
    this.#countStream(text);
    const input = INPUT.exec(text);
    const output = OUTPUT.exec(text);
    if (input !== null) {
      this.#forged ||= Number(input[1]) !== this.#inputs.length;
      this.#inputLines = 0;
      this.#writer = '';
      this.#section = this.#inputs.length < MAX_ENTRIES ? 'input' : undefined;
      if (this.#section === 'input') this.#inputs.push({ demuxer: input[2] ?? '', streams: [] });
    } else if (output !== null) {
      // ffmpeg writes each header as soon as all streams of the output are ready, so outputs come in any order.
      this.#current = Number(output[1]);
      const entry = this.#outputs[this.#current];
      this.#forged ||= entry === undefined || entry.muxer !== undefined;
      this.#section = 'output';
      if (entry !== undefined) entry.muxer = output[2] ?? '';
    } else if (text === MAPPING) {
      this.#forged ||= this.#hasMapping;
      this.#hasMapping = true;
      this.#section = 'mapping';
    } else if (!text.startsWith(' ')) this.#section = undefined;
    else this.#feedSection(text);
  }

  /** Counts a stream line, wherever it is. Text of the media can add such lines, but cannot hide one. */
  #countStream(text: string): void {
    const [, file, number] = STREAM_NUMBERS.exec(text) ?? [];
    if (this.#section === 'input' && PROGRAM.test(text)) this.#inputLines = undefined;
    if (file === undefined) return;
    const numbers = this.#streamNumbers.get(Number(file)) ?? new Set();
    if (numbers.size < MAX_ENTRIES) numbers.add(Number(number));
    if (this.#streamNumbers.size < MAX_ENTRIES) this.#streamNumbers.set(Number(file), numbers);
    this.#forged ||= this.#section === undefined;
    if (this.#section !== 'input') return;
    this.#forged ||= Number(file) !== this.#inputs.length - 1;
    this.#forged ||= !UNKNOWN_STREAM.test(text) && isOdd(text);
    if (this.#inputLines === undefined) return;
    this.#forged ||= Number(number) !== this.#inputLines;
    this.#inputLines += 1;
  }

  #feedSection(text: string): void {
    const input = this.#inputs.at(-1);
    if (this.#section === 'mapping') this.#feedMapping(text);
    else if (this.#section === 'output') this.#feedOutput(text);
    else if (this.#section === 'input' && input !== undefined) this.#feedInput(text, input);
  }

  #feedMapping(text: string): void {
    const [, target, number] = MAPPED.exec(text) ?? [];
    const entry = target === undefined ? undefined : this.#outputs[Number(target)];
    if (entry !== undefined && entry.numbers.size < MAX_ENTRIES) entry.numbers.add(Number(number));
    if (entry !== undefined && entry.mapped.length < MAX_ENTRIES) this.#feedMapped(text, entry.mapped);
    const [, input, stream, file, output, how] = READ.exec(text) ?? [];
    if (input !== undefined && this.#used.length < MAX_ENTRIES)
      this.#used.push({
        input: Number(input),
        stream: Number(stream),
        ...(output === undefined ? {} : { file: Number(file), output: Number(output) }),
        copied: how === 'copy',
      });
  }

  #feedInput(text: string, input: InputEntry): void {
    const duration = DURATION.exec(text);
    if (duration !== null) {
      this.#forged ||= input.durationSeconds !== undefined;
      const [names, start] = [input.demuxer.split(','), Number(duration[4] ?? 0)];
      input.durationSeconds = lengthOfFile(clockSeconds(duration), names, start, this.#writer);
      if (duration[5] !== undefined) input.bitRate = Number(duration[5]);
    } else if (input.durationSeconds === undefined && input.streams.length === 0 && FILE_TAG.test(text)) {
      this.#writer = WRITER.exec(text)?.[1] ?? this.#writer;
      addTag(FILE_TAG.exec(text)?.[1], input);
    } else if (input.demuxer === 'ogg' && STREAM_TAG.test(text)) addTag(STREAM_TAG.exec(text)?.[1], input);
    else if (CHAPTER.test(text)) input.chapters = (input.chapters ?? 0) + 1;
    else readTag(text, input);
    const stream = parseStreamLine(text);
    if (stream === undefined) return;
    const [transfer, samples] = [HDR.exec(text)?.[1], readSampleBits(text)];
    if (input.streams.length < MAX_ENTRIES)
      input.streams.push({ ...stream, ...readFrameTraits(text), ...defined({ transfer, samples }) });
  }

  #feedWritten(text: string): void {
    const [, output, stream, samples = 0, packets, bytes] = WRITTEN.exec(text) ?? [];
    const { written } = this.#outputs[Number(output)] ?? {};
    if (written === undefined || written.size >= MAX_ENTRIES) return;
    this.#forged ||= written.has(Number(stream));
    written.set(Number(stream), { samples: Number(samples), packets: Number(packets), bytes: Number(bytes) });
  }

  #feedOutput(text: string): void {
    const entry = this.#outputs[this.#current];
    if (entry === undefined) return;
    const [encoder, tagged] = [ENCODER.exec(text)?.[1], entry.streams.at(-1)];
    if (encoder !== undefined && tagged !== undefined) entry.encoders.set(tagged.index, encoder);
    const stream = parseStreamLine(text);
    if (stream === undefined) return;
    this.#forged ||= stream.index !== entry.streams.length;
    this.#forged ||= Number(STREAM_NUMBERS.exec(text)?.[1]) !== this.#current;
    const traits = readFrameTraits(text);
    if (traits !== undefined && entry.traits.size < MAX_ENTRIES) entry.traits.set(stream.index, traits);
    if (entry.streams.length < MAX_ENTRIES) entry.streams.push(stream);
  }

  #feedMapped(text: string, mapped: MappedStream[]): void {
    const [, codec, encoder] = ENCODED.exec(text) ?? [];
    const [, named] = FROM_GRAPH.exec(text) ?? [];
    const [, input, stream] = READ.exec(text) ?? [];
    if (codec !== undefined && encoder !== undefined)
      mapped.push({ codec, encoder: encoder === 'native' ? codec : encoder });
    else if (named !== undefined) mapped.push({ codec: named, encoder: named });
    else if (input !== undefined)
      mapped.push({ codec: this.#inputs[Number(input)]?.streams[Number(stream)]?.codec ?? 'unknown' });
  }

  /** Returns what ffmpeg logged about the output with this index. */
  output(index: number): OutputLog {
    const entry = this.#outputs[index] ?? newOutput();
    const { muxer, streams, traits, mapped } = entry;
    const used = this.#used
      .filter(({ file }) => file === undefined || file === index)
      .map(({ file: _, ...one }) => one);
    return {
      muxer,
      streams,
      traits,
      mapped,
      used,
      encodedVideos: encodedVideos(entry),
      soundSeconds: soundSeconds(entry),
    };
  }

  /** True if ffmpeg has written the header of an output, so that there is a file to finish. */
  get hasOutput(): boolean {
    return this.#outputs.some(({ muxer }) => muxer !== undefined);
  }

  get inputs(): readonly InputReport[] {
    return this.#inputs;
  }

  /** True if ffmpeg has printed the stream mapping, and so has opened all inputs. */
  get hasMapping(): boolean {
    return this.#hasMapping;
  }

  /** The largest number of streams of a file. Forged lines can only raise it. */
  get largestStreamCount(): number {
    return Math.max(0, ...[...this.#streamNumbers.values()].map(({ size }) => size));
  }

  /** True if text of the media forged lines about the inputs or the outputs. */
  get isForged(): boolean {
    return (
      this.#forged || this.#outputs.some(({ numbers, streams }) => numbers.size > 0 && streams.length > numbers.size)
    );
  }
}

const encodedVideos = ({ streams, encoders, written }: OutputEntry): readonly EncodedVideo[] =>
  streams.flatMap(({ index, type, width, height, pixelFormat }) => {
    const { packets, bytes } = (type === 'video' ? written.get(index) : undefined) ?? {};
    if (packets === undefined || bytes === undefined) return [];
    return [{ packets, bytes, ...defined({ width, height, pixelFormat, encoder: encoders.get(index) }) }];
  });

function soundSeconds({ streams, written }: OutputEntry): number | undefined {
  const [audio, ...others] = streams.filter(({ type }) => type === 'audio');
  const { samples = 0 } = written.get(audio?.index ?? -1) ?? {};
  return others.length > 0 || samples === 0 || audio?.sampleRate === undefined ? undefined : samples / audio.sampleRate;
}

function addTag(name = '', input: InputEntry): void {
  const tag = storedTagOf(name);
  if (tag !== undefined && input.tags?.includes(tag) !== true) input.tags = [...(input.tags ?? []), tag];
}

function readTag(text: string, { streams }: InputEntry): void {
  const stream = streams.at(-1);
  if (stream === undefined) return;
  const rotation = ROTATION.exec(text)?.[1];
  const duration = STREAM_DURATION.exec(text);
  const profile = DOLBY_VISION.exec(text)?.[1];
  if (profile !== undefined) stream.dolbyVision = Number(profile);
  else if (rotation !== undefined) stream.rotation = Math.round(Number(rotation));
  else if (ALPHA_MODE.test(text)) stream.hasAlphaLayer = true;
  else if (duration !== null) stream.seconds = clockSeconds(duration);
}

const clockSeconds = ([, hours, minutes, seconds]: RegExpExecArray): number =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);

/** True if a line looks like a stream line or a part of it, but has a form that ffmpeg does not write. */
function isOdd(text: string): boolean {
  if (!text.startsWith('  Stream #')) return AFTER_LANGUAGE.test(text);
  return (
    text.length > MAX_STREAM_LINE_LENGTH ||
    parseStreamLine(text) === undefined ||
    AFTER_LANGUAGE.test(text.replace(AFTER_LANGUAGE, ''))
  );
}
