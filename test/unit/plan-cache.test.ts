import { expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { BucketGrant } from '../../packages/contract/src/domain/media-root.ts';
import { planCache, requestShape } from '../../packages/ffmpeg/src/plan/plan-cache.ts';
import { outputSeconds, workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE, MEDIA_ROOT, planRequest } from '../support/planning.ts';
import { sampled } from '../support/sampled.ts';

const INPUTS = [
  'a.mp4',
  'b.mp4',
  '/srv/media/a.mp4',
  'a.srt',
  'sub/b.srt',
  'a.png',
  'a%03d.png',
  'a.7z',
  'a',
  '../a.mp4',
];
const OUTPUTS = [
  'a.mp4',
  'x/y.mp4',
  'b.m3u8',
  'hls/a.m3u8',
  'x%v.m3u8',
  'x.gif',
  'x.GIF',
  'x%d.png',
  'x.mpd',
  'secret.mpd',
  'b',
  'x.ünï',
  '',
];

/** Options that name no file. */
const ORDINARY: readonly Parameters[] = [
  {},
  { 'c:v': 'libx264', 'b:v': '1M', 'c:a': 'aac' },
  { c: 'copy' },
  { crf: '23', vf: 'scale=640:-2', map: ['0:v'] },
  { 'c:v': 'libx264', 'b:v': '1M', pass: '2' },
  { framerate: '5', start_number: '1' },
  { loop: '1', t: '1.5' },
  { pattern_type: 'glob', framerate: '5' },
  { t: '5', to: '6', y: '' },
  { 'c:v': 'libx264', 'q:v': '2', crf: '20', 'b:v': '1M' },
];
/** Invalid options, and options whose plan depends on file names. */
const OTHERS: readonly Parameters[] = [
  { nope: '1' },
  { map: ['7:v'] },
  { vf: 'subtitles=a' },
  { vf: 'subtitles=a.srt' },
  { vf: "subtitles='a'.srt" },
  { vf: 'subtitles=a\\.srt' },
  { filter_complex: 'movie=a.png[x];[0:v][x]overlay' },
  { hls_segment_filename: '/hls/s%d.ts' },
  { var_stream_map: 'v:0 a:0', master_pl_name: 'b.m3u8' },
  // The fix of its warning contains the name of the output.
  { init_seg_name: 'x' },
];
// The warnings about "h264" for an MP4 name the output.
const FORMATS = sampled([undefined, 'hls', 'h264', 'gif', 'nope'], 2);

/** Requests with these options, for each input and each output. */
const requests = (parameters: Parameters, format: string | undefined): ConversionRequest[] =>
  INPUTS.flatMap((input) =>
    OUTPUTS.map((output) => ({ input, output, parameters, ...(format === undefined ? {} : { format }) })),
  );

test.each([...ORDINARY, ...OTHERS])(
  'with %j, a request of a known shape gets the paths and warnings of its plan',
  (parameters) => {
    let hits = 0;
    for (const format of FORMATS) {
      const all = sampled(requests(parameters, format), 3);
      const results = all.map((second) => {
        const shape = requestShape(second, { scope: mediaRoot(MEDIA_ROOT) });
        return { second, shape, result: planRequest(second) };
      });
      for (const { second: first, result: firstResult } of sampled(results, 6)) {
        const firstShape = requestShape({ ...first, llmId: 'one' }, { scope: mediaRoot(MEDIA_ROOT) });
        if (!firstResult.ok || firstShape === undefined) continue;
        const cache = planCache();
        cache.add(firstShape, [CATALOGUE], firstResult.plan, ['encoder:libx264']);
        for (const { second, shape, result } of results) {
          const known = shape && cache.get(shape, [CATALOGUE]);
          if (known === undefined) continue;
          hits += 1;
          const paths = result.ok && {
            output: { field: '/output', path: result.plan.outputs[0]?.path },
            inputs: result.plan.inputs.map(({ path, field }) => ({ path, field })),
          };
          const shared = result.ok && {
            replace: result.plan.outputs[0]?.replace,
            sequence: result.plan.inputs[0]?.sequence,
            warnings: result.plan.warnings,
            requirements: { ...workloadOf(result.plan), needs: ['encoder:libx264'] },
            seconds: outputSeconds(result.plan),
          };
          expect({ first, second, paths: shape?.paths, ...known }).toEqual({ first, second, paths, ...shared });
        }
        expect(cache.get(firstShape, [{ ...CATALOGUE }])).toBeUndefined();
        expect(cache.get(firstShape, [CATALOGUE, { ...CATALOGUE }])).toBeUndefined();
      }
    }
    expect(hits > 0).toBe(ORDINARY.includes(parameters));
  },
);

test('a known shape allows no bucket that the client may not use', () => {
  const request: ConversionRequest = { input: 's3://footage/a.mp4', output: 'b.mp4', parameters: {} };
  const shapeFor = (grants: readonly BucketGrant[]) => requestShape(request, { scope: mediaRoot(MEDIA_ROOT, grants) });
  const granted = [{ bucket: 'footage', prefix: '', access: 'read' }] as const;
  expect(shapeFor(granted)?.paths.inputs[0]?.path).toBe('s3://footage/a.mp4');
  expect(shapeFor([])).toBeUndefined();
});

test('a worker with another ffmpeg empties the cache, because it may change every plan', () => {
  const shapeTo = (output: string) => {
    const request: ConversionRequest = { input: 'a.mp4', output, parameters: {} };
    const [shape, result] = [requestShape(request, { scope: mediaRoot(MEDIA_ROOT) }), planRequest(request)];
    if (shape === undefined || !result.ok) throw new Error(`${output} cannot be cached.`);
    return { shape, plan: result.plan };
  };
  const [before, after] = [shapeTo('b.mp4'), shapeTo('b.mkv')];
  const both = [CATALOGUE, { ...CATALOGUE }];
  const cache = planCache();
  cache.add(before.shape, [CATALOGUE], before.plan, []);
  expect(cache.get(before.shape, [CATALOGUE])).toBeDefined();
  cache.add(after.shape, both, after.plan, []);
  expect(cache.get(after.shape, both)).toBeDefined();
  expect(cache.get(before.shape, both)).toBeUndefined();
});
