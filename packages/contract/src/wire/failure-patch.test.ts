import { expect, test } from 'vitest';
import type { ConversionRequest } from '../domain/conversion.ts';
import { addOption, leaveOut, orElse, sendMember, sendOption, sendValue } from '../domain/edit.ts';
import type { Failure } from '../domain/failure.ts';
import { applyPatches } from './apply-patch.ts';
import { failurePatch } from './failure-patch.ts';

const failed = (fix: Failure['fix'], about?: Failure['about']): Failure => ({
  code: 'UNSUPPORTED',
  message: 'It failed.',
  ...(fix !== undefined && { fix }),
  ...(about && { about }),
});

const mended = (failure: Failure, request: ConversionRequest): unknown => {
  const patch = failurePatch(failure, request);
  return patch && applyPatches(request, [patch]);
};

const REQUEST = { input: 'a.mov', output: 'b.webm', parameters: { 'c:v': 'libx264', crf: '23' } };

test('the fix of a failure is a patch of the request that failed', () => {
  expect(mended(failed(sendOption('c:v', 'libvpx-vp9')), REQUEST)).toEqual({
    ...REQUEST,
    parameters: { 'c:v': 'libvpx-vp9', crf: '23' },
  });
  expect(mended(failed(sendMember('output', 'b.mkv')), REQUEST)).toEqual({ ...REQUEST, output: 'b.mkv' });
  expect(mended(failed(leaveOut('crf')), REQUEST)).toEqual({ ...REQUEST, parameters: { 'c:v': 'libx264' } });
});

test('a request without options gets one', () => {
  const request = { input: 'a.mov', output: 'b.m4a' };
  expect(mended(failed(addOption('vn', '')), request)).toEqual({ ...request, parameters: { vn: '' } });
});

test('an input that was misspelt gets its path', () => {
  const fix = sendValue('a.MOV');
  expect(mended(failed(fix, { input: 'a.mov' }), REQUEST)).toEqual({ ...REQUEST, input: 'a.MOV' });
  const inputs = ['x.mov', { input: 'a.mov', parameters: { ss: '2' } }];
  expect(mended(failed(fix, { input: 'a.mov' }), { inputs, output: 'b.mp4' })).toEqual({
    inputs: ['x.mov', { input: 'a.MOV', parameters: { ss: '2' } }],
    output: 'b.mp4',
  });
  expect(failurePatch(failed(fix, { input: 'other.mov' }), REQUEST)).toBeUndefined();
});

test('of several outputs, the one that failed is changed', () => {
  const outputs = [{ output: 'b.mp4' }, { output: 'b.webm', parameters: { 'c:v': 'libx264' } }];
  expect(mended(failed(sendOption('c:v', 'libvpx-vp9'), { output: 1 }), { input: 'a.mov', outputs })).toEqual({
    input: 'a.mov',
    outputs: [{ output: 'b.mp4' }, { output: 'b.webm', parameters: { 'c:v': 'libvpx-vp9' } }],
  });
});

test.each([
  ['is a text', failed('Send another file.'), REQUEST],
  ['is missing', failed(undefined), REQUEST],
  ['leaves a choice', failed(orElse(sendOption('c:v', 'libvpx-vp9'), 'another output')), REQUEST],
  [
    'could replace a file that nobody named',
    failed(sendMember('output', 'b.mkv')),
    { ...REQUEST, parameters: { y: '' } },
  ],
  ['has a URL, which may have a password', failed(sendMember('input', 'https://me:secret@host/a')), REQUEST],
])('there is no patch if the fix %s', (_what, failure, request) => {
  expect(failurePatch(failure, request)).toBeUndefined();
});

test('the patch for a job of a recipe changes what was sent', () => {
  const sent = { input: 'a.mov', output: 'b.mp4', preset: { name: 'watermark', arguments: { logo: 'logo.PNG' } } };
  const stored: ConversionRequest = {
    ...{ inputs: ['a.mov', 'logo.PNG'], output: 'b.mp4', parameters: { 'c:v': 'libx265', crf: '28' } },
    preset: { ...sent.preset, version: 1 },
    sent,
  };
  const patched = (failure: Failure): unknown => {
    const patch = failurePatch(failure, stored);
    return patch && applyPatches(sent, [patch]);
  };
  expect(patched(failed(sendOption('c:v', 'libx264')))).toEqual({ ...sent, parameters: { 'c:v': 'libx264' } });
  const { preset } = sent;
  expect(patched(failed(sendValue('logo.png'), { input: 'logo.PNG' }))).toEqual({
    ...sent,
    preset: { ...preset, arguments: { logo: 'logo.png' } },
  });
  // The client has not sent this option, and cannot take it back.
  expect(patched(failed(leaveOut('crf')))).toBeUndefined();
  // Which of the outputs of the recipe is meant cannot be said with the one output that was sent.
  const outputs = [{ output: 'b.mp4' }, { output: 'b.jpg' }];
  const { output: _, ...others } = stored;
  const several: ConversionRequest = { ...others, outputs };
  expect(failurePatch(failed(sendOption('c:v', 'libx264'), { output: 1 }), several)).toBeUndefined();
});
