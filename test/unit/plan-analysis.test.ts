import { expect, test } from 'vitest';
import type { AnalysisSpec } from '../../packages/contract/src/domain/analysis.ts';
import { planAnalysis } from '../../packages/ffmpeg/src/plan/analysis/plan-analysis.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { mediaRoot } from '../support/media-root.ts';
import { MEDIA_ROOT } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const OLD = recordedCatalogue('5.1');
const NEW = recordedCatalogue('7.1');
const scope = mediaRoot(MEDIA_ROOT);

const planned = (analysis: AnalysisSpec, catalogues = [OLD], input = 'a.mkv') =>
  planAnalysis({ input, analysis }, catalogues, { scope });

function valid(analysis: AnalysisSpec) {
  const result = planned(analysis);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.plan;
}

test('decodes once for several measurements, and discards the frames', () => {
  const [argv = [], ...others] = valid({ measure: ['black', 'silence'], ss: '5', t: '2' }).passes;
  expect(others).toEqual([]);
  const text = argv.join(' ');
  expect(text).toContain(' -ss 0 -itsoffset -5 -t 2 -protocol_whitelist file -format_whitelist ');
  expect(text).toContain('[0:V:0]split=1[v0];[v0]metadata=mode=delete,blackdetect=d=2:pic_th=0.98:pix_th=0.1,');
  // What silencedetect found is printed before blocks are joined, which lose it.
  expect(text).toMatch(
    /;\[0:a:0\]ametadata=mode=delete,.*,asetnsamples=n=240:p=0,silencedetect=noise=-60dB:duration=2,.*silence_end\.txt,asetnsamples=n=4800/,
  );
  expect(text).toMatch(/ -map \[o0\] -map \[s\] -fps_mode passthrough -f null -$/);
});

test('reads the stream of the other kind too, so that times count from the start of the file', () => {
  const argv = (analysis: AnalysisSpec): string => valid(analysis).passes.flat().join(' ');
  expect(argv({ measure: ['silence'] })).toMatch(/ -map \[s\] -map 0:V:0\? -c:v copy -fps_mode /);
  expect(argv({ measure: ['black'] })).toMatch(/ -map \[o0\] -map 0:a:0\? -c:a copy -fps_mode /);
});

test('lists packets without decoding', () => {
  const { passes, analysis } = valid({ measure: ['bitrate'] });
  expect(passes).toEqual([]);
  expect(analysis?.packets?.join(' ')).toMatch(/ -protocol_whitelist file -format_whitelist \S+ -i file:in\/0\.mkv$/);
});

test.each([
  ['of sound', { measure: ['loudness', 'keyframes'] }, 50],
  ['of packets', { measure: ['bitrate'] }, 25],
  ['of pictures', { measure: ['crop'] }, 100],
  ['of errors', { measure: ['errors'] }, 100],
  ['against a reference', { measure: ['ssim'], reference: 'b.mkv' }, 100],
] as const)('a measurement %s waits for no conversion, and weighs what it decodes', (_what, analysis, weight) => {
  expect(workloadOf(valid(analysis))).toEqual({ lane: 'light', weight });
});

test('a measurement that no build has is rejected, and one that some have needs a worker with it', () => {
  const analysis: AnalysisSpec = { measure: ['ssim', 'xpsnr'], reference: 'b.mkv' };
  expect(planned(analysis)).toEqual({
    ok: false,
    errors: [
      expect.objectContaining({
        ...{ field: '/measure/1', code: 'UNKNOWN_FILTER' },
        message: expect.stringMatching(/cannot measure "xpsnr".*It can measure "ssim"\.$/),
      }),
    ],
  });
  expect(planned({ measure: ['loudness', 'vmaf'], reference: 'b.mkv' })).toMatchObject({
    errors: [{ field: '/measure/1', message: expect.stringContaining('cannot measure "vmaf"') }],
  });
  expect(planned(analysis, [OLD, NEW])).toMatchObject({ ok: true, needs: ['filter:xpsnr'] });
  expect(planned({ measure: ['vmaf'], reference: 'b.mkv' }, [OLD, NEW])).toMatchObject({
    ok: false,
    errors: [{ field: '/measure/0', message: expect.stringContaining('libvmaf') }],
  });
});

test.each([
  ['a comparison without a reference', { measure: ['psnr'] }, 'a.mkv', '/reference MISSING'],
  ['a reference without a comparison', { measure: ['crop'], reference: 'b.mkv' }, 'a.mkv', '/reference NO_EFFECT'],
  [
    'settings of what is not measured',
    { measure: ['silence'], settings: { silence: { minSeconds: 1 }, black: { share: 0.9 } } },
    'a.mkv',
    '/settings/black NO_EFFECT',
  ],
  ['a path outside', { measure: ['crop'] }, '../a.mkv', '/input OUTSIDE_ROOT'],
  ['a reference outside', { measure: ['ssim'], reference: '../b.mkv' }, 'a.mkv', '/reference OUTSIDE_ROOT'],
] as const)('rejects %s', (_what, analysis, input, error) => {
  const result = planned(analysis, [OLD], input);
  expect(result.ok ? [] : result.errors.map(({ field, code }) => `${field} ${code}`)).toEqual([error]);
});
