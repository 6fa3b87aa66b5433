import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { INPUT_FORMATS } from '../../src/ffmpeg/allowlist/input-formats.ts';
import { FAMILIES } from '../common-requests/families.ts';
import { validPlan } from '../support/planning.ts';

/** Options that are the same in every argv, and are left out of the reviewed text. */
const HEAD = /^-nostdin -hide_banner -nostats -loglevel level\+(?:info|verbose) -progress pipe:1 -stats_period 0\.5 /;
const BOUND = `-protocol_whitelist file -format_whitelist ${INPUT_FORMATS} -i `;

/** Quotes a word for a shell if it needs quotes. */
const word = (text: string): string =>
  /^[\w.,:=+\-/%[\]@?]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function commands(request: ConversionRequest): string {
  const { passes, warnings } = validPlan(request);
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
  const text = Object.entries(FAMILIES)
    .flatMap(([family, requests]) =>
      requests.map(({ title, request }) => `# ${family}: ${title}\n${commands(request)}\n`),
    )
    .join('\n');
  await expect(text).toMatchFileSnapshot('../common-requests/argv.txt');
});

test('each common request has a unique title, and an output in the folder of its family', () => {
  const all = Object.values(FAMILIES).flat();
  for (const [family, requests] of Object.entries(FAMILIES))
    for (const { request } of requests) expect(request.output).toMatch(new RegExp(`^${family}/`));
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  expect(new Set(all.map(({ request }) => request.output)).size).toBe(all.length);
});
