import { expect, test } from 'vitest';
import { showOutputs } from '../../output/job-text.ts';
import { OrderedCommand } from '../../session/ordered-command.ts';
import { declare } from '../convert.ts';
import { type ConvertFlags, commonOf } from './order-flags.ts';

test('--quality becomes the target of the request', () => {
  expect(commonOf({ wait: true, quality: 0.98 }, undefined)).toMatchObject({ quality: { target: 0.98 } });
  expect(commonOf({ wait: true }, undefined).quality).toBeUndefined();
});

test('--frame-size auto becomes the field of the request, and has no other value', () => {
  const convert = new OrderedCommand('convert');
  declare(convert);
  convert.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  convert.parseOptions(['--frame-size', 'auto']);
  expect(commonOf(convert.opts<ConvertFlags>(), undefined)).toMatchObject({ frameSize: 'auto' });
  expect(() => convert.parseOptions(['--frame-size', '640x360'])).toThrow(/Allowed choices are auto/);
});

test('the line of an output says which quality it has', () => {
  const quality = { metric: 'ssim', target: 0.98, option: 'crf', value: 26.4, tried: [] } as const;
  const output = { path: 'a.mp4', sizeBytes: 1000 };
  expect(showOutputs({ outputs: [{ ...output, quality: { ...quality, reached: 0.9806 } }] })).toEqual([
    expect.stringMatching(/^a\.mp4 .* SSIM 0\.9806 \(crf 26\.4\)$/),
  ]);
  // It could not be measured.
  expect(showOutputs({ outputs: [{ ...output, quality }] })).toEqual([expect.not.stringContaining('SSIM')]);
});
