import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { samplePath } from '../../scripts/lib/samples.ts';

const SIZE = '640x360';
const SECONDS = 60;
const FILM = 'scale=640:360,setsar=1,fps=24,format=yuv420p';

/** How a source is made: inputs of ffmpeg, and a graph with the output `[o]`. A name with .mp4 is a source before it in the list. */
type Recipe = readonly [inputs: readonly string[], graph: string];

/** A source that filters make of the first. */
const ofPlain = (filters: string): Recipe => [['plain.mp4'], `[0:v]${filters}[o]`];

const lavfi = (graph: string): string => `lavfi:${graph}`;
const paper = (colour: string): string => lavfi(`color=${colour}:s=${SIZE}:r=24:d=${SECONDS}`);
const written = (colour: string, y: string): string =>
  `drawtext=textfile=text.txt:fontsize=13:fontcolor=${colour}:x=16:y='${y}'`;
const PAGES = written('0x202830', '8-44*floor(t/4)');

const interlaced = `scale=640:360,fps=50,tinterlace=mode=interleave_top,format=yuv420p,setsar=1`;

const cut = (input: number, from: number, to: number): string =>
  `[${input}:v]trim=${from}:${to},setpts=PTS-STARTPTS,setsar=1[c${input}]`;

/** Twenty videos that differ in how hard they are to encode. The sample films are one animation, so filters make the variety. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  plain: [
    [samplePath('1080p'), samplePath('1080p60')],
    `[0:v]${FILM}[a];[1:v]crop=iw*0.6:ih*0.6:iw*0.2:ih*0.25,hflip,${FILM}[b];[a][b]concat=n=2[o]`,
  ],
  'grain-light': ofPlain('noise=alls=8:allf=t'),
  'grain-heavy': ofPlain('noise=alls=22:allf=t'),
  dark: ofPlain('eq=brightness=-0.18:contrast=0.6:gamma=0.7,noise=alls=4:allf=t'),
  fades: ofPlain(
    "eq=brightness='-0.45+0.45*min(1,abs(3*sin(t/2.2)))':contrast='min(1,0.2+abs(2*sin(t/2.2)))':eval=frame",
  ),
  motion: ofPlain("scale=1280:720,crop=640:360:x='320+300*sin(t*2.1)':y='180+170*sin(t*1.7)'"),
  shake: ofPlain("scale=704:396,crop=640:360:x='32+30*sin(n*1.3)':y='18+16*sin(n*1.9)'"),
  soft: ofPlain('gblur=sigma=2.2'),
  sharp: ofPlain('unsharp=7:7:1.8'),
  old: ofPlain("hue=s=0,noise=alls=12:allf=t,eq=brightness='0.05*sin(n*0.9)':eval=frame"),
  slides: ofPlain('fps=1/4,fps=24'),
  subtitles: ofPlain(
    `drawbox=y=0:h=44:c=black:t=fill,drawbox=y=316:h=44:c=black:t=fill,drawtext=text='Line %{eif\\:t/3\\:d} of what they say here':fontsize=20:fontcolor=white:x=(w-tw)/2:y=326`,
  ),
  'half-still': ofPlain('loop=loop=700:size=1:start=240,trim=end_frame=1440'),
  interlaced: [
    [samplePath('1080p60'), samplePath('1080p60')],
    `[0:v]${interlaced}[a];[1:v]trim=end=30,hflip,crop=iw*0.7:ih*0.7,${interlaced}[b];[a][b]concat=n=2[o]`,
  ],
  '60-frames': [[samplePath('1080p60')], '[0:v]scale=640:360,setsar=1,format=yuv420p[o]'],
  'screen-text': [[paper('0xf4f2ec')], `[0:v]${PAGES}[o]`],
  'scrolled-text': [[paper('0x1d2430')], `[0:v]${written('0xd0d8c0', '8-30*t')}[o]`],
  'film-on-text': [
    ['plain.mp4', paper('0xf4f2ec')],
    `[1:v]${PAGES}[t];[0:v]scale=256:144[p];[t][p]overlay=370:200:shortest=1[o]`,
  ],
  fractal: [[lavfi(`mandelbrot=s=${SIZE}:r=24`)], `[0:v]trim=duration=${SECONDS},format=yuv420p[o]`],
  cuts: [
    ['plain.mp4', 'fractal.mp4', 'screen-text.mp4', 'grain-heavy.mp4', 'slides.mp4', 'motion.mp4'],
    `${[cut(0, 5, 14), cut(1, 20, 27), cut(2, 10, 22), cut(3, 35, 43), cut(4, 10, 22), cut(5, 45, 57)].join(';')};${[0, 1, 2, 3, 4, 5].map((n) => `[c${n}]`).join('')}concat=n=6[o]`,
  ],
};

export const QUALITY_SOURCES: readonly string[] = Object.keys(RECIPES);

const CAMERA = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '14', '-pix_fmt', 'yuv420p'];

/** Makes sources, and those that they are made from, in a folder, as a camera would: almost without loss. Those that exist are kept. */
export async function makeQualitySources(folder: string, names = QUALITY_SOURCES): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'text.txt'), screenText());
  for (const name of names) {
    const recipe = RECIPES[name];
    if (recipe === undefined || existsSync(join(folder, `${name}.mp4`))) continue;
    const [inputs, graph] = recipe;
    await makeQualitySources(
      folder,
      inputs.map((input) => input.replace(/\.mp4$/, '')),
    );
    const read = inputs.flatMap((input) =>
      input.startsWith('lavfi:') ? ['-f', 'lavfi', '-i', input.slice('lavfi:'.length)] : ['-i', input],
    );
    const argv = ['-v', 'error', '-y', ...read, '-filter_complex', graph, '-map', '[o]', ...CAMERA, 'unfinished.mp4'];
    await promisify(execFile)('ffmpeg', argv, { cwd: folder });
    await rename(join(folder, 'unfinished.mp4'), join(folder, `${name}.mp4`));
  }
}

const WORDS =
  'the queue worker lease retry drain staging publish manifest rendition muxer filter graph cache return const';

/** Returns random lines that look like source code. Every call returns the same lines. */
function screenText(): string {
  const words = WORDS.split(' ');
  let state = 3;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: 220 }, () => {
    const line = Array.from({ length: 3 + random(6) }, () => words[random(words.length)]).join(' ');
    return ' '.repeat(2 * random(4)) + line;
  }).join('\n');
}
