import { describe, expect, test } from 'vitest';
import type { ConversionRequest, OutputSpec, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { planOfOutput } from '../../packages/contract/src/domain/plan.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { errorCodesOf, errorsOf, wholePlan } from '../support/planning.ts';

const request = (outputs: readonly OutputSpec[], parameters: Parameters = {}): ConversionRequest => ({
  input: 'in.mp4',
  outputs,
  parameters,
});

const LADDER = request(
  [
    { output: 'l/720.mp4', parameters: { map: ['[hd]', '0:a'], 'b:v': '2M' } },
    { output: 'l/360.mp4', parameters: { map: ['[sd]', '0:a'], 'b:v': '600k' } },
  ],
  { filter_complex: '[0:v]split[x][y];[x]scale=-2:720[hd];[y]scale=-2:360[sd]', 'c:v': 'libx264', 'c:a': 'aac' },
);

/** The words of the argv from the first option of an output on. */
const outputWords = (argv: readonly string[] = []): string => argv.slice(argv.indexOf('-i') + 2).join(' ');

test('a ladder is one command that decodes once, with the options of each output before its name', () => {
  const plan = wholePlan(LADDER);
  expect(plan.passes).toHaveLength(1);
  expect(plan.passes[0]?.filter((word) => word === '-i')).toHaveLength(1);
  expect(outputWords(plan.passes[0])).toBe(
    '-filter_complex [0:v]split[x][y];[x]scale=w=-2:h=720[hd];[y]scale=w=-2:h=360[sd] ' +
      '-c:v libx264 -c:a aac -map [hd] -map 0:a -b:v 2M -f mp4 file:out/0/720.mp4 ' +
      '-c:v libx264 -c:a aac -map [sd] -map 0:a -b:v 600k -f mp4 file:out/1/360.mp4',
  );
  expect(plan.warnings).toEqual([]);
  expect(workloadOf(plan)).toEqual({ lane: 'full', weight: 200 });
});

test('each output has a folder, fields and an argv of its own', () => {
  const plan = wholePlan(LADDER);
  expect(plan.outputs).toMatchObject([
    { field: '/outputs/0/output', path: 'l/720.mp4', logical: 'out/0/720.mp4', subfolder: '0/', folders: ['out/0'] },
    {
      field: '/outputs/1/output',
      subfolder: '1/',
      fields: { 'b:v': '/outputs/1/parameters/b:v', 'c:v': '/parameters/c:v' },
    },
  ]);
  expect(outputWords(planOfOutput(plan, 1).passes[0])).not.toContain('720.mp4');
});

test('a single element has the command of an "output"', () => {
  const parameters = { 'c:v': 'libx264', crf: '30' };
  const one = wholePlan(request([{ output: 'b.mp4', parameters }]));
  expect(one.passes).toEqual(wholePlan({ input: 'in.mp4', output: 'b.mp4', parameters }).passes);
  expect(one.outputs).toMatchObject([{ field: '/outputs/0/output', logical: 'out/b.mp4', subfolder: '' }]);
});

test('own options replace shared ones, whatever their names, and an own format replaces "f"', () => {
  const plan = wholePlan(
    request(
      [
        { output: 'a.mp4', parameters: { vcodec: 'mpeg4' } },
        { output: 'b', format: 'matroska' },
      ],
      {
        'c:v': 'libx264',
        f: 'mp4',
      },
    ),
  );
  expect(outputWords(plan.passes[0])).toBe('-c:v mpeg4 -f mp4 file:out/0/a.mp4 -c:v libx264 -f matroska file:out/1/b');
});

test('options of the run are repeated once, input options apply to the inputs, and others to each output', () => {
  const plan = wholePlan(
    request([{ output: 'a.mp4' }, { output: 'b.mkv' }], { y: '', accurate_seek: '', t: '5', map_metadata: '-1' }),
  );
  const [argv = []] = plan.passes;
  expect(argv.filter((word) => word === '-accurate_seek')).toHaveLength(1);
  expect(argv.indexOf('-accurate_seek')).toBeLessThan(argv.indexOf('-i'));
  expect(argv.filter((word) => word === '-t')).toHaveLength(2);
  expect(plan.outputs.map(({ replace }) => replace)).toEqual([true, true]);
});

test('segments of an output are named in its folder, and published beside its playlist', () => {
  const plan = wholePlan(
    request([
      { output: 'x/hd.m3u8', parameters: { hls_segment_filename: 'hd/%03d.ts' } },
      { output: 'x/sd.m3u8', parameters: { hls_segment_filename: 'sd/%03d.ts' } },
    ]),
  );
  expect(plan.outputs).toMatchObject([{ folder: 'x/', folders: ['out/0', 'out/0/hd'] }, { folder: 'x/' }]);
  expect(outputWords(plan.passes[0])).toContain('-hls_segment_filename out/1/sd/%03d.ts');
});

test('each output can have filters of its own', () => {
  const plan = wholePlan(
    request([
      { output: 'a.mp4', parameters: { vf: 'hflip' } },
      { output: 'b.mp4', parameters: { vf: 'scale=320:-2' } },
    ]),
  );
  expect(outputWords(plan.passes[0])).toContain('-filter:v scale=w=320:h=-2 -f mp4 file:out/1/b.mp4');
});

test('subtitles that only one output burns in are no input of the others', () => {
  const plan = wholePlan({
    inputs: ['in.mp4', 'en.srt', 'de.srt'],
    outputs: [
      { output: 'en.mp4', parameters: { vf: 'subtitles=en.srt' } },
      { output: 'de.mp4', parameters: { vf: 'subtitles=de.srt' } },
    ],
  });
  expect(plan.passes[0]?.filter((word) => word === '-i')).toHaveLength(1);
});

describe('errors and warnings have the field of the request', () => {
  const two = (first: Parameters, second: Parameters = {}, shared: Parameters = {}): ConversionRequest =>
    request(
      [
        { output: 'a.mp4', parameters: first },
        { output: 'b.mp4', parameters: second },
      ],
      shared,
    );

  test.each<[string, ConversionRequest, readonly string[]]>([
    ['a wrong value of one output', two({}, { crf: 'high' }), ['/outputs/1/parameters/crf BAD_VALUE']],
    ['a wrong shared value, once', two({}, {}, { 'c:v': 'h265x' }), ['/parameters/c:v UNKNOWN_ENCODER']],
    ['a path', request([{ output: 'a.mp4' }, { output: '../b.mp4' }]), ['/outputs/1/output OUTSIDE_ROOT']],
    ['a format', request([{ output: 'a.mp4' }, { output: 'b', format: 'mp44' }]), ['/outputs/1/format UNKNOWN_FORMAT']],
    ['no format', request([{ output: 'a.mp4' }, { output: 'b' }]), ['/outputs/1/output UNKNOWN_FORMAT']],
    [
      'an output that is an input',
      request([{ output: 'b.mp4' }, { output: 'in.mp4' }]),
      ['/outputs/1/output OUTPUT_IS_INPUT'],
    ],
    [
      'a filtergraph in an output',
      two({ filter_complex: '[0:v]hflip[v]' }),
      ['/outputs/0/parameters/filter_complex WRONG_SIDE'],
    ],
    ['"y" in an output', two({}, { y: '' }), ['/outputs/1/parameters/y WRONG_SIDE']],
    ['an input option in an output', two({ itsoffset: '1' }), ['/outputs/0/parameters/itsoffset WRONG_SIDE']],
    ['two passes', two({}, {}, { pass: '2', 'b:v': '1M' }), ['/parameters/pass BAD_PASS']],
    ['two passes of one of them', two({}, { pass: '2', 'b:v': '1M' }), ['/outputs/1/parameters/pass WRONG_SIDE']],
    [
      'an element that keeps and replaces its output',
      two({}, { n: '' }, { y: '' }),
      ['/outputs/1/parameters/n EXCLUSIVE'],
    ],
    [
      'a label that no output maps',
      two({ map: '0:v' }, {}, { filter_complex: '[0:v]hflip[v]' }),
      ['/parameters/filter_complex UNUSED_LABEL'],
    ],
    [
      'a label that two outputs map',
      two({ map: '[v]' }, { map: '[v]' }, { filter_complex: '[0:v]hflip[v]' }),
      ['/outputs/1/parameters/map LABEL_TWICE'],
    ],
    [
      'a filtergraph without a label',
      two({ map: '0:v' }, {}, { filter_complex: '[0:v]hflip' }),
      ['/parameters/filter_complex NEEDS_LABEL'],
    ],
    [
      'an unknown label',
      two({ map: '[w]' }, { map: '[v]' }, { filter_complex: '[0:v]hflip[v]' }),
      ['/outputs/0/parameters/map UNKNOWN_LABEL'],
    ],
    [
      'two outputs with one path',
      request([{ output: 'a/b.mp4' }, { output: 'a//b.mp4' }]),
      ['/outputs/1/output SAME_OUTPUT'],
    ],
    [
      'an output that is a folder of another',
      request([{ output: 'x.mp4/b.mp4' }, { output: 'x.mp4' }]),
      ['/outputs/1/output SAME_OUTPUT'],
    ],
    [
      'segments with the same names',
      request([{ output: 'a.m3u8' }, { output: 'b.m3u8' }], { hls_segment_filename: 's%03d.ts' }),
      ['/outputs/1/output SAME_OUTPUT'],
    ],
    [
      'a picture that another output counts to',
      request([{ output: 'f%d.png' }, { output: 'f7.png', parameters: { 'frames:v': '1' } }]),
      ['/outputs/1/output SAME_OUTPUT'],
    ],
    [
      'an option that belongs to the inputs of one and to the other itself',
      {
        input: 'a.png',
        outputs: [{ output: 'a.gif' }, { output: 'b.mp4', parameters: { t: '2' } }],
        parameters: { loop: '1' },
      },
      ['/parameters/loop WRONG_SIDE'],
    ],
  ])('%s', (_, sent, errors) => {
    expect(errorCodesOf(sent)).toEqual(errors);
  });

  test('outputs in different places', () => {
    const grants = [{ bucket: 'films', prefix: '', access: 'readWrite' as const }];
    const sent = request([{ output: 'a.mp4' }, { output: 's3://films/b.mp4' }]);
    expect(errorCodesOf(sent, { grants })).toEqual(['/outputs/1/output SEVERAL_STORES']);
  });

  test('a slideshow has one output', () => {
    const inputs = [
      { input: 'a.png', duration: '2' },
      { input: 'b.png', duration: '2' },
    ];
    expect(errorCodesOf({ inputs, outputs: [{ output: 'a.mp4' }, { output: 'b.webm' }] })).toEqual([
      '/outputs ONE_OUTPUT_ONLY',
    ]);
  });

  test('a shared option that only one output rejects names that output', () => {
    const sent = request([{ output: 'a.mp4' }, { output: 'b.webm' }], { 'c:v': 'libx264', 'c:a': 'aac' });
    const [found] = wholePlan(sent).warnings;
    expect(found).toMatchObject({
      field: '/parameters/c:v',
      code: 'CODEC_NOT_HELD',
      message: expect.stringContaining('For the output "b.webm": '),
    });
  });

  test('what one output does not use, and another does, is no warning', () => {
    const sent: ConversionRequest = {
      inputs: ['in.mp4', 'b.flac'],
      outputs: [
        { output: 'a.mp4', parameters: { map: '0:v' } },
        { output: 'b.m4a', parameters: { map: '1:a' } },
      ],
      parameters: { 'c:v': 'libx264', 'c:a': 'aac' },
    };
    expect(wholePlan(sent).warnings).toEqual([]);
  });

  test('rejects a label that two outputs map, and names the filters that copy a stream', () => {
    const sent = two({ map: '[v]' }, { map: '[v]' }, { filter_complex: '[0:v]hflip[v]' });
    expect(errorsOf(sent)).toMatchObject([
      { code: 'LABEL_TWICE', message: expect.stringContaining('"split" and "asplit" copy a stream') },
    ]);
    const copied = two({ map: '[v]' }, { map: '[v_2]' }, { filter_complex: '[0:v]hflip,split[v][v_2]' });
    expect(errorsOf(copied)).toEqual([]);
  });
});
