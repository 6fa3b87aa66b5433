import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { samplePath } from '../../scripts/lib/samples.ts';

/** The frame size of all sources. */
export const LADDER_SIZE = { width: 1280, height: 720, fps: 24 } as const;

const FILM = 'scale=1280:720,setsar=1,fps=24,format=yuv420p';
const PAPER = 'color=0xf4f2ec:s=1280x720:r=24';
const written = (y: string): string =>
  `drawtext=text='%{eif\\:floor(t/4)\\:d} the queue worker lease retry drain':fontsize=26:fontcolor=0x202830:x=32:y='${y}'`;
const PAGE = Array.from({ length: 12 }, (_, line) => written(`40+54*${line}+8*sin(floor(t/4)+${line})`)).join(',');

/** Eight of the sources of `quality-sources.ts`, in a size that has a ladder: the film passes through a graph with the output `[o]`. */
const GRAPHS: Readonly<Record<string, string>> = {
  plain: `[0:v]${FILM}[o]`,
  'grain-light': `[0:v]${FILM},noise=alls=8:allf=t[o]`,
  'grain-heavy': `[0:v]${FILM},noise=alls=22:allf=t[o]`,
  dark: `[0:v]${FILM},eq=brightness=-0.18:contrast=0.6:gamma=0.7,noise=alls=4:allf=t[o]`,
  motion: `[0:v]fps=24,crop=1280:720:x='320+300*sin(t*2.1)':y='180+170*sin(t*1.7)',setsar=1,format=yuv420p[o]`,
  soft: `[0:v]${FILM},gblur=sigma=3[o]`,
  slides: `[0:v]${FILM},fps=1/4,fps=24[o]`,
  'film-on-text': `${PAPER},${PAGE}[t];[0:v]${FILM},scale=512:288[p];[t][p]overlay=740:400:shortest=1,format=yuv420p[o]`,
};

export const LADDER_SOURCES: readonly string[] = Object.keys(GRAPHS);

const CAMERA = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '12', '-pix_fmt', 'yuv420p'];

/** Makes the sources in a folder, as a camera would: almost without loss. Those that exist are kept. */
export async function makeLadderSources(folder: string, names: readonly string[], seconds: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const graph = GRAPHS[name];
    if (graph === undefined) throw new RangeError(`There is no source "${name}".`);
    if (existsSync(join(folder, `${name}.mp4`))) continue;
    const argv = ['-v', 'error', '-y', '-i', samplePath('1080p'), '-filter_complex', graph, '-map', '[o]'];
    await promisify(execFile)('ffmpeg', [...argv, '-t', `${seconds}`, ...CAMERA, 'unfinished.mp4'], { cwd: folder });
    await rename(join(folder, 'unfinished.mp4'), join(folder, `${name}.mp4`));
  }
}
