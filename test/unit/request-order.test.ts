import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { FAMILIES } from '../common-requests/families.ts';
import { PLACEHOLDER_CANARIES } from '../hostile/placeholder-canaries.ts';
import { ROWS } from '../hostile/rows.ts';
import { factsFor, planRequest, requestWith } from '../support/planning.ts';
import { ensureRecorded, freshCatalogue, RECORDED, type Recorded } from '../support/recorded-catalogue.ts';
import { sampledRuns } from '../support/sampled.ts';

const requests = Object.values(FAMILIES)
  .flat()
  .map(({ request }) => request);
const rows = ROWS.map(([, row]) => row.request(PLACEHOLDER_CANARIES));
const pairs = [...requests, ...rows].flatMap(({ parameters }) => Object.entries(parameters ?? {}));

const fresh = new Map(RECORDED.map((version) => [version, freshCatalogue(version)] as const));

/** The catalogue after a request. Unchanged if the recording lacks a fact that the request needs. */
const after = (version: Recorded, catalogue: Catalogue, request: ConversionRequest): Catalogue =>
  ensureRecorded(version, catalogue, factsFor(request)) ?? catalogue;

/** The reply to a request: its plan, or its errors. Undefined if the recording lacks a fact that the request needs. */
function replyTo(version: Recorded, request: ConversionRequest, earlier: readonly ConversionRequest[] = []) {
  const start = fresh.get(version) ?? freshCatalogue(version);
  const before = earlier.reduce((catalogue, one) => after(version, catalogue, one), start);
  const catalogue = ensureRecorded(version, before, factsFor(request));
  return catalogue && planRequest(request, { catalogue });
}

const ENCODERS = ['libx264', 'libx265', 'libvpx-vp9', 'libsvtav1', 'prores_ks', 'mpeg4', 'copy'];

/** Options whose values depend on the encoder, and values that only some encoders accept. */
const encoderOption = fc.tuple(
  fc.constantFrom('preset', 'profile:v', 'profile:v:0', 'profile', 'tune', 'crf', 'b:v', 'level', 'pix_fmt', 'r'),
  fc.constantFrom('12', 'slow', 'main10', 'hq', '0', 'high', '4.1', 'yuv420p10le', '60'),
);
const codecOption = fc.tuple(
  fc.constantFrom('c:v', 'c:v:0', 'c:v:1', 'codec:v:0', 'c:0'),
  fc.constantFrom(...ENCODERS),
);
const anyOption = fc.oneof(
  fc.constantFrom(...pairs),
  encoderOption,
  codecOption,
  fc.tuple(fc.constantFrom(...CLI_RULES.keys()), fc.constantFrom('', '1', 'x', '1280x721', 'ntsc')),
  // Misspellings of options that the help of ffmpeg 7 does not list.
  fc.tuple(fc.constantFrom('z', 'ss_', 'noautoscal', 'vsyn', 'autoscalee'), fc.constant('1')),
);

const request = fc
  .record({
    base: fc.constantFrom(
      ...requests,
      requestWith({}),
      requestWith({}, 'b.mkv'),
      requestWith({}, 'b.webm'),
      requestWith({}, 'b.gif'),
    ),
    extra: fc.array(anyOption, { maxLength: 3 }),
  })
  .map(({ base, extra }): ConversionRequest => {
    const parameters = Object.assign(Object.create(null), base.parameters, Object.fromEntries(extra)) as Parameters;
    return { ...base, parameters };
  });

/** It plans some 2,000 requests, which takes half a minute on a busy machine. */
const MANY_PLANS = { timeout: 120_000 };

test.each(RECORDED)('ffmpeg %s: the reply to a request does not depend on earlier requests', MANY_PLANS, (version) => {
  let compared = 0;
  fc.assert(
    fc.property(request, fc.array(request, { minLength: 1, maxLength: 6 }), (body, earlier) => {
      const first = replyTo(version, body);
      if (first === undefined) return;
      compared += 1;
      expect(replyTo(version, body, earlier)).toEqual(first);
    }),
    { numRuns: sampledRuns(400), seed: 12 },
  );
  expect(compared).toBeGreaterThan(sampledRuns(250));
});

/** What media servers send: the specifier of the first video only, with a value of that encoder. */
test.each<[string, Parameters]>([
  ['libsvtav1', { 'codec:v:0': 'libsvtav1', preset: '12' }],
  ['libx265', { 'c:v:0': 'libx265', profile: 'main10' }],
  ['prores_ks', { 'c:v:0': 'prores_ks', 'profile:v': 'hq' }],
  ['libvpx-vp9', { 'c:v:0': 'libvpx-vp9', 'profile:v': '0' }],
])('accepts an option of %s for the first video, also after a request for libx264', (_encoder, parameters) => {
  const earlier = requestWith({ 'c:v': 'libx264', preset: 'slow', 'profile:v': 'high' }, 'b.mkv');
  for (const version of RECORDED)
    expect(replyTo(version, requestWith(parameters, 'c.mkv'), [earlier])).toMatchObject({ ok: true });
});
