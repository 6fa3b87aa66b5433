import { expect, test } from 'vitest';
import { requestedOutputs } from '../../packages/contract/src/domain/conversion.ts';
import { INPUT_FORMATS } from '../../packages/ffmpeg/src/allowlist/input-formats.ts';
import type { CommonRequest } from '../common-requests/common-request.ts';
import { ALL_FAMILIES } from '../common-requests/families.ts';
import { applyRecipe } from '../support/apply-recipe.ts';
import { validPlan } from '../support/planning.ts';

/** Options that are the same in every argv, and are left out of the reviewed text. */
const HEAD = /^-nostdin -hide_banner -nostats -loglevel level\+(?:info|verbose) -progress pipe:1 -stats_period 0\.5 /;
const BOUND = `-protocol_whitelist file -format_whitelist ${INPUT_FORMATS} -i `;

/** Quotes a word for a shell if it needs quotes. */
const word = (text: string): string =>
  /^[\w.,:=+\-/%[\]@?]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function commands({ request, facts }: CommonRequest): string {
  const { passes, warnings } = validPlan(applyRecipe(request, { channels: 2, ...facts }).request);
  const lines = passes.map((argv) => {
    const line = argv.map(word).join(' ');
    expect(line).toMatch(HEAD);
    return `ffmpeg ${line.replace(HEAD, '').replaceAll(BOUND, '-i ')}`;
  });
  return [...lines, ...warnings.map(({ message, fix }) => `! ${message}${fix === undefined ? '' : ` ${fix}`}`)].join(
    '\n',
  );
}

test('the commands of the common requests equal the reviewed ones', async () => {
  const text = Object.entries(ALL_FAMILIES)
    .flatMap(([family, requests]) => requests.map((common) => `# ${family}: ${common.title}\n${commands(common)}\n`))
    .join('\n');
  await expect(text).toMatchFileSnapshot('../common-requests/argv.txt');
});

test('each common request has a unique title, and an output in the folder of its family', () => {
  const all = Object.values(ALL_FAMILIES).flat();
  for (const [family, requests] of Object.entries(ALL_FAMILIES))
    for (const { request } of requests)
      for (const { path } of requestedOutputs(request)) expect(path).toMatch(new RegExp(`^${family}/`));
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  const outputs = all.flatMap(({ request }) => requestedOutputs(request).map(({ path }) => path));
  expect(new Set(outputs).size).toBe(outputs.length);
});
