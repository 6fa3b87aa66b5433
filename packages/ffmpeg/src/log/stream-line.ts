import type { OutputStream } from '@telecine/contract/domain/job.ts';

/** What the log says about the frames of a video stream, besides their size. */
export interface FrameTraits {
  /** The pixel aspect ratio (width divided by height). undefined: the line has no ratio. */
  readonly pixelAspect?: number;
  /** True if a frame consists of two fields of different times (interlaced). */
  readonly isInterlaced?: true;
  /** True if the frames contain captions (EIA-608 or 708). */
  readonly hasCaptions?: true;
}

const VIDEO = /^ {2}Stream #\d+:\d+.{0,60}: Video: /;
const ASPECT = /[ []SAR (\d{1,9}):(\d{1,9}) DAR \d/;
/** Matches the field order in the brackets of the pixel format: `yuv420p(tv, top coded first (swapped))`. */
const INTERLACED = /[(, ](?:top|bottom) (?:coded )?first(?: \(swapped\))?[,)]/;

/** Reads the properties in the line of a video stream. undefined: another line, or a line without these properties. */
export function readFrameTraits(line: string): FrameTraits | undefined {
  if (!VIDEO.test(line)) return undefined;
  const [, width = '', height = ''] = ASPECT.exec(line) ?? [];
  const aspect = Number(width) / Number(height);
  const isInterlaced = INTERLACED.test(line);
  const hasCaptions = line.includes(', Closed Captions');
  if (!(aspect > 0) && !isInterlaced && !hasCaptions) return undefined;
  return {
    ...(aspect > 0 && { pixelAspect: aspect }),
    ...(isInterlaced && { isInterlaced }),
    ...(hasCaptions && { hasCaptions }),
  };
}

/** A stream of an input, with what only inputs have. */
export interface InputStream extends OutputStream, FrameTraits {
  /** The degrees by which players rotate the video. */
  readonly rotation?: number;
  /** The transfer function of an HDR video. */
  readonly transfer?: string;
  /** The profile of Dolby Vision. */
  readonly dolbyVision?: number;
  /** True for the tag `alpha_mode`, which announces transparency. Some decoders ignore it. */
  readonly hasAlphaLayer?: true;
  /** The sample format of lossless audio. */
  readonly samples?: SampleBits;
  /** The duration. ffmpeg logs it only for Matroska and WebM, as a tag. */
  readonly seconds?: number;
}

/** Matches audio codecs that keep every sample. For other codecs, ffmpeg logs the sample format of its decoder. */
const LOSSLESS = /: Audio: (?:pcm_[sf]\d\d[bl]e(?:_planar)?|flac|alac|tta|wavpack|ape|truehd|mlp)[ ,]/;
/** Matches the sample format: `s32 (24 bit)`, `s16`, `fltp`. */
const FORMAT = /, (s16|s32|s64|flt|dbl)p?(?: \((\d\d) bit\))?(?=,| \(|$)/;

/** The sample format of lossless audio. */
export interface SampleBits {
  readonly bits: number;
  readonly isFloat: boolean;
}

const BITS: Readonly<Record<string, number>> = { s16: 16, s32: 32, s64: 64, flt: 32, dbl: 64 };

/** Reads the sample format from the line of an audio stream. undefined: another line, or a lossy codec. */
export function readSampleBits(line: string): SampleBits | undefined {
  const [, format, bits] = LOSSLESS.test(line) ? (FORMAT.exec(line) ?? []) : [];
  if (format === undefined) return undefined;
  return { bits: Number(bits ?? BITS[format]), isFloat: format === 'flt' || format === 'dbl' };
}

const STREAM =
  /^ {2}Stream #\d+:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(([^)]{0,40})\))?: (Video|Audio|Subtitle|Data|Attachment)(?:: (.*))?$/;

/** Splits text at commas outside brackets: `yuv420p(tv, progressive), 854x480 [SAR 1:1], 24 fps`. */
function splitFields(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === ',' && depth <= 0) {
      found.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  return [...found, text.slice(from).trim()];
}

/** NTSC frame rates as ffmpeg logs them (29.97), and their exact values. */
const NTSC: ReadonlyMap<string, number> = new Map(
  [24, 30, 48, 60, 120].map((rate) => [
    ((rate * 1000) / 1001).toFixed(2),
    Math.round(((rate * 1000) / 1001) * 1e6) / 1e6,
  ]),
);

function video(fields: readonly string[]): Pick<OutputStream, 'width' | 'height' | 'fps' | 'pixelFormat'> {
  const size = fields.map((f) => /^(\d{1,6})x(\d{1,6})(?: |$)/.exec(f)).find((m) => m !== null);
  // ffmpeg prints 15000 as "15k fps".
  const rate = fields.map((f) => /^(\d+(?:\.\d+)?)(k?) fps/.exec(f)).find((m) => m !== null);
  const pixelFormat = /^[a-z0-9_]{2,32}(?=\(|$)/.exec(fields[1] ?? '')?.[0];
  const fps = rate && (NTSC.get(rate[1] ?? '') ?? Number(rate[1]) * (rate[2] === 'k' ? 1000 : 1));
  return {
    ...(size ? { width: Number(size[1]), height: Number(size[2]) } : {}),
    ...(fps ? { fps } : {}),
    ...(pixelFormat === undefined || pixelFormat === 'none' ? {} : { pixelFormat }),
  };
}

function audio(fields: readonly string[]): Pick<OutputStream, 'sampleRate' | 'channels'> {
  const at = fields.findIndex((f) => /^\d+ Hz$/.test(f));
  if (at < 0) return {};
  const channels = fields[at + 1];
  return {
    sampleRate: Number.parseInt(fields[at] ?? '', 10),
    ...(channels !== undefined && /^[\w.+() ]{1,60}$/.test(channels) ? { channels } : {}),
  };
}

/** Matches the dispositions at the end of a stream line. The log has spaces in names where ffprobe and options have "_". */
const DISPOSITIONS = new RegExp(
  String.raw`(?: \((?:default|dub|original|comment|lyrics|karaoke|forced|hearing impaired|visual impaired|clean effects|` +
    String.raw`attached pic|timed thumbnails|captions|descriptions|metadata|dependent|still image|non-diegetic|multilayer)\))+$`,
);

const dispositionIn = (text: string): readonly string[] =>
  (DISPOSITIONS.exec(text)?.[0] ?? '').split(/[()]/).flatMap((part) => part.trim().replaceAll(' ', '_') || []);

const LANGUAGE = /^(?!und$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/;

/** True if `text` is an ISO 639 language code, with or without a region. "und" (undetermined) does not count. */
export const isLanguage = (text: string): boolean => LANGUAGE.test(text);

/**
 * Returns the profile from text such as `h264 (High) (avc1 / 0x31637661)`: the text in brackets that has no slash. For subtitles, this text
 * is the name of the decoder, so there is no profile.
 */
const profileIn = (type: OutputStream['type'], codec: string): string | undefined =>
  type === 'video' || type === 'audio' ? / \(([\w .+:@-]{1,40})\)/.exec(codec)?.[1] : undefined;

const REFERENCES = /^\d+ reference frames?\b/;

/** Parses a line such as `  Stream #0:1(und): Audio: aac (LC), 48000 Hz, 5.1, …`. undefined: another line. */
export function parseStreamLine(text: string): OutputStream | undefined {
  const match = STREAM.exec(text);
  if (match === null) return undefined;
  const type = match[3]?.toLowerCase() as OutputStream['type'];
  const disposition = dispositionIn(match[4] ?? '');
  // At level verbose, the number of reference frames follows the codec.
  const fields = splitFields((match[4] ?? '').replace(DISPOSITIONS, '')).filter((one) => !REFERENCES.test(one));
  const codec = /^[\w.-]{1,40}/.exec(fields[0] ?? '')?.[0] ?? 'unknown';
  const profile = profileIn(type, fields[0] ?? '');
  const { fps, ...size } = type === 'video' ? video(fields) : {};
  return {
    index: Number(match[1]),
    type,
    codec,
    ...(profile === undefined ? {} : { profile }),
    ...(isLanguage(match[2] ?? '') ? { language: match[2] ?? '' } : {}),
    ...(disposition.length === 0 ? {} : { disposition }),
    ...size,
    // Covers have no frame rate, although ffmpeg prints one.
    ...(fps === undefined || disposition.includes('attached_pic') ? {} : { fps }),
    ...(type === 'audio' ? audio(fields) : {}),
  };
}
