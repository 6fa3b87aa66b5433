import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { SeededChoices } from '../faults/soak/seeded-choices.ts';

const SMALL = { s: '160x90', t: '2' };

/** What users typically do with a file. */
const CONVERSIONS = {
  remux: { extension: 'mkv', parameters: { c: 'copy' } },
  'remux of all': { extension: 'mkv', parameters: { c: 'copy', map: '0' } },
  video: { extension: 'mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast', 'c:a': 'aac', ...SMALL } },
  audio: { extension: 'm4a', parameters: { vn: '', 'c:a': 'aac', t: '3' } },
  thumbnail: { extension: 'jpg', parameters: { 'frames:v': '1', vf: 'scale=160:-2' } },
  gif: { extension: 'gif', parameters: { vf: 'fps=5,scale=120:-2', t: '2' } },
  subtitles: { extension: 'srt', parameters: {} },
} as const;

const WEIGHTS = { remux: 4, 'remux of all': 3, video: 5, audio: 3, thumbnail: 4, gif: 2, subtitles: 1 } as const;

/** A typical conversion of `input`; `output` is a path without its extension. */
export function conversionOf(chance: SeededChoices, input: string, output: string): ConversionRequest {
  const { extension, parameters } = CONVERSIONS[chance.pick(WEIGHTS)];
  return { input, output: `${output}.${extension}`, parameters };
}
