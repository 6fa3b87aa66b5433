import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { conversionMedia } from '../support/conversion-media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';
import { MEDIA } from './conversion-cases.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });

/** Swaps red and blue, which clearly changes every frame of the sample. */
const SWAP = `LUT_3D_SIZE 2
0 0 0
0 0 1
0 1 0
0 1 1
1 0 0
1 0 1
1 1 0
1 1 1
`;

/** MD5 of every frame with its time in seconds. */
async function frames(file: string): Promise<ReadonlyMap<number, string>> {
  const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-i', file, '-f', 'framemd5', '-']);
  expect(ok, text).toBe(true);
  const base = Number(/^#tb 0: 1\/(\d+)/m.exec(text)?.[1]);
  return new Map(
    [...text.matchAll(/^0,\s*\d+,\s*(\d+),.*,\s*(\w{32})$/gm)].map(([, pts, md5]) => [Number(pts) / base, md5 ?? '']),
  );
}

needs('sandbox')(
  'filters read files that the request names as inputs, and what they say is in the picture',
  async () => {
    const { server, admin } = await start();
    await conversionMedia(server.mediaRoot);
    await writeFile(join(server.mediaRoot, 'swap.cube'), SWAP);
    const lossless = { an: '', 'c:v': 'ffv1' } as const;
    const run = async (output: string, file: string, vf: string) => {
      const job = await admin.run({ inputs: [MEDIA.movie, file], output, parameters: { ...lossless, vf } });
      expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ streams: [{ type: 'video', codec: 'ffv1' }] }] });
      return frames(join(server.mediaRoot, output));
    };
    const [unfiltered, burnt, coloured, written] = await Promise.all([
      run('plain.mkv', MEDIA.subtitles, `scale=426:240,subtitles=${MEDIA.subtitles}:force_style='Fontsize=0.01'`),
      run('burnt.mkv', MEDIA.subtitles, `scale=426:240,subtitles=${MEDIA.subtitles}:force_style='Fontsize=40,Bold=1'`),
      run('coloured.mkv', 'swap.cube', 'scale=426:240,lut3d=swap.cube'),
      run(
        'written.mkv',
        MEDIA.subtitles,
        `scale=426:240,drawtext=textfile=${MEDIA.subtitles}:fontsize=20:fontcolor=white`,
      ),
    ]);
    const differs = (other: ReadonlyMap<number, string>) => (at: number) => unfiltered.get(at) !== other.get(at);
    const times = [...unfiltered.keys()];
    expect(times.length).toBeGreaterThan(60);
    // The first subtitle is shown from 0.5 to 1.5 s, the second from 1.8 to 2.6 s.
    const spoken = (at: number) => (at >= 0.5 && at < 1.5) || (at >= 1.8 && at < 2.6);
    expect(times.filter(differs(burnt))).toEqual(times.filter(spoken));
    expect(times.filter(differs(coloured))).toEqual(times);
    expect(times.filter(differs(written))).toEqual(times);
  },
);
