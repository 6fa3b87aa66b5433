import { describe, expect, test } from 'vitest';
import type { Parameters } from '../../src/domain/conversion.ts';
import { planRequest, requestWith } from '../support/planning.ts';

const planned = (output: string, parameters: Parameters) => planRequest(requestWith(parameters, output));

/** What is wrong with it, or the codes of its warnings. */
const told = (output: string, parameters: Parameters): readonly string[] => {
  const result = planned(output, parameters);
  const all = result.ok ? result.plan.warnings : result.errors;
  return all.map(({ field, code }) => `${result.ok ? 'warned ' : ''}${field} ${code}`);
};

const P = '/parameters';
const FMP4 = { hls_segment_type: 'fmp4' };
const TWO = { map: ['0:v', '0:v'], 'c:v': 'libx264', var_stream_map: 'v:0 v:1' };

const numbered = (variants: number): string => Array.from({ length: variants }, (_, n) => `v:${n}`).join(' ');

type Row = readonly [what: string, output: string, parameters: Parameters, told: readonly string[]];

test.each<Row>([
  ['the playlist', 'x/a.m3u8', { hls_segment_filename: 'a.m3u8' }, ['NEEDS_COUNTER', 'SAME_NAME']],
  [
    'the playlist, its path',
    'x/a.m3u8',
    { hls_segment_filename: '/srv/media/x/./a.m3u8' },
    ['NEEDS_COUNTER', 'SAME_NAME'],
  ],
  ['one file', 'a.m3u8', { hls_flags: 'single_file', hls_segment_filename: './a.m3u8' }, ['SAME_NAME']],
  ['one name for many', 'a.m3u8', { hls_segment_filename: 'a.ts' }, ['NEEDS_COUNTER']],
  ['one name by size', 'a.m3u8', { hls_segment_size: '20000', hls_segment_filename: 'a.ts' }, ['NEEDS_COUNTER']],
  ['no place for the variant', 'a_%v.m3u8', { ...TWO, hls_segment_filename: 's%d.ts' }, ['NEEDS_VARIANT']],
])('segments of HLS: %s', (_what, output, parameters, codes) =>
  expect(told(output, parameters)).toEqual(codes.map((code) => `${P}/hls_segment_filename ${code}`)),
);

test.each<Row>([
  [
    'the beginning of fragments',
    'a.m3u8',
    { ...FMP4, hls_fmp4_init_filename: 'a.m3u8' },
    [`${P}/hls_fmp4_init_filename SAME_NAME`],
  ],
  [
    'a fragment',
    'a.m3u8',
    { ...FMP4, hls_segment_filename: 's%d.m4s', hls_fmp4_init_filename: 's0.m4s' },
    [`${P}/hls_fmp4_init_filename SAME_NAME`],
  ],
  [
    'a fragment that is not counted',
    'a.m3u8',
    { ...FMP4, start_number: '1', hls_segment_filename: 's%d.m4s', hls_fmp4_init_filename: 's0.m4s' },
    [],
  ],
  ['the beginning, where there is none', 'a.m3u8', { hls_fmp4_init_filename: 'a.m3u8' }, []],
  ['ffmpeg’s own beginning', 'init.mp4', { ...FMP4, f: 'hls' }, ['/output SAME_NAME']],
  ['its own file of all segments', 'a.ts', { hls_flags: 'single_file', f: 'hls' }, ['/output SAME_NAME']],
  ['the master', 'a.m3u8', { master_pl_name: 'a.m3u8' }, [`${P}/master_pl_name SAME_NAME`]],
  [
    'the master, a segment',
    'a.m3u8',
    { hls_segment_filename: 's%d.ts', master_pl_name: 's0.ts' },
    [`${P}/master_pl_name SAME_NAME`],
  ],
  [
    'the master, that of a variant',
    'a_%v.m3u8',
    { ...TWO, master_pl_name: 'a_1.m3u8' },
    [`${P}/master_pl_name SAME_NAME`],
  ],
  ['the master above those of variants', 'v%v/a.m3u8', { ...TWO, master_pl_name: 'a.m3u8' }, []],
  ['variants without names of their own', 'a_%v.m3u8', { ...TWO, ...FMP4 }, []],
  [
    'one beginning for variants',
    'a_%v.m3u8',
    { ...TWO, ...FMP4, hls_fmp4_init_filename: 'i.mp4' },
    [`${P}/hls_fmp4_init_filename NEEDS_VARIANT`],
  ],
  ['a counter behind a per cent sign', 'a.m3u8', { hls_segment_filename: 'x%%%d.ts' }, []],
  [
    'a per cent sign is no counter',
    'a.m3u8',
    { hls_segment_filename: 'x%%03d.ts' },
    [`${P}/hls_segment_filename NEEDS_COUNTER`],
  ],
  ['a per cent sign before ffmpeg’s own counter', 'a%.m3u8', {}, ['/output NEEDS_COUNTER']],
  ['a number that begins like that of another variant', 's%v.m3u8', { var_stream_map: numbered(11) }, []],
  ['numbers that run into those of segments', 's%v.m3u8', { var_stream_map: numbered(12) }, ['/output SAME_NAME']],
  [
    'a start that is no plain number',
    'a.m3u8',
    { start_number: '1k', hls_segment_filename: 's%d.ts', master_pl_name: 's999.ts' },
    [],
  ],
  [
    'variants whose numbers run into those of segments',
    'a_%v.m3u8',
    { 'c:v': 'libx264', var_stream_map: 'v:0,name:1 v:0,name:11', hls_segment_filename: 's%v%d.ts' },
    [`${P}/hls_segment_filename SAME_NAME`],
  ],
])('names of HLS: %s', (_what, output, parameters, expected) =>
  expect(told(output, { c: 'copy', ...parameters }).filter((one) => !/NO_EFFECT/.test(one))).toEqual(expected),
);

test.each<Row>([
  ['the list, a segment', 'p%03d.mkv', { segment_list: 'p001.mkv' }, [`${P}/segment_list SAME_NAME`]],
  ['the list', 'p%03d.mkv', { segment_list: 'p.csv' }, []],
  ['the list, before those that are counted', 'p%d.mkv', { segment_start_number: '5', segment_list: 'p4.mkv' }, []],
  ['a name without a counter', 'p.mkv', {}, ['/output NEEDS_COUNTER']],
  ['a per cent sign is no counter', 'p%%d.mkv', {}, ['/output NEEDS_COUNTER']],
  ['two counters', 'p%d_%d.mkv', {}, ['/output NEEDS_COUNTER']],
  ['by the date', 'p%s.mkv', { strftime: '1' }, [`warned ${P}/strftime SAME_NAME`]],
  ['by a date that says nothing', 'p.mkv', { strftime: '1' }, ['/output NEEDS_COUNTER']],
])('names of segments: %s', (_what, output, parameters, expected) =>
  expect(
    told(output, { c: 'copy', f: 'segment', ...parameters }).filter((one) => !one.startsWith('warned /output')),
  ).toEqual(expected),
);

const I = `${P}/init_seg_name`;
const M = `${P}/media_seg_name`;
const MAPS = { map: ['0:v', '0:a'] };

test.each<Row>([
  ['the manifest as a beginning', 'a.mpd', { an: '', init_seg_name: 'a.mpd' }, [`${I} SAME_NAME`]],
  [
    'a beginning as a segment',
    'a.mpd',
    { an: '', init_seg_name: 'm1.m4s', media_seg_name: 'm$Number$.m4s' },
    [`${M} SAME_NAME`],
  ],
  [
    'a beginning before the segments',
    'a.mpd',
    { an: '', init_seg_name: 'm0.m4s', media_seg_name: 'm$Number$.m4s' },
    [],
  ],
  ['segments without a number', 'a.mpd', { media_seg_name: 'm$RepresentationID$.m4s' }, [`${M} NEEDS_COUNTER`]],
  ['segments of two streams', 'a.mpd', { ...MAPS, media_seg_name: 'm$Number%05d$.m4s' }, [`${M} SAME_NAME`]],
  ['segments of who knows how many streams', 'a.mpd', { media_seg_name: 'm$Number$.m4s' }, [`warned ${M} SAME_NAME`]],
  [
    'by bit rate and time',
    'a.mpd',
    { ...MAPS, init_seg_name: 'i$Bandwidth%07d$.$ext$', media_seg_name: 'm$Bandwidth$_$Time$.$ext$' },
    [`warned ${I} SAME_NAME`, `warned ${M} SAME_NAME`],
  ],
  ['by bit rate, one stream', 'a.mpd', { an: '', init_seg_name: 'i$Bandwidth$.m4s' }, []],
  ['by bit rate and number', 'a.mpd', { ...MAPS, init_seg_name: 'i$Bandwidth$_$RepresentationID$.m4s' }, []],
  ...['i$Bandwidth%7d$', 'i$Bandwidth%012d$', 'i$RepresentationID%02d$', 'i$$RepresentationID$'].map(
    (name): Row => [
      `${name}, which ffmpeg leaves as it is`,
      'a.mpd',
      { ...MAPS, init_seg_name: name },
      [`${I} SAME_NAME`],
    ],
  ),
  [
    'a width that ffmpeg does not read',
    'a.mpd',
    { media_seg_name: 'm$RepresentationID$_$Number%3d$' },
    [`${M} NEEDS_COUNTER`],
  ],
  [
    'numbers of streams beside those of segments',
    'a.mpd',
    { ...MAPS, init_seg_name: '$RepresentationID$0.m4s', media_seg_name: '$RepresentationID$$Number$.m4s' },
    [],
  ],
  ['one file of two streams', 'a.mpd', { ...MAPS, single_file_name: 's.mp4' }, [`${P}/single_file_name SAME_NAME`]],
  [
    'one file that is the manifest',
    'a.mpd',
    { vn: '', single_file_name: 'a.mpd' },
    [`${P}/single_file_name SAME_NAME`],
  ],
  ['the HLS playlist', 'a.mpd', { hls_playlist: '1', hls_master_name: 'a.mpd' }, [`${P}/hls_master_name SAME_NAME`]],
  [
    'the HLS playlist of a stream',
    'a.mpd',
    { hls_playlist: '1', hls_master_name: 'media_0.m3u8' },
    [`${P}/hls_master_name SAME_NAME`],
  ],
  [
    'the HLS playlist, as a beginning',
    'a.mpd',
    { an: '', hls_playlist: '1', init_seg_name: 'master.m3u8' },
    [`${I} SAME_NAME`],
  ],
  ['an HLS playlist that is not asked for', 'a.mpd', { an: '', hls_master_name: 'a.mpd' }, []],
])('names of DASH: %s', (_what, output, parameters, expected) =>
  expect(told(output, { c: 'copy', ...parameters })).toEqual(expected),
);

const SECOND = { strftime: '1', hls_flags: 'second_level_segment_index' };

test.each<Row>([
  [
    'letters that make plain names',
    'a.m3u8',
    { strftime: '1', hls_segment_filename: '%Y%m%d_%F_%H%M%S_%s_%j.ts' },
    [`warned ${P}/strftime SAME_NAME`],
  ],
  ['counted behind the date', 'a.m3u8', { ...SECOND, hls_segment_filename: '%Y%m%d_%%04d.ts' }, []],
  [
    'all that may stand behind it',
    'a.m3u8',
    {
      strftime: '1',
      hls_flags: '+second_level_segment_index+second_level_segment_size+second_level_segment_duration',
      hls_segment_filename: '%F_%%04d_%%08s_%%013t.ts',
    },
    [],
  ],
  [
    'nothing behind it',
    'a.m3u8',
    { ...SECOND, hls_segment_filename: '%Y.ts' },
    [`${P}/hls_segment_filename NEEDS_COUNTER`],
  ],
  ['nothing behind it, without a name', 'a.m3u8', SECOND, [`${P}/hls_flags NEEDS_COUNTER`]],
  [
    'behind no date',
    'a.m3u8',
    { hls_flags: SECOND.hls_flags, hls_segment_filename: 's%%04d.ts' },
    [`${P}/hls_flags NEEDS_STRFTIME`],
  ],
  [
    'a counter without its flag',
    'a.m3u8',
    { strftime: '1', hls_segment_filename: '%Y_%%04d.ts' },
    [`${P}/hls_segment_filename BAD_FILE_NAME`],
  ],
  [
    'a counter that is a day',
    'a.m3u8',
    { strftime: '1', hls_segment_filename: 's%03d.ts' },
    [`${P}/hls_segment_filename BAD_FILE_NAME`],
  ],
  ...['%D', '%T', '%c', '%x', '%X', '%e', '%n', '%-d', '%Ey', '%Q', '%', '%%', '%10Y'].map(
    (mark): Row => [
      mark,
      'a.m3u8',
      { strftime: '1', hls_segment_filename: `s${mark}` },
      [`${P}/hls_segment_filename BAD_FILE_NAME`],
    ],
  ),
  [
    'the beginning too',
    'a.m3u8',
    { ...FMP4, ...SECOND, hls_segment_filename: '%s_%%d.m4s', hls_fmp4_init_filename: '%D.mp4' },
    [`${P}/hls_fmp4_init_filename BAD_FILE_NAME`],
  ],
  ['not in one file', 'a.m3u8', { strftime: '1', hls_flags: 'single_file', hls_segment_filename: '%D.ts' }, []],
  ['off', 'a.m3u8', { strftime: '0', hls_segment_filename: '%D%d.ts' }, []],
  ['segments', 'p%D.mkv', { strftime: '1', f: 'segment' }, ['/output BAD_FILE_NAME']],
  ['segments by the output’s name', 'p%D.m3u8', { strftime: '1' }, ['/output BAD_FILE_NAME']],
  ['pictures', 'p%T.png', { strftime: '1' }, ['/output BAD_FILE_NAME']],
  ['one picture', 'p%F.png', { strftime: '1', 'frames:v': '1' }, []],
])('names by the date: %s', (_what, output, parameters, expected) => {
  const copy = output.endsWith('png') ? {} : { c: 'copy' };
  expect(told(output, { ...copy, ...parameters })).toEqual(expected);
});

test('the error says which names clash, and what to send instead', () => {
  const result = planned('hls/film.m3u8', { hls_flags: 'single_file', hls_segment_filename: 'film.m3u8' });
  expect(result.ok ? [] : result.errors).toEqual([
    {
      field: '/parameters/hls_segment_filename',
      code: 'SAME_NAME',
      message: 'The segments and the playlist would both have the name "film.m3u8", so one would overwrite the other.',
      allowed: ['a name that no other file of the output has'],
      fix: 'Send "film_%03d.ts".',
    },
  ]);
  const dated = planned('a.m3u8', { strftime: '1', hls_segment_filename: 'x/at_%T.ts' });
  expect(dated.ok ? [] : dated.errors).toEqual([
    expect.objectContaining({ allowed: expect.arrayContaining(['%Y (year)']), fix: 'Send "x/at_%H-%M-%S.ts".' }),
  ]);
});

describe('names of variants that are too long where they stand', () => {
  const map = (length: number) => `v:0,name:a v:0,name:${'b'.repeat(length)}`;
  const deep = `${'%v'.repeat(120)}/`.repeat(12);

  test.each<Row>([
    ['one name', 's%v.m3u8', { var_stream_map: map(249) }, []],
    ['one name, a byte too long', 's%v.m3u8', { var_stream_map: map(250) }, ['/output TOO_LONG']],
    ['one name, of letters that are two bytes', 'ä%v.m3u8', { var_stream_map: map(249) }, ['/output TOO_LONG']],
    ['of the segments', 's%v.m3u8', { var_stream_map: map(50), hls_segment_filename: `${'%v'.repeat(5)}%d.ts` }, []],
    [
      'of the segments, too often',
      's%v.m3u8',
      { var_stream_map: map(50), hls_segment_filename: `${'%v'.repeat(6)}%d.ts` },
      [`${P}/hls_segment_filename TOO_LONG`],
    ],
    ['the path', `${'%v/'.repeat(20)}a.m3u8`, { var_stream_map: map(200) }, ['/output TOO_LONG']],
    [
      'what would take gigabytes',
      `${deep}%v.m3u8`,
      { var_stream_map: map(8000), hls_segment_filename: `${deep}%v%d.ts` },
      ['/output TOO_LONG'],
    ],
  ])('%s', (_what, output, parameters, expected) =>
    expect(told(output, { c: 'copy', ...parameters })).toEqual(expected),
  );

  test('the error says which, and what to send', () => {
    const result = planned('s%v.m3u8', { c: 'copy', var_stream_map: map(300) });
    expect(result.ok ? [] : result.errors).toEqual([
      {
        field: '/output',
        code: 'TOO_LONG',
        message: `With the variant "${'b'.repeat(64)}…" as "%v", "s%v.m3u8" exceeds the limit of 255 bytes for a file name.`,
        fix: 'Use "%v" once, and give the variants short names: "v:0,name:high".',
      },
    ]);
  });
});

test('files of two variants that clash are called so', () => {
  const result = planned('s%v.m3u8', { c: 'copy', var_stream_map: numbered(12) });
  expect(result.ok ? [] : result.errors).toMatchObject([
    {
      message: expect.stringMatching(
        /^The segments of two variants would both have the same name \("s1%d\.ts", "s11%d\.ts"\)/,
      ),
    },
  ]);
});

test('a picture by the date is not written as one file under the letters themselves', () => {
  const result = planned('p%Y.png', { strftime: '1', 'frames:v': '1' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  expect(result.plan.passes[0]).not.toContain('-update');
  expect(result.plan.output).toMatchObject({ logical: 'out/p%Y.png', dated: true });
});
