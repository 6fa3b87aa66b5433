import type { OutputStream } from '../../domain/job.ts';

const STREAM =
  /^ {2}Stream #\d+:(\d+)(?:\[0x[0-9a-f]+\])?(?:\([^)]{0,40}\))?: (Video|Audio|Subtitle|Data|Attachment)(?:: (.*))?$/;

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

function video(fields: readonly string[]): Pick<OutputStream, 'width' | 'height' | 'fps'> {
  const size = fields.map((f) => /^(\d{1,6})x(\d{1,6})(?: |$)/.exec(f)).find((m) => m !== null);
  // ffmpeg prints 1000 and more as "15k fps".
  const rate = fields.map((f) => /^(\d+(?:\.\d+)?)(k?) fps/.exec(f)).find((m) => m !== null);
  return {
    ...(size ? { width: Number(size[1]), height: Number(size[2]) } : {}),
    ...(rate ? { fps: Number(rate[1]) * (rate[2] === 'k' ? 1000 : 1) } : {}),
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

/** What a `  Stream #0:1(und): Audio: aac (LC), 48000 Hz, 5.1, …` line says; undefined for any other line. */
export function parseStreamLine(text: string): OutputStream | undefined {
  const match = STREAM.exec(text);
  if (match === null) return undefined;
  const kind = match[2] as keyof typeof TYPES;
  const fields = parts(match[3] ?? '');
  const codec = /^[\w.-]{1,40}/.exec(fields[0] ?? '')?.[0] ?? 'unknown';
  return {
    index: Number(match[1]),
    type: TYPES[kind],
    codec,
    ...(kind === 'Video' ? video(fields) : {}),
    ...(kind === 'Audio' ? audio(fields) : {}),
  };
}
