import { describe, expect, test } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { isPlannedName } from '../../packages/contract/src/domain/planned-names.ts';
import { planRequest, requestWith } from '../support/planning.ts';

const planned = (output: string, parameters: Parameters) => planRequest(requestWith(parameters, output));

/** The errors of a request, or its warnings, as `FIELD CODE`. */
const findings = (output: string, parameters: Parameters): readonly string[] => {
  const result = planned(output, parameters);
  const all = result.ok ? result.plan.warnings : result.errors;
  return all.map(({ field, code }) => `${result.ok ? 'warned ' : ''}${field} ${code}`);
};

const P = '/parameters';
const FMP4 = { hls_segment_type: 'fmp4' };
const TWO = { map: ['0:v', '0:v'], 'c:v': 'libx264', var_stream_map: 'v:0 v:1' };

const numbered = (variants: number): string => Array.from({ length: variants }, (_, n) => `v:${n}`).join(' ');

type Row = readonly [what: string, output: string, parameters: Parameters, findings: readonly string[]];

test.each([
  ['a_%v.m3u8', 'v%v/s_%v_%03d.ts'],
  ['a_%v.m3u8', 'parts/v%v/s_%v_%03d.ts'],
  ['a.m3u8', 'v%v/s_%v_%03d.ts'],
  ['v%v/a.m3u8', 'v%v/s_%v_%03d.ts'],
  ['a_%v.m3u8', 'parts/v%v/s_%03d.ts'],
  ['v%v/a.m3u8', 'w%v/s_%03d.ts'],
])('the playlists %s cannot have the segments %s', (output, sent) => {
  const result = planned(output, { c: 'copy', ...TWO, hls_segment_filename: sent });
  if (result.ok) expect.fail('The segments are accepted.');
  const [error, ...others] = result.errors;
  expect(others).toEqual([]);
  expect(error).toMatchObject({ field: `${P}/hls_segment_filename`, code: 'BAD_FILE_NAME' });
});

test.each<Row>([
  ['the playlist', 'x/a.m3u8', { hls_segment_filename: 'a.m3u8' }, ['NEEDS_COUNTER', 'SAME_NAME']],
  [
    'the playlist, by its path',
    'x/a.m3u8',
    { hls_segment_filename: '/srv/media/x/./a.m3u8' },
    ['NEEDS_COUNTER', 'SAME_NAME'],
  ],
  ['one file', 'a.m3u8', { hls_flags: 'single_file', hls_segment_filename: './a.m3u8' }, ['SAME_NAME']],
  ['one name for many segments', 'a.m3u8', { hls_segment_filename: 'a.ts' }, ['NEEDS_COUNTER']],
  [
    'one name for segments by size',
    'a.m3u8',
    { hls_segment_size: '20000', hls_segment_filename: 'a.ts' },
    ['NEEDS_COUNTER'],
  ],
  ['no variant in the name', 'a_%v.m3u8', { ...TWO, hls_segment_filename: 's%d.ts' }, ['NEEDS_VARIANT']],
])('segments of HLS: %s', (_what, output, parameters, codes) =>
  expect(findings(output, parameters)).toEqual(codes.map((code) => `${P}/hls_segment_filename ${code}`)),
);

test.each<Row>([
  [
    'the init segment as the playlist',
    'a.m3u8',
    { ...FMP4, hls_fmp4_init_filename: 'a.m3u8' },
    [`${P}/hls_fmp4_init_filename SAME_NAME`],
  ],
  [
    'the init segment as a media segment',
    'a.m3u8',
    { ...FMP4, hls_segment_filename: 's%d.m4s', hls_fmp4_init_filename: 's0.m4s' },
    [`${P}/hls_fmp4_init_filename SAME_NAME`],
  ],
  [
    'the init segment below the first counted segment',
    'a.m3u8',
    { ...FMP4, start_number: '1', hls_segment_filename: 's%d.m4s', hls_fmp4_init_filename: 's0.m4s' },
    [],
  ],
  ['an init segment that is not written', 'a.m3u8', { hls_fmp4_init_filename: 'a.m3u8' }, []],
  ['the default init segment', 'init.mp4', { ...FMP4, f: 'hls' }, ['/output SAME_NAME']],
  ['the default name of a single file', 'a.ts', { hls_flags: 'single_file', f: 'hls' }, ['/output SAME_NAME']],
  ['the master playlist', 'a.m3u8', { master_pl_name: 'a.m3u8' }, [`${P}/master_pl_name SAME_NAME`]],
  [
    'the master playlist as a segment',
    'a.m3u8',
    { hls_segment_filename: 's%d.ts', master_pl_name: 's0.ts' },
    [`${P}/master_pl_name SAME_NAME`],
  ],
  [
    'the master playlist as that of a variant',
    'a_%v.m3u8',
    { ...TWO, master_pl_name: 'a_1.m3u8' },
    [`${P}/master_pl_name SAME_NAME`],
  ],
  ['the master playlist above variant folders', 'v%v/a.m3u8', { ...TWO, master_pl_name: 'a.m3u8' }, []],
  ['variant folders with a folder in them', 'v%v/sub/a.m3u8', TWO, []],
  [
    'a master playlist that would be below variant folders',
    'v%v/sub/a.m3u8',
    { ...TWO, master_pl_name: 'm.m3u8' },
    ['/output BAD_FILE_NAME'],
  ],
  ['the variant in a folder and in the name', 'v%v/a_%v.m3u8', TWO, ['/output BAD_FILE_NAME']],
  ['the same without variants', 'v%v/a_%v.m3u8', {}, ['/output BAD_FILE_NAME']],
  [
    'the same in the names of the segments',
    'v%v/a.m3u8',
    { ...TWO, hls_segment_filename: 'v%v/s_%v_%03d.ts' },
    [`${P}/hls_segment_filename BAD_FILE_NAME`],
  ],
  [
    'init segments with the variant, in its folder',
    'v%v/a.m3u8',
    { ...TWO, ...FMP4, hls_fmp4_init_filename: 'i_%v.mp4' },
    [],
  ],
  [
    'init segments with the variant in a folder and in the name',
    'a_%v.m3u8',
    { ...TWO, ...FMP4, hls_fmp4_init_filename: 'x%v/i_%v.mp4' },
    [`${P}/hls_fmp4_init_filename BAD_FILE_NAME`],
  ],
  ['variants without names', 'a_%v.m3u8', { ...TWO, ...FMP4 }, []],
  [
    'one init segment for all variants',
    'a_%v.m3u8',
    { ...TWO, ...FMP4, hls_fmp4_init_filename: 'i.mp4' },
    [`${P}/hls_fmp4_init_filename NEEDS_VARIANT`],
  ],
  ['a counter after a percent sign', 'a.m3u8', { hls_segment_filename: 'x%%%d.ts' }, []],
  [
    'a percent sign that is not a counter',
    'a.m3u8',
    { hls_segment_filename: 'x%%03d.ts' },
    [`${P}/hls_segment_filename NEEDS_COUNTER`],
  ],
  ['a percent sign before the default counter', 'a%.m3u8', {}, ['/output NEEDS_COUNTER']],
  ['variants up to 10', 's%v.m3u8', { var_stream_map: numbered(11) }, []],
  ['variants 1 and 11 with the default counter', 's%v.m3u8', { var_stream_map: numbered(12) }, ['/output SAME_NAME']],
  [
    'a start number with a unit',
    'a.m3u8',
    { start_number: '1k', hls_segment_filename: 's%d.ts', master_pl_name: 's999.ts' },
    [],
  ],
  [
    'variant names that clash with segment numbers',
    'a_%v.m3u8',
    { 'c:v': 'libx264', var_stream_map: 'v:0,name:1 v:1,name:11', hls_segment_filename: 's%v%d.ts' },
    [`${P}/hls_segment_filename SAME_NAME`],
  ],
])('names of HLS: %s', (_what, output, parameters, expected) =>
  expect(findings(output, { c: 'copy', ...parameters }).filter((one) => !/NO_EFFECT/.test(one))).toEqual(expected),
);

test.each<Row>([
  ['the list as a segment', 'p%03d.mkv', { segment_list: 'p001.mkv' }, [`${P}/segment_list SAME_NAME`]],
  ['the list', 'p%03d.mkv', { segment_list: 'p.csv' }, []],
  ['the list below the first segment', 'p%d.mkv', { segment_start_number: '5', segment_list: 'p4.mkv' }, []],
  ['a name without a counter', 'p.mkv', {}, ['/output NEEDS_COUNTER']],
  ['a percent sign that is not a counter', 'p%%d.mkv', {}, ['/output NEEDS_COUNTER']],
  ['two counters', 'p%d_%d.mkv', {}, ['/output NEEDS_COUNTER']],
  ['by the date', 'p%s.mkv', { strftime: '1' }, [`warned ${P}/strftime SAME_NAME`]],
  ['a date without any letter', 'p.mkv', { strftime: '1' }, ['/output NEEDS_COUNTER']],
])('names of segments: %s', (_what, output, parameters, expected) =>
  expect(
    findings(output, { c: 'copy', f: 'segment', ...parameters }).filter((one) => !one.startsWith('warned /output')),
  ).toEqual(expected),
);

const I = `${P}/init_seg_name`;
const M = `${P}/media_seg_name`;
const MAPS = { map: ['0:v', '0:a'] };

test.each<Row>([
  ['the manifest as an init segment', 'a.mpd', { an: '', init_seg_name: 'a.mpd' }, [`${I} SAME_NAME`]],
  [
    'an init segment as a media segment',
    'a.mpd',
    { an: '', init_seg_name: 'm1.m4s', media_seg_name: 'm$Number$.m4s' },
    [`${M} SAME_NAME`],
  ],
  [
    'an init segment below the first media segment',
    'a.mpd',
    { an: '', init_seg_name: 'm0.m4s', media_seg_name: 'm$Number$.m4s' },
    [],
  ],
  ['segments without a number', 'a.mpd', { media_seg_name: 'm$RepresentationID$.m4s' }, [`${M} NEEDS_COUNTER`]],
  ['segments of two streams', 'a.mpd', { ...MAPS, media_seg_name: 'm$Number%05d$.m4s' }, [`${M} SAME_NAME`]],
  ['segments of an unknown number of streams', 'a.mpd', { media_seg_name: 'm$Number$.m4s' }, [`warned ${M} SAME_NAME`]],
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
      `${name}, which ffmpeg does not expand`,
      'a.mpd',
      { ...MAPS, init_seg_name: name },
      [`${I} SAME_NAME`],
    ],
  ),
  [
    'a width that ffmpeg does not accept',
    'a.mpd',
    { media_seg_name: 'm$RepresentationID$_$Number%3d$' },
    [`${M} NEEDS_COUNTER`],
  ],
  [
    'stream numbers next to segment numbers',
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
    'the HLS playlist as an init segment',
    'a.mpd',
    { an: '', hls_playlist: '1', init_seg_name: 'master.m3u8' },
    [`${I} SAME_NAME`],
  ],
  ['an HLS playlist that is not written', 'a.mpd', { an: '', hls_master_name: 'a.mpd' }, []],
])('names of DASH: %s', (_what, output, parameters, expected) =>
  expect(findings(output, { c: 'copy', ...parameters })).toEqual(expected),
);

test.each<[output: string, parameters: Parameters]>([
  ['x/a.m3u8', { hls_segment_filename: 'file-%Y%m%d-%s.ts' }],
  ['a.m3u8', { ...FMP4, hls_flags: 'delete_segments' }],
  ['x/cam_%Y-%m-%d_%H.ts', { f: 'segment' }],
])('the warning about dates in %s says how to count', (output, parameters) => {
  const result = planned(output, { strftime: '1', ...parameters });
  expect(result.ok && result.plan.warnings).toMatchObject([
    { code: 'SAME_NAME', message: expect.stringContaining('A counter ("%03d")') },
  ]);
});

const SECOND = { strftime: '1', hls_flags: 'second_level_segment_index' };

test.each<Row>([
  [
    'letters that expand to plain names',
    'a.m3u8',
    { strftime: '1', hls_segment_filename: '%Y%m%d_%F_%H%M%S_%s_%j.ts' },
    [`warned ${P}/strftime SAME_NAME`],
  ],
  ['a counter after the date', 'a.m3u8', { ...SECOND, hls_segment_filename: '%Y%m%d_%%04d.ts' }, []],
  [
    'all second-level counters',
    'a.m3u8',
    {
      strftime: '1',
      hls_flags: '+second_level_segment_index+second_level_segment_size+second_level_segment_duration',
      hls_segment_filename: '%F_%%04d_%%08s_%%013t.ts',
    },
    [],
  ],
  [
    'no second-level counter',
    'a.m3u8',
    { ...SECOND, hls_segment_filename: '%Y.ts' },
    [`${P}/hls_segment_filename NEEDS_COUNTER`],
  ],
  ['no second-level counter in the default name', 'a.m3u8', SECOND, [`${P}/hls_flags NEEDS_COUNTER`]],
  [
    'a second-level counter without a date',
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
    'a counter that strftime would expand',
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
    'a date in the init segment',
    'a.m3u8',
    { ...FMP4, ...SECOND, hls_segment_filename: '%s_%%d.m4s', hls_fmp4_init_filename: '%D.mp4' },
    [`${P}/hls_fmp4_init_filename BAD_FILE_NAME`],
  ],
  ['a single file', 'a.m3u8', { strftime: '1', hls_flags: 'single_file', hls_segment_filename: '%D.ts' }, []],
  ['strftime switched off', 'a.m3u8', { strftime: '0', hls_segment_filename: '%D%d.ts' }, []],
  ['segments', 'p%D.mkv', { strftime: '1', f: 'segment' }, ['/output BAD_FILE_NAME']],
  ['segments by the output’s name', 'p%D.m3u8', { strftime: '1' }, ['/output BAD_FILE_NAME']],
  ['pictures', 'p%T.png', { strftime: '1' }, ['/output BAD_FILE_NAME']],
  ['one picture', 'p%F.png', { strftime: '1', 'frames:v': '1' }, []],
])('names by the date: %s', (_what, output, parameters, expected) => {
  const copy = output.endsWith('png') ? {} : { c: 'copy' };
  expect(findings(output, { ...copy, ...parameters })).toEqual(expected);
});

test('the error about a clash names both files', () => {
  const result = planned('hls/film.m3u8', { hls_flags: 'single_file', hls_segment_filename: 'film.m3u8' });
  expect(result.ok ? [] : result.errors).toEqual([
    {
      field: '/parameters/hls_segment_filename',
      code: 'SAME_NAME',
      message: 'The segments and the playlist would both have the name "film.m3u8", so one would overwrite the other.',
      allowed: ['a name that no other file of the output has'],
    },
  ]);
  const dated = planned('a.m3u8', { strftime: '1', hls_segment_filename: 'x/at_%T.ts' });
  expect(dated.ok ? [] : dated.errors).toEqual([
    expect.objectContaining({ allowed: expect.arrayContaining(['%Y (year)']) }),
  ]);
});

test.each<Row>([
  [
    'a date in a folder of a variant',
    'q%v/%F/o.m3u8',
    { strftime: '1', strftime_mkdir: '1' },
    ['/output BAD_FILE_NAME'],
  ],
  [
    'a date that fills the path',
    `q%v/${'%F/'.repeat(365)}o.m3u8`,
    { strftime: '1' },
    ['/output BAD_FILE_NAME', '/output TOO_LONG'],
  ],
  [
    'the name of a month',
    `q%v/${'%B/'.repeat(448)}o.m3u8`,
    { strftime: '1' },
    ['/output BAD_FILE_NAME', '/output TOO_LONG'],
  ],
  ['years without slashes', `q%v/${'%Y'.repeat(60)}/o.m3u8`, { strftime: '1' }, ['/output BAD_FILE_NAME']],
  ['a counter in a folder of a variant', 'q%v/%03d/o.m3u8', {}, ['/output BAD_FILE_NAME']],
  ['a folder with a percent sign', 'q%v/50% off/o.m3u8', {}, []],
  ['a date in a folder that the client names', 'q/%F/o.m3u8', {}, []],
  [
    'a date that makes a name too long',
    'o.m3u8',
    { strftime: '1', hls_flags: 'second_level_segment_index', hls_segment_filename: `${'%F'.repeat(26)}%%d.ts` },
    [`${P}/hls_segment_filename TOO_LONG`],
  ],
  [
    'months that make a name too long',
    `${'%B'.repeat(29)}.png`,
    { f: 'image2', strftime: '1', 'frames:v': '1' },
    ['/output TOO_LONG'],
  ],
  ['months that fit', `${'%B'.repeat(27)}.png`, { f: 'image2', strftime: '1', 'frames:v': '1' }, []],
  [
    'a counter with a large width',
    'o.m3u8',
    { hls_segment_filename: 'x%0255d.ts' },
    [`${P}/hls_segment_filename TOO_LONG`],
  ],
  [
    'a date in the name of a variant',
    'q%v/o.m3u8',
    { var_stream_map: 'v:0,name:%B%B' },
    [`${P}/var_stream_map BAD_VALUE`],
  ],
])('names that ffmpeg makes longer: %s', (_what, output, parameters, expected) => {
  const map = output.includes('%v') && !('var_stream_map' in parameters) ? { var_stream_map: 'v:0,a:0,name:x' } : {};
  const copy = output.endsWith('png') ? {} : { c: 'copy' };
  const found = findings(output, { ...copy, ...map, ...parameters });
  expect(found.filter((one) => !one.startsWith('warned'))).toEqual(expected);
});

describe('variant names that make file names too long', () => {
  const map = (length: number) => `v:0,name:a v:1,name:${'b'.repeat(length)}`;
  const deep = `${'%v'.repeat(120)}/`.repeat(12);

  test.each<Row>([
    ['one name', 's%v.m3u8', { var_stream_map: map(249) }, []],
    ['one name that is a byte too long', 's%v.m3u8', { var_stream_map: map(250) }, ['/output TOO_LONG']],
    ['one name with two-byte letters', 'ä%v.m3u8', { var_stream_map: map(249) }, ['/output TOO_LONG']],
    [
      'segments at the limit',
      's%v.m3u8',
      { var_stream_map: map(50), hls_segment_filename: `${'%v'.repeat(5)}%d.ts` },
      [],
    ],
    [
      'segments over the limit',
      's%v.m3u8',
      { var_stream_map: map(50), hls_segment_filename: `${'%v'.repeat(6)}%d.ts` },
      [`${P}/hls_segment_filename TOO_LONG`],
    ],
    ['a path over the limit', `${'%v/'.repeat(20)}a.m3u8`, { var_stream_map: map(200) }, ['/output TOO_LONG']],
    [
      'names that would take gigabytes',
      `${deep}a.m3u8`,
      { var_stream_map: map(8000), hls_segment_filename: `${deep}%d.ts` },
      ['/output TOO_LONG'],
    ],
  ])('%s', (_what, output, parameters, expected) =>
    expect(findings(output, { c: 'copy', ...parameters })).toEqual(expected),
  );

  test('the error has the name and the limit', () => {
    const result = planned('s%v.m3u8', { c: 'copy', var_stream_map: map(300) });
    expect(result.ok ? [] : result.errors).toEqual([
      {
        field: '/output',
        code: 'TOO_LONG',
        message: `With the variant "${'b'.repeat(64)}…" as "%v", "s%v.m3u8" exceeds the limit of 255 bytes for a file name.`,
      },
    ]);
  });
});

test('the error about a clash of variants says so', () => {
  const result = planned('s%v.m3u8', { c: 'copy', var_stream_map: numbered(12) });
  expect(result.ok ? [] : result.errors).toMatchObject([
    {
      message: expect.stringMatching(
        /^The segments of two variants would both have the same name \("s1%d\.ts", "s11%d\.ts"\)/,
      ),
    },
  ]);
});

test('a picture with a dated name is not written under the literal pattern', () => {
  const result = planned('p%Y.png', { strftime: '1', 'frames:v': '1' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  expect(result.plan.passes[0]).not.toContain('-update');
  expect(result.plan.outputs[0]).toMatchObject({ logical: 'out/p%Y.png', dated: true });
});

test.each<readonly [output: string, parameters: Parameters, names: readonly string[]]>([
  ['a%v%v.m3u8', { var_stream_map: 'v:0,name:hi' }, ['ahihi.m3u8', 'ahihi0.ts']],
  ['a%v.m3u8', { var_stream_map: 'v:0,name:hi', hls_segment_filename: 's%v%v%d%d.ts' }, ['shihi00.ts']],
  ['a.mpd', { media_seg_name: '$Number$.$ext$$ext$' }, ['1.m4sm4s']],
])('the plan names the files of repeated patterns: %s', (output, parameters, names) => {
  const result = planned(output, parameters);
  for (const name of names)
    expect([name, result.ok && isPlannedName(result.plan.outputs[0]?.names ?? [], name)]).toEqual([name, true]);
});
