import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { offerOf, withoutVmaf } from '../../packages/ffmpeg/src/catalogue/changed-catalogue.ts';
import { decodeCatalogue, encodeCatalogue } from '../../packages/ffmpeg/src/catalogue/serialized-catalogue.ts';
import { withUsableVmaf } from '../../packages/ffmpeg/src/catalogue/vmaf-model.ts';
import { planAnalysis } from '../../packages/ffmpeg/src/plan/analysis/plan-analysis.ts';
import { mediaRoot } from '../support/media-root.ts';
import { withFilters } from '../support/more-filters.ts';
import { errorsOf, MEDIA_ROOT, planForAll } from '../support/planning.ts';

const WITH_MODEL = withFilters('libvmaf');
const NO_MODEL = withoutVmaf(WITH_MODEL);

const REQUEST: ConversionRequest = { input: 'a.mov', output: 'b.mp4', parameters: {}, quality: { target: 95 } };
const LADDER: ConversionRequest = { input: 'a.mov', output: 'b.m3u8', parameters: {}, ladder: { target: 95 } };

test.each([
  ['quality', REQUEST, '/quality/target'],
  ['ladder', LADDER, '/ladder/target'],
] as const)('rejects VMAF in %s if libvmaf has no model', (_what, request, field) => {
  const errors = errorsOf(request, { catalogue: NO_MODEL });
  expect(errors.map((one) => `${one.field}: ${one.message}`)).toEqual([
    `${field}: The installed ffmpeg cannot measure VMAF: its libvmaf was built without a model.`,
  ]);
});

test('rejects an analysis that measures VMAF if libvmaf has no model, and says what can be measured', () => {
  const analysis = { measure: ['ssim', 'vmaf'], reference: 'b.mov' } as const;
  const scope = mediaRoot(MEDIA_ROOT);
  expect(planAnalysis({ input: 'a.mov', analysis }, [NO_MODEL], { scope })).toMatchObject({
    ok: false,
    errors: [
      {
        field: '/measure/1',
        message:
          'The installed ffmpeg cannot measure "vmaf": its libvmaf was built without a model. It can measure "ssim".',
      },
    ],
  });
});

test('a job that measures VMAF goes to a worker whose libvmaf has a model, also if another has the same ffmpeg', () => {
  const { result, needs } = planForAll(REQUEST, [NO_MODEL, WITH_MODEL]);
  expect(result.ok).toBe(true);
  expect(needs).toEqual(['filter:libvmaf']);
  expect(offerOf(NO_MODEL)).not.toBe(offerOf(WITH_MODEL));
});

test('an ffmpeg that does not answer whether libvmaf has a model is a fault, and VMAF stays offered', async () => {
  const asked = { ...WITH_MODEL, build: { ...WITH_MODEL.build, path: '/nonexistent/ffmpeg' } };
  const faults: Error[] = [];
  const catalogue = await withUsableVmaf(asked, (fault) => faults.push(fault));
  expect(catalogue.lists.filters.has('libvmaf')).toBe(true);
  expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/libvmaf has a model/)]);
});

test('other machines learn that the libvmaf of a worker has no model', async () => {
  const decoded = await decodeCatalogue(await encodeCatalogue(NO_MODEL));
  expect(decoded).toMatchObject({ lacksVmafModel: true });
  expect(decoded?.lists.filters.has('libvmaf')).toBe(false);
  expect(decoded && offerOf(decoded)).toBe(offerOf(NO_MODEL));
});
