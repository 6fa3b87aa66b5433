import { rename } from 'node:fs/promises';
import { extname } from 'node:path';
import { runBytes, type Source } from './sources.ts';

const COPY = ['-map', '0', '-c', 'copy'] as const;
const LOSSLESS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '1', '-pix_fmt', 'yuv420p'] as const;
const encoded = (filter: string): readonly string[] => ['-map', '0', '-c', 'copy', '-vf', filter, ...LOSSLESS];

/** Faults of results, as options of ffmpeg that make them of a right result, which is both inputs. */
export const PLANTED_FAULTS = {
  'dropped-map': () => [...COPY, '-map', '-0:a:0'],
  'swapped-tracks': () => ['-map', '0:v', '-map', '0:a:1', '-map', '0:a:0', '-c', 'copy'],
  'one-frame': () => encoded('trim=start_frame=1,setpts=PTS-STARTPTS'),
  '40-ms': () => ['-map', '0:v', '-map', '1:a', '-c', 'copy'],
  rotation: () => encoded('transpose=1'),
  matrix: () => encoded('scale=in_color_matrix=bt601:out_color_matrix=bt709'),
  alpha: () => ['-pix_fmt', 'rgb24', '-update', '1'],
  'minus-6-db': () => [...COPY, '-c:a', 'flac', '-strict', '-2', '-af', 'volume=-6dB'],
  'last-delay': ({ seconds }) => [...COPY, '-t', `${seconds - 0.3}`],
  chapters: () => [...COPY, '-map_chapters', '-1'],
} as const satisfies Readonly<Record<string, (source: Source) => readonly string[]>>;

export type PlantedFault = keyof typeof PLANTED_FAULTS;

/** Replaces a result by one with a fault. */
export async function plantFault(ffmpegPath: string, fault: PlantedFault, path: string, source: Source): Promise<void> {
  const wrong = `${path}.wrong${extname(path)}`;
  const inputs = ['-i', `file:${path}`, '-itsoffset', '0.04', '-i', `file:${path}`];
  const args = PLANTED_FAULTS[fault](source);
  await runBytes(ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...inputs, ...args, `file:${wrong}`]);
  await rename(wrong, path);
}
