import type { OutputStream } from '../../domain/job.ts';

const STREAM =
  /^ {2}Stream #\d+:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(([^)]{0,40})\))?: (Video|Audio|Subtitle|Data|Attachment)(?:: (.*))?$/;

const TYPES = {
  Video: 'video',
  Audio: 'audio',
  Subtitle: 'subtitle',
  Data: 'data',
  Attachment: 'attachment',
} as const;

/** Cuts at the commas that stand outside of brackets: `yuv420p(tv, progressive), 854x480 [SAR 1:1], 24 fps`. */
function parts(text: string): string[] {
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

/** Rates that ffmpeg prints with two decimals, and what is meant by them. */
const NTSC: ReadonlyMap<string, number> = new Map(
  [24, 30, 48, 60, 120].map((whole) => [
    ((whole * 1000) / 1001).toFixed(2),
    Math.round(((whole * 1000) / 1001) * 1e6) / 1e6,
  ]),
);

function video(fields: readonly string[]): Pick<OutputStream, 'width' | 'height' | 'fps' | 'pixelFormat'> {
  const size = fields.map((f) => /^(\d{1,6})x(\d{1,6})(?: |$)/.exec(f)).find((m) => m !== null);
  // ffmpeg prints 1000 and more as "15k fps".
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

/** As ffmpeg prints them behind all else; ffprobe and the options write "_" for a blank. */
const DISPOSITIONS = new RegExp(
  String.raw`(?: \((?:default|dub|original|comment|lyrics|karaoke|forced|hearing impaired|visual impaired|clean effects|` +
    String.raw`attached pic|timed thumbnails|captions|descriptions|metadata|dependent|still image|non-diegetic|multilayer)\))+$`,
);

const dispositionIn = (text: string): readonly string[] =>
  (DISPOSITIONS.exec(text)?.[0] ?? '').split(/[()]/).flatMap((part) => part.trim().replaceAll(' ', '_') || []);

const LANGUAGE = /^(?!und$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/;

/** Of ISO 639, perhaps with a region, and not "und": what else stands in its place is a stranger's text. */
export const isLanguage = (text: string): boolean => LANGUAGE.test(text);

/** `h264 (High) (avc1 / 0x31637661)`: the brackets that hold no slash. Of subtitles they hold another name. */
const profileIn = (kind: string, codec: string): string | undefined =>
  kind === 'Video' || kind === 'Audio' ? / \(([\w .+:@-]{1,40})\)/.exec(codec)?.[1] : undefined;

/** What a `  Stream #0:1(und): Audio: aac (LC), 48000 Hz, 5.1, …` line says; undefined for any other line. */
export function parseStreamLine(text: string): OutputStream | undefined {
  const match = STREAM.exec(text);
  if (match === null) return undefined;
  const kind = match[3] as keyof typeof TYPES;
  const disposition = dispositionIn(match[4] ?? '');
  const fields = parts((match[4] ?? '').replace(DISPOSITIONS, ''));
  const codec = /^[\w.-]{1,40}/.exec(fields[0] ?? '')?.[0] ?? 'unknown';
  const profile = profileIn(kind, fields[0] ?? '');
  const { fps, ...picture } = kind === 'Video' ? video(fields) : {};
  return {
    index: Number(match[1]),
    type: TYPES[kind],
    codec,
    ...(profile === undefined ? {} : { profile }),
    ...(isLanguage(match[2] ?? '') ? { language: match[2] ?? '' } : {}),
    ...(disposition.length === 0 ? {} : { disposition }),
    ...picture,
    // A cover has no rate; ffmpeg prints one all the same.
    ...(fps === undefined || disposition.includes('attached_pic') ? {} : { fps }),
    ...(kind === 'Audio' ? audio(fields) : {}),
  };
}
