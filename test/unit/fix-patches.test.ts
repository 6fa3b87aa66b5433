import { expect, test } from 'vitest';
import { applyPatch } from '../../console/workbench/apply-patch.ts';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { suggest } from '../../packages/contract/src/domain/suggest.ts';
import { fixPatch } from '../../packages/contract/src/wire/fix-patch.ts';
import { film, findingsIn } from '../support/mistakes.ts';
import { planRequest } from '../support/planning.ts';
import { ENCODER_MISTAKES } from './mistaken-requests/encoder-mistakes.ts';
import { FILTER_MISTAKES } from './mistaken-requests/filter-mistakes.ts';
import { VALUE_MISTAKES } from './mistaken-requests/value-mistakes.ts';

const MISTAKES = [...FILTER_MISTAKES, ...ENCODER_MISTAKES, ...VALUE_MISTAKES];

/** Requests with few mistakes are right after a few patches. */
const PATCHES = 5;

/** Applies the patch of the first mistake, again and again. undefined if one has none. */
function patched(request: ConversionRequest): ConversionRequest | undefined {
  let current = request;
  for (let count = 0; count < PATCHES; count += 1) {
    const [mistake] = findingsIn(current);
    if (mistake === undefined) return current;
    const apply = fixPatch(current, suggest(mistake));
    if (apply === undefined) return undefined;
    current = applyPatch(current, [...apply]);
  }
  throw new Error(`Still wrong after ${PATCHES} patches: ${JSON.stringify(current)}`);
}

test('a program that applies the patches of fixes sends what people meant', () => {
  const results = MISTAKES.map(([mistake, meant, output]) => ({
    sent: patched(film(mistake, output)),
    meant: film(meant, output),
  }));
  const known = results.filter(({ sent }) => sent !== undefined);
  for (const { sent, meant } of known) expect(sent).toEqual(meant);
  // The others leave a choice, or concern members beside the field.
  expect(known.length / results.length).toBeGreaterThan(0.8);
});

test.each([
  [{ vf: 'scalee=320:-2,hflip' }, { vf: 'scale=320:-2,hflip' }],
  [{ vf: 'drawtext=fontcolr=white:text=x' }, { vf: 'drawtext=fontcolor=white:text=x' }],
  [{ vf: 'drawbox=c=blackk,hflip' }, { vf: 'drawbox=c=black,hflip' }],
  [{ 'x264-params': 'keyint=60:reff=4' }, { 'x264-params': 'keyint=60:ref=4' }],
  [{ 'bsf:v': 'h264_metadata=levl=4.1' }, { 'bsf:v': 'h264_metadata=level=4.1' }],
  [{ pix_fmt: '+yuv402p' }, { pix_fmt: '+yuv420p' }],
])('a patch replaces only the wrong part of a value: %j', (parameters, meant) => {
  const request = film(parameters);
  const result = planRequest(request);
  const [error] = result.ok ? [] : result.errors;
  expect(error && applyPatch(request, [...(fixPatch(request, suggest(error)) ?? [])])).toEqual(film(meant));
});
