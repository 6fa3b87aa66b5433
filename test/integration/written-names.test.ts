// @module-tag long
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { masterPath, type Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { isPlannedName } from '../../packages/contract/src/domain/planned-names.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { planRequest } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

const ffmpeg = (cwd: string, args: readonly string[]) =>
  promisify(execFile)(tools().ffmpegPath, ['-nostdin', '-v', 'error', ...args], { cwd });

/** Creates a folder with a video of three seconds, with a key frame every half second, as `in/0.mp4`. */
async function createVideo(): Promise<string> {
  const folder = await testFolder('names');
  await mkdir(join(folder, 'in'));
  const sources = '-f lavfi -i testsrc=s=64x64:r=24:d=3 -f lavfi -i sine=d=3';
  await ffmpeg(folder, `${sources} -g 12 -c:v mpeg4 -c:a aac in/0.mp4`.split(' '));
  return folder;
}

const planned = (output: string, parameters: Parameters) =>
  planRequest({ input: 'a.mp4', output, parameters: { c: 'copy', ...parameters } });

const HLS = { hls_time: '0.5', hls_list_size: '0' };
const DASH = { seg_duration: '0.5' };
const DATED = { strftime: '1', hls_flags: 'second_level_segment_index' };

needs('ffmpeg')('ffmpeg writes a separate file for each name that the check accepts', { timeout: 60_000 }, async () => {
  const folder = await createVideo();
  /** The names of the files that ffmpeg writes, and the content of the output if it is text. */
  const runPlan = async (output: string, parameters: Parameters) => {
    const result = planned(output, parameters);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    const cwd = await mkdtemp(join(folder, 'run-'));
    await mkdir(join(cwd, 'out'));
    const argv = result.plan.passes[0]?.map((word) => (word === 'file:in/0.mp4' ? 'file:../in/0.mp4' : word)) ?? [];
    await promisify(execFile)(tools().ffmpegPath, argv, { cwd });
    const names = await readdir(join(cwd, 'out'));
    return { names, list: await readFile(join(cwd, 'out', output), 'utf8').catch(() => '') };
  };
  const lines = (list: string) => list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  const dated = await runPlan('a.m3u8', { ...HLS, ...DATED, hls_segment_filename: '%F_%H-%M-%S_%s_%b%p_%%03d.ts' });
  expect(dated.names).toHaveLength(7);
  expect(dated.names).toEqual(expect.arrayContaining([...lines(dated.list), 'a.m3u8']));
  expect(lines(dated.list)).toEqual(lines(dated.list).filter((name) => /^[\w.-]+$/.test(name)));

  const segments = { hls_segment_type: 'fmp4', start_number: '1', hls_segment_filename: 's%d.m4s' };
  const fragments = await runPlan('a.m3u8', { ...HLS, ...segments, hls_fmp4_init_filename: 's0.m4s' });
  expect(fragments.names.sort()).toEqual(['a.m3u8', ...[0, 1, 2, 3, 4, 5, 6].map((n) => `s${n}.m4s`)]);

  const dash = await runPlan('a.mpd', { ...DASH, an: '', init_seg_name: 'm0.m4s', media_seg_name: 'm$Number$.m4s' });
  expect(dash.names).toEqual(expect.arrayContaining(['a.mpd', 'm0.m4s', 'm1.m4s', 'm5.m4s']));

  expect((await runPlan('p%Y.png', { c: 'png', an: '', strftime: '1', 'frames:v': '1' })).names).toEqual([
    expect.stringMatching(/^p\d{4}\.png$/),
  ]);
});

const MAPS = { map: ['0:v', '0:a', '0:v', '0:a'] };
const FMP4 = { hls_segment_type: 'fmp4' };

needs('ffmpeg').each<[string, string, Parameters]>([
  ['one film', 'a.mkv', {}],
  ['HLS', 'a%b.m3u8', HLS],
  ['HLS with a master', 'a.m3u8', { ...HLS, master_pl_name: 'all.m3u8' }],
  ['HLS in one file', 'a.m3u8', { ...HLS, hls_flags: 'single_file' }],
  ['HLS in one file with dates', 'a.m3u8', { ...HLS, hls_flags: 'single_file', strftime: '1' }],
  ['HLS by size', 'a.m3u8', { hls_segment_size: '3000', hls_segment_filename: 's%03d.ts' }],
  ['HLS with the default name of dates', 'a.m3u8', { ...HLS, strftime: '1' }],
  [
    'HLS with all counters after dates',
    'a.m3u8',
    {
      ...HLS,
      strftime: '1',
      hls_flags: '+second_level_segment_index+second_level_segment_size+second_level_segment_duration',
      hls_segment_filename: '%A_%B-%d_%p%%04d_%%08s_%%013t.ts',
    },
  ],
  ['HLS with variants', 'a_%v.m3u8', { ...HLS, ...MAPS, ...FMP4, var_stream_map: 'v:0,a:0,name:hi v:1,a:1,name:lo' }],
  [
    'HLS with folders of variants',
    'v%v/a.m3u8',
    { ...HLS, ...MAPS, ...FMP4, master_pl_name: 'm.m3u8', var_stream_map: 'v:0,a:0,name:hi v:1,a:1' },
  ],
  ['HLS with a dated init segment', 'a.m3u8', { ...HLS, ...FMP4, strftime: '1', hls_fmp4_init_filename: 'i%Y.mp4' }],
  ['HLS with an epoch as number', 'a.m3u8', { ...HLS, hls_start_number_source: 'epoch_us' }],
  ['DASH', 'a.b.mpd', DASH],
  ['DASH with playlists', 'a.mpd', { ...DASH, hls_playlist: '1', hls_master_name: 'm.m3u8' }],
  [
    'DASH by bit rate and time',
    'a.mpd',
    {
      ...DASH,
      init_seg_name: 'i$RepresentationID$_$Bandwidth$.$ext$',
      media_seg_name: 's$RepresentationID$_$Time%05d$$$.$ext$',
    },
  ],
  ['DASH in one file for each stream', 'a.mpd', { ...DASH, single_file: '1' }],
  ['DASH in named files', 'a.mpd', { ...DASH, single_file_name: 's$RepresentationID$.mp4' }],
  ['segments with a list', 's%%_%03d.mkv', { f: 'segment', segment_time: '1', segment_list: 'l.csv' }],
  ['segments by the date', 's%s.mkv', { f: 'segment', segment_time: '1', strftime: '1' }],
  ['pictures', 'p%%%04d.png', { c: 'png', an: '', 'frames:v': '3' }],
  ['pictures by timestamp', 'p%d.png', { c: 'png', an: '', 'frames:v': '3', frame_pts: '1' }],
  ['one picture', 'p%.png', { c: 'png', an: '', 'frames:v': '1' }],
])('every file that ffmpeg writes is planned: %s', { timeout: 60_000 }, async (_what, output, parameters) => {
  const result = planned(output, parameters);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const { plan } = result;
  const folder = await createVideo();
  await mkdir(join(folder, 'out'));
  await promisify(execFile)(tools().ffmpegPath, [...(plan.passes[0] ?? [])], { cwd: folder });
  const entries = await readdir(join(folder, 'out'), { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(folder, 'out'), join(entry.parentPath, entry.name)));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !isPlannedName(plan.outputs[0]?.names ?? [], name))).toEqual([]);
  const { master_pl_name: master } = parameters;
  if (typeof master === 'string') expect(names).toContain(masterPath(output, master));
});

needs('ffmpeg')('ffmpeg silently loses files for names that the check rejects', { timeout: 60_000 }, async () => {
  const folder = await createVideo();
  const filesOf = async (output: string, args: string) => {
    const cwd = await mkdtemp(join(folder, 'run-'));
    await ffmpeg(cwd, ['-i', '../in/0.mp4', ...args.split(' '), output]);
    return (await readdir(cwd)).sort();
  };
  const codes = (output: string, parameters: Parameters) => {
    const result = planned(output, parameters);
    return result.ok ? [] : result.errors.map(({ code }) => code);
  };
  const one = { hls_flags: 'single_file', hls_segment_filename: 'a.m3u8' };
  expect(codes('a.m3u8', one)).toEqual(['SAME_NAME']);
  expect(await filesOf('a.m3u8', '-c copy -hls_flags single_file -hls_segment_filename a.m3u8')).toEqual(['a.m3u8']);
  const begin = { an: '', init_seg_name: 'm1.m4s', media_seg_name: 'm$Number$.m4s' };
  expect(codes('a.mpd', { ...DASH, ...begin })).toEqual(['SAME_NAME']);
  expect(
    await filesOf('a.mpd', '-c copy -an -seg_duration 1 -init_seg_name m1.m4s -media_seg_name m$Number$.m4s'),
  ).not.toContain('m0.m4s');
  expect(codes('p%d.ts', { f: 'segment', segment_list: 'p1.ts' })).toEqual(['SAME_NAME']);
  expect(await filesOf('p%d.ts', '-c copy -f segment -segment_time 1 -segment_list p1.ts')).toEqual([
    'p0.ts',
    'p1.ts',
    'p2.ts',
  ]);
});
