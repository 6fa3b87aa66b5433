import type { LogLine } from './log-line.ts';

/** What ffmpeg complained about during a run that succeeded. */
export interface RunComplaints {
  /** How many errors decoders and demuxers reported after all inputs were open. */
  readonly readErrors: number;
  /** The inputs that the errors name. Empty if none names one. */
  readonly damagedInputs: ReadonlySet<number>;
  /** Whether subtitles were dropped, because they are not UTF-8. */
  readonly hasInvalidText: boolean;
  /** Whether the encoder says that the level of the request allows no such pictures. */
  readonly exceedsLevel: boolean;
  /** Options that no stream used. `input`: the number of the input that they were for; absent for the output. */
  readonly unusedOptions: readonly { readonly name: string; readonly input?: number }[];
}

/** `Error while decoding stream #0:1: …` of ffmpeg up to 6. */
const DECODING = /^Error while decoding stream #(\d+):/;
const CORRUPT = /corrupt (?:input packet|decoded frame)|^Packet corrupt /;
/** Parts of ffmpeg 7 and later that read inputs: `vist#0:0/h264`, `dec:h264`, `in#0/mov`. */
const READER = /^(?:[vas]?ist#(\d+):|dec:|in#(\d+)\/)/;
const LEVEL = /^(?:frame MB size|MB rate|DPB size|VBV bitrate|VBV buffer) ?\(.{1,60}\) > level limit \(/;
const INVALID_TEXT = /^Invalid UTF-8 in decoded subtitles text/;
const UNUSED =
  /^Codec AVOption ([\w:-]{1,60}) \(.* specified for (input|output) file #(\d+) \(.* has not been used for any stream\./;
const UNUSED_SINCE_7 = /^Codec AVOption ([\w:-]{1,60}) \(.* has not been used for any stream\./;
const REPEATED = /^ {4}Last message repeated (\d{1,9}) times$/;

/** Options that the service adds to every argv. */
const SERVICE_OPTIONS: ReadonlySet<string> = new Set(['max_pixels', 'threads']);

const MAX_OPTIONS = 20;

/**
 * Counts complaints line by line, because a damaged file can cause millions. Ignores lines without colour: text of the
 * media could have forged them.
 */
export class RunComplaintReader {
  readonly #damaged = new Set<number>();
  readonly #unused: { name: string; input?: number }[] = [];
  #errors = 0;
  #hasInvalidText = false;
  #exceedsLevel = false;
  #lastCounted = false;

  /**
   * `readers`: the codecs and demuxers of the inputs. Errors of these components are about the inputs. Empty until all
   * inputs are open: before, ffmpeg decodes the first frames only to detect the streams, and decodes them again later.
   */
  feed(line: LogLine, readers: ReadonlySet<string>): void {
    const { level, text, component = '', isColored } = line;
    const again = level === undefined && this.#lastCounted ? REPEATED.exec(text)?.[1] : undefined;
    if (again !== undefined) this.#errors += Number(again);
    this.#lastCounted = false;
    if (!isColored || (level !== 'error' && level !== 'warning')) return;
    if (level === 'warning') this.#readUnused(text, component);
    if (level === 'warning' && /^libx264/.test(component) && LEVEL.test(text)) this.#exceedsLevel = true;
    if (level === 'error' && INVALID_TEXT.test(text)) this.#hasInvalidText = true;
    if (readers.size === 0) return;
    const reader = READER.exec(component);
    const decoding = DECODING.exec(text);
    const isReadError = level === 'error' && (readers.has(component) || component === 'NULL' || reader !== null);
    if (!isReadError && decoding === null && !CORRUPT.test(text)) return;
    this.#errors++;
    this.#lastCounted = true;
    const input = decoding?.[1] ?? reader?.[1] ?? reader?.[2];
    if (input !== undefined) this.#damaged.add(Number(input));
  }

  #readUnused(text: string, component: string): void {
    if (this.#unused.length >= MAX_OPTIONS) return;
    const [, name, side, number] = UNUSED.exec(text) ?? UNUSED_SINCE_7.exec(text) ?? [];
    if (name === undefined || SERVICE_OPTIONS.has(name)) return;
    const input = side === 'input' ? number : /^in#(\d+)/.exec(component)?.[1];
    this.#unused.push({ name, ...(input === undefined ? {} : { input: Number(input) }) });
  }

  get found(): RunComplaints {
    return {
      readErrors: this.#errors,
      damagedInputs: this.#damaged,
      hasInvalidText: this.#hasInvalidText,
      exceedsLevel: this.#exceedsLevel,
      unusedOptions: this.#unused,
    };
  }
}
