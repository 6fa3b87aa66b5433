// @module-tag long
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { commonServer } from '../support/common-server.ts';
import { conversionMedia } from '../support/conversion-media.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { UNKNOWN_FAMILY, writeUnknownFont } from '../support/unknown-font.ts';
import { MEDIA } from './conversion-cases.ts';

const start = commonServer();

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
    const { server, own } = await start();
    await conversionMedia(server.mediaRoot);
    await writeFile(join(server.mediaRoot, 'swap.cube'), SWAP);
    const lossless = { an: '', 'c:v': 'ffv1' } as const;
    const run = async (output: string, file: string, vf: string) => {
      const job = await own.run({ inputs: [MEDIA.movie, file], output, parameters: { ...lossless, vf } });
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

needs('sandbox')(
  'subtitles are drawn with a font among the inputs, as ffmpeg draws them from a folder of fonts',
  async () => {
    const { server, own } = await start();
    const root = join(server.mediaRoot, 'lettering');
    await mkdir(join(root, 'fonts'), { recursive: true });
    await writeUnknownFont(join(root, 'fonts/text.ttf'));
    await writeFile(join(root, 'words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHamburgefonts\n');
    const bare = async (...args: readonly string[]) => {
      const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args]);
      expect(ok, text).toBe(true);
    };
    const at = (name: string) => join(root, name);
    const style = `force_style=FontName=${UNKNOWN_FAMILY}`;
    await bare('-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=5:duration=1', '-c:v', 'ffv1', at('plain.mkv'));
    const filter = `subtitles=${at('words.srt')}:fontsdir=${at('fonts')}:${style}`;
    await bare('-i', at('plain.mkv'), '-vf', filter, '-c:v', 'ffv1', at('expected.mkv'));
    // Subtitles that name the font themselves, in a film to which it is attached.
    const styled = `[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,${UNKNOWN_FAMILY},20\n`;
    const event = 'Format: Start, End, Style, Text\nDialogue: 0:00:00.00,0:00:01.00,Default,Hamburgefonts\n';
    await writeFile(at('words.ass'), `[Script Info]\n${styled}[Events]\n${event}`);
    const font = ['-attach', at('fonts/text.ttf'), '-metadata:s:t', 'mimetype=application/x-truetype-font'];
    const both = ['-i', at('plain.mkv'), '-i', at('words.ass'), '-map', '0', '-map', '1', '-c', 'copy'];
    await bare(...both, ...font, at('attached.mkv'));

    const run = async (output: string, inputs: readonly string[], vf: string) => {
      const job = await own.run({
        inputs: inputs.map((name) => `lettering/${name}`),
        output: `lettering/${output}`,
        parameters: { an: '', sn: '', 'c:v': 'ffv1', vf },
      });
      expect({ status: job.status, error: job.error }).toEqual({ status: 'COMPLETED', error: undefined });
      return { frames: await frames(join(root, output)), warnings: job.warnings?.map(({ code }) => code) };
    };
    const words = 'subtitles=lettering/words.srt';
    const [given, named, absent, attached] = await Promise.all([
      run('given.mkv', ['plain.mkv', 'words.srt', 'fonts/text.ttf'], `${words}:${style}`),
      run('named.mkv', ['plain.mkv', 'words.srt', 'fonts/text.ttf'], `${words}:fontsdir=lettering/fonts:${style}`),
      run('absent.mkv', ['plain.mkv', 'words.srt'], `${words}:${style}`),
      run('embedded.mkv', ['attached.mkv'], 'subtitles=lettering/attached.mkv'),
    ]);
    const expected = await frames(join(root, 'expected.mkv'));
    expect(given).toEqual({ frames: expected, warnings: undefined });
    expect(named).toEqual(given);
    expect(absent.frames).not.toEqual(expected);
    expect(absent.warnings).toEqual(['FONT_REPLACED']);
    expect(attached.warnings).toBeUndefined();
  },
);

needs('sandbox')('a part of a film has the burnt words that the whole film has there', async () => {
  const { server, own } = await start();
  const root = join(server.mediaRoot, 'part');
  await mkdir(root, { recursive: true });
  const words = [0, 1, 2, 3, 4, 5].map((at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\nLine ${at}\n`);
  await writeFile(join(root, 'words.srt'), words.join('\n'));
  const film = 'testsrc2=size=320x180:rate=25:duration=6';
  const encoder = ['-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast'];
  const args = ['-v', 'error', '-y', '-f', 'lavfi', '-i', film, ...encoder, join(root, 'film.mp4')];
  const { ok, text } = await command(tools().ffmpegPath, args);
  expect(ok, text).toBe(true);
  const part = { ss: '2.833', to: '5.01' };
  const convert = async (output: string, input: object, more: object) => {
    const inputs = [{ input: 'part/film.mp4', ...input }, 'part/words.srt'];
    const request = { inputs, output: `part/${output}`, ...more };
    const job = await own.run(request);
    expect({ status: job.status, error: job.error }).toEqual({ status: 'COMPLETED', error: undefined });
    return { request, frames: await frames(join(root, output)), warnings: job.warnings };
  };
  // Lossless, so that equal frames have equal checksums.
  const lossless = { 'c:v': 'libx264', qp: '0', preset: 'ultrafast' };
  const recipe = { preset: { name: 'burn-subtitles' }, parameters: { crf: '0' } };
  const mistaken = { parameters: { ...lossless, vf: 'subtitles=part/words.srt' } };
  const [whole, ofRecipe, ofEnd, late] = await Promise.all([
    convert('whole.mp4', {}, recipe),
    convert('recipe.mp4', { parameters: part }, recipe),
    convert('end.mp4', { parameters: { sseof: '-3.167', t: '2.177' } }, recipe),
    convert('late.mp4', { parameters: part }, mistaken),
  ]);
  const expected = [...whole.frames].flatMap(([at, md5]) => (at >= 2.833 && at < 5.01 ? [md5] : []));
  expect(expected).toHaveLength(55);
  expect([...ofRecipe.frames.values()]).toEqual(expected);
  expect([...ofEnd.frames.values()]).toEqual(expected);
  for (const { warnings } of [ofRecipe, ofEnd]) expect(warnings).toEqual(whole.warnings);

  // Without the recipe, the words are those of the start of the film. The warning says so, and its fix shows the right ones.
  expect([...late.frames.values()]).not.toEqual(expected);
  const warning = late.warnings?.find(({ rule }) => rule === 'shifted-subtitles');
  const [before, after] = ['setpts=PTS+2.833/TB', 'setpts=PTS-2.833/TB'];
  const fix = `Put "${before}" before the filter subtitles, and "${after}" after it.`;
  expect(warning).toMatchObject({ code: 'OUT_OF_SYNC', field: '/parameters/vf', fix });
  const vf = `${before},${mistaken.parameters.vf},${after}`;
  const fixed = await convert('fixed.mp4', { parameters: part }, { parameters: { ...lossless, vf } });
  expect([...fixed.frames.values()]).toEqual(expected);
  expect([...fixed.frames.keys()]).toEqual([...late.frames.keys()]);
  expect(fixed.warnings ?? []).toEqual(late.warnings?.filter((one) => one !== warning));
});
