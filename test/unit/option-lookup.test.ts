import { expect, test } from 'vitest';
import { recordedCapabilities } from '../support/capabilities.ts';
import { planRequest, requestWith } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

/** What models send and ask for, and the name in the argv. */
const NAMES: readonly (readonly [sent: string, name: string])[] = [
  ...(
    ['c', 'c:v', 'c:a', 'b:v', 'b:a', 'q:v', 'q:a', 'frames:v', 'filter:v', 'filter:a', 'filter_complex'] as const
  ).map((name) => [name, name] as const),
  ...(
    ['map', 'ss', 't', 'to', 'r', 's', 'an', 'vn', 'sn', 'ac', 'ar', 'pix_fmt', 'crf', 'preset', 'movflags'] as const
  ).map((name) => [name, name] as const),
  ...(['f', 'y', 'pass', 'metadata', 'metadata:s:a:0', 'bsf:v', 'tag:v', 'g', 'maxrate:v'] as const).map(
    (name) => [name, name] as const,
  ),
  ['pass:v', 'pass:v'],
  ['vf', 'filter:v'],
  ['af', 'filter:a'],
  ['lavfi', 'filter_complex'],
  ['codec', 'c'],
  ['codec:v', 'c:v'],
  ['vcodec', 'c:v'],
  ['acodec', 'c:a'],
  ['scodec', 'c:s'],
  ['vframes', 'frames:v'],
  ['vb', 'b:v'],
  ['ab', 'b:a'],
  ['b', 'b:v'],
  ['qscale', 'q:v'],
  ['qscale:v', 'q:v'],
  ['aq', 'q:a'],
  ['vtag', 'tag:v'],
];

test.each(['5.1', '7.1'] as const)('every name that a request may use is described, in ffmpeg %s', async (version) => {
  const { option } = recordedCapabilities(version);
  for (const [sent, name] of NAMES) {
    const meanings = await option(sent);
    expect([sent, ...new Set(meanings.map((one) => one.name))]).toEqual([sent, name]);
  }
});

test('a name that a request rejects is rejected with the same message', async () => {
  const { option } = recordedCapabilities('7.1');
  for (const name of ['vf:0', '-crf', 'an:0', 'progress', 'i', 'hwaccel']) {
    const planned = planRequest(requestWith({ [name]: '1' }), { catalogue: recordedCatalogue('7.1') });
    expect(planned.ok).toBe(false);
    const message = planned.ok ? '' : planned.errors[0]?.message;
    const error = await option(name).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect([name, error?.message]).toEqual([name, message]);
  }
});

test('a search by an alias finds its option', async () => {
  const { options } = recordedCapabilities('7.1');
  for (const [alias, name] of [
    ['vf', 'filter'],
    ['vcodec', 'c'],
  ] as const)
    expect((await options({ q: alias, limit: 5 })).items.map((one) => one.name)).toContain(name);
});

test.each(['5.1', '7.1'] as const)('a bit rate is described as what it is, in ffmpeg %s', async (version) => {
  const { option } = recordedCapabilities(version);
  // ffmpeg's own help of `b` only names another spelling, and says that it is about video.
  for (const name of ['b:a', 'b:v', 'b'])
    expect(await option(name)).toMatchObject([{ of: ['every codec'], description: 'set bitrate (in bits/s)' }]);
});
