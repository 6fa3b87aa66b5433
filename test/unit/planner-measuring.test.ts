import { describe, expect, test } from 'vitest';
import { INPUT_FORMATS } from '../../packages/ffmpeg/src/allowlist/input-formats.ts';
import { errorCodesOf, errorsOf, requestWith, validPlan } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

/** The arguments before the output, up to the input. */
const HEAD = new RegExp(`^-nostdin .* -format_whitelist ${INPUT_FORMATS} -i file:in/0.mp4 `);

const passesOf = (parameters: Record<string, string | readonly string[]>, output = 'b.m4a'): readonly string[] =>
  validPlan(requestWith(parameters, output)).passes.map((words) => words.join(' ').replace(HEAD, ''));

const MEASURED = 'measured_I=INPUT_I:measured_LRA=INPUT_LRA:measured_TP=INPUT_TP:measured_thresh=INPUT_THRESH';
const AFTER = 'volume=volume=GAIN,aformat=sample_rates=SOURCE_RATE';
const SCAN = 'ebur128=metadata=1';
const PROBE = 'volume=volume=3dB,alimiter=limit=';
const print = (index: number, key: string, fact: string): string =>
  `ametadata=mode=print:key=lavfi.r128.${key}:file=pass/loudnorm-${index}-${fact}.txt`;

/** What the first pass makes of a `loudnorm`. */
const measuring = (loudnorm: string, index = 0): string =>
  [
    ...['aresample=async=1', 'ametadata=mode=delete', `${SCAN}:peak=true`],
    ...[print(index, 'I', 'input_i'), print(index, 'LRA', 'input_lra')],
    ...[print(index, 'true_peak', 'input_tp'), loudnorm, SCAN, print(index, 'I', 'output_i')],
    `asplit[loudnorm-${index}-limited],[loudnorm-${index}-probed]astreamselect=inputs=2:map=1`,
  ].join(',');

/** What it measures beside that, in chains of its own. `limit`: the highest true peak as a factor. */
const probed = (index = 0, limit = '0.794328'): string =>
  [
    `;[loudnorm-${index}-limited]${PROBE}${limit}:level=0:latency=1`,
    ...[SCAN, `${print(index, 'I', 'limited_i')}[loudnorm-${index}-probed]`],
  ].join(',');

describe('loudnorm', () => {
  test('alone, runs the one pass that ffmpeg makes of it', () => {
    expect(passesOf({ af: 'loudnorm=I=-16' })).toEqual(['-filter:a loudnorm=I=-16 -f ipod file:out/b.m4a']);
  });

  test('with "pass": "2", measures first, and then fills in what was measured, at the sample rate of the source', () => {
    expect(passesOf({ af: 'volume=2,loudnorm=I=-16', 'c:a': 'aac', pass: '2' })).toEqual([
      `-filter:a volume=volume=2,${measuring('loudnorm=I=-16')}${probed()} -c:a aac -c:v copy -sn -dn -f null -`,
      `-filter:a volume=volume=2,loudnorm=I=-16:${MEASURED},${AFTER} -c:a aac -f ipod file:out/b.m4a`,
    ]);
  });

  test('of a film without a bit rate, measures the sound alone: the picture is not decoded, and encoded once', () => {
    const parameters = { 'c:v': 'libx264', crf: '23', vf: 'scale=64:48', af: 'loudnorm', pass: '2' };
    const [first, second] = passesOf(parameters, 'b.mp4');
    expect(first).toBe(`-crf 23 -filter:a ${measuring('loudnorm')}${probed()} -c:v copy -c:a aac -sn -dn -f null -`);
    expect(second).toMatch(/^-c:v libx264 -crf 23 -filter:v scale=w=64:h=48 -filter:a loudnorm=measured_I=.* -f mp4 /);
    expect(second).not.toContain('-pass 2');
  });

  test('of a film with a bit rate, both encode and measure twice', () => {
    const [first, second] = passesOf({ 'c:v': 'libx264', 'b:v': '1M', af: 'loudnorm', pass: '2' }, 'b.mp4');
    expect(first).toBe(
      `-c:v libx264 -b:v 1M -filter:a ${measuring('loudnorm')}${probed()} -pass 1 -passlogfile pass/log -sn -y -f mp4 file:/dev/null`,
    );
    expect(second).toBe(
      `-c:v libx264 -b:v 1M -filter:a loudnorm=${MEASURED},${AFTER} -pass 2 -passlogfile pass/log -f mp4 file:out/b.mp4`,
    );
  });

  test('in "filter_complex", each filter is measured by itself, and labels stay', () => {
    const graph = '[0:a]loudnorm=I=-16[a];[1:a]loudnorm=I=-20:dual_mono=true[b];[a][b]amix[o]';
    const { passes, measuring: found } = validPlan({
      ...{ inputs: ['a.mp4', 'b.mp4'], output: 'b.wav' },
      parameters: { filter_complex: graph, map: '[o]', pass: '2' },
    });
    expect(found).toEqual({ loudnorm: Array(2).fill('/parameters/filter_complex'), stabilized: [], cropped: [] });
    const second = measuring('loudnorm=I=-20:dual_mono=true', 1).replaceAll(SCAN, `${SCAN}:dualmono=true`);
    const probes = `${probed()}${probed(1).replace(SCAN, `${SCAN}:dualmono=true`)}`;
    expect(passes[0]).toContain(`[0:a]${measuring('loudnorm=I=-16')}[a];[1:a]${second}[b];[a][b]amix[o]${probes}`);
    expect(passes[1]).toContain(
      `[0:a]loudnorm=I=-16:${MEASURED},${AFTER}[a];` +
        `[1:a]loudnorm=I=-20:dual_mono=true:${MEASURED},${AFTER}[b];[a][b]amix[o]`,
    );
  });

  test.each([
    [{ 'b:a': '96k' }, 0.45],
    [{}, 0.45],
    [{ 'b:a': '192k' }, 0.26],
    [{ 'b:a': '224k' }, 0.18],
    [{ 'b:a': '320k' }, undefined],
    [{ 'q:a': '2' }, undefined],
    [{ 'c:a': 'aac', 'b:a': '96k' }, undefined],
  ])('makes up for an encoder that writes the sound softer: %j', (parameters, encoderGain) => {
    const all = { af: 'loudnorm', pass: '2', vn: '', ...parameters };
    const output = 'c:a' in parameters ? 'b.m4a' : 'b.mp3';
    expect(validPlan(requestWith(all, output)).measuring?.encoderGain).toBe(encoderGain);
  });

  test('measures only the part that the output has, because ffmpeg trims after the filters', () => {
    for (const argv of passesOf({ ss: '5', t: '10', af: 'loudnorm', pass: '2' }))
      expect(argv).toContain('-filter:a atrim=start=5:duration=10,');
  });

  test.each([
    { af: 'loudnorm,atempo=2', t: '10' },
    { af: 'loudnorm,areverse', t: '10' },
    { filter_complex: '[0:a]loudnorm[x];[0:a]loudnorm[y];[x][y]concat=n=2:v=0:a=1[o]', map: '[o]', ss: '60' },
    { af: 'asplit[x][y];[x]loudnorm[l];[y]areverse[r];[l][r]amerge', t: '10' },
  ])('cuts no sound where the output has other times than "loudnorm": %j', (parameters) => {
    for (const argv of passesOf({ ...parameters, pass: '2' })) expect(argv).not.toContain('atrim');
  });

  test('measures only the part that the output has, also before filters that keep its times', () => {
    for (const argv of passesOf({ t: '10', af: 'loudnorm,aresample=48000,afade=t=in:d=1', pass: '2' }))
      expect(argv).toContain('-filter:a atrim=duration=10,');
  });

  test.each([
    ['a picture', '[0:v]reverse[v];[0:a]loudnorm[a]', ['[v]', '[a]']],
    ['sounds that were joined before', '[0:a][0:a]concat=n=2:v=0:a=1[x];[x]loudnorm[a]', ['[a]']],
    ['filters that keep its times', '[0:a]loudnorm,asplit[x][y];[x]volume=2[a];[y]lowpass[b]', ['[a]', '[b]']],
  ])('measures only the part that the output has, beside other chains: %s', (_what, graph, map) => {
    for (const argv of passesOf({ t: '10', filter_complex: graph, map, pass: '2' }, 'b.mkv'))
      expect(argv).toMatch(/\]atrim=duration=10,(?:aresample=async=1,ametadata|asettb=expr=1\/sr,loudnorm|loudnorm)/);
  });

  test('with measured values of the client, is not measured again', () => {
    const parameters = { af: 'loudnorm=I=-16:measured_i=-20', 'c:v': 'libx264', 'b:v': '1M', pass: '2' };
    expect(validPlan(requestWith(parameters)).measuring).toBeUndefined();
  });
});

describe('vidstabtransform', () => {
  test('detects the motion in a first pass, into a file of the service', () => {
    expect(
      passesOf({ vf: 'vidstabtransform=smoothing=30,unsharp', 'c:v': 'libx264', crf: '20', pass: '2' }, 'b.mp4'),
    ).toEqual([
      '-filter:v vidstabdetect=result=pass/motion-0.trf,unsharp -crf 20 -c:a aac -sn -dn -f null -',
      '-filter:v vidstabtransform=input=pass/motion-0.trf:smoothing=30,unsharp -c:v libx264 -crf 20 -f mp4 file:out/b.mp4',
    ]);
  });

  test('detects as a vidstabdetect before it says, also beside a measured sound', () => {
    const parameters = {
      filter_complex: '[0:v]vidstabdetect=shakiness=8,vidstabtransform[v];[0:a]loudnorm[a]',
      ...{ map: ['[v]', '[a]'], pass: '2' },
    };
    const [first, second] = passesOf(parameters, 'b.mkv');
    expect(first).toContain(
      `[0:v]vidstabdetect=result=pass/motion-0.trf:shakiness=8[v];[0:a]${measuring('loudnorm')}[a]`,
    );
    expect(second).toContain(`[0:v]vidstabtransform=input=pass/motion-0.trf[v];[0:a]loudnorm=${MEASURED},${AFTER}[a]`);
  });

  test.each([
    ['one pass', { vf: 'vidstabtransform' }, 'NEEDS_TWO_PASSES'],
    ['a file of the client to read', { vf: 'vidstabtransform=input=/etc/passwd', pass: '2' }, 'OPTION_NOT_ALLOWED'],
    [
      'a file of the client to write',
      { vf: 'vidstabdetect=result=x.trf,vidstabtransform', pass: '2' },
      'OPTION_NOT_ALLOWED',
    ],
    ['a file of its motions', { vf: 'vidstabtransform=debug=1', pass: '2' }, 'OPTION_NOT_ALLOWED'],
    ['a detector alone', { vf: 'vidstabdetect', pass: '2' }, 'FILTER_NOT_ALLOWED'],
    [
      'a detector before another filter',
      { vf: 'vidstabdetect,scale=64:48,vidstabtransform', pass: '2' },
      'FILTER_NOT_ALLOWED',
    ],
  ])('is rejected with %s', (_what, parameters, code) => {
    expect(errorCodesOf(requestWith(parameters))).toEqual([`/parameters/vf ${code}`]);
  });

  test('is rejected where the build lacks it, with the filter that needs one pass', () => {
    const whole = recordedCatalogue();
    const filters = new Map([...whole.lists.filters].filter(([name]) => !name.startsWith('vidstab')));
    const catalogue = { ...whole, lists: { ...whole.lists, filters } };
    expect(errorsOf(requestWith({ vf: 'vidstabtransform', pass: '2' }), { catalogue })).toEqual([
      expect.objectContaining({ code: 'UNKNOWN_FILTER', fix: expect.stringContaining('deshake') }),
    ]);
  });
});
