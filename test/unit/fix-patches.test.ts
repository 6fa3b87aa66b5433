import { expect, test } from 'vitest';
import { applyPatch } from '../../console/workbench/apply-patch.ts';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { fixPatch } from '../../src/wire/fix-patch.ts';
import { httpHint } from '../../src/wire/hint-text.ts';
import { film, mistakesIn } from '../support/mistakes.ts';
import { ENCODER_MISTAKES } from './mistaken-requests/encoder-mistakes.ts';
import { FILTER_MISTAKES } from './mistaken-requests/filter-mistakes.ts';
import { LIST_MISTAKES } from './mistaken-requests/list-mistakes.ts';
import { TAG_MISTAKES } from './mistaken-requests/tag-mistakes.ts';
import { VALUE_MISTAKES } from './mistaken-requests/value-mistakes.ts';

const MISTAKES = [...FILTER_MISTAKES, ...ENCODER_MISTAKES, ...VALUE_MISTAKES, ...LIST_MISTAKES, ...TAG_MISTAKES];

/** Requests with few mistakes are right after a few patches. */
const PATCHES = 5;

/** Applies the patch of the first mistake, again and again. undefined if one has none. */
function patched(request: ConversionRequest): ConversionRequest | undefined {
  let current = request;
  for (let count = 0; count < PATCHES; count += 1) {
    const [mistake] = mistakesIn(current);
    if (mistake === undefined) return current;
    const { fix } = mistake;
    const apply = fixPatch(current, { ...mistake, fix: fix === undefined ? undefined : httpHint(fix) });
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
