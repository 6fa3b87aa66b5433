import { expect, test } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { planRequest, requestWith } from '../support/planning.ts';
import { RECORDED, recordedCatalogue } from '../support/recorded-catalogue.ts';

/** What media servers send: the specifier of the first video only, with a value of that encoder. */
test.each<[string, Parameters]>([
  ['libsvtav1', { 'codec:v:0': 'libsvtav1', preset: '12' }],
  ['libx265', { 'c:v:0': 'libx265', profile: 'main10' }],
  ['prores_ks', { 'c:v:0': 'prores_ks', 'profile:v': 'hq' }],
  ['libvpx-vp9', { 'c:v:0': 'libvpx-vp9', 'profile:v': '0' }],
])('accepts an option of %s for the first video', (_encoder, parameters) => {
  for (const version of RECORDED)
    expect(planRequest(requestWith(parameters, 'c.mkv'), { catalogue: recordedCatalogue(version) })).toMatchObject({
      ok: true,
    });
});
