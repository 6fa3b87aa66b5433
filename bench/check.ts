/**
 * `npm run bench:check`: measures the time from the bytes of a request to its plan, without caches. Compares the example
 * of the API with only parsing its JSON, in turns. A request with a filtergraph is measured for information only.
 */

import { mergeClientLimits } from '../packages/contract/src/domain/client-limits.ts';
import type { ConversionRequest } from '../packages/contract/src/domain/conversion.ts';
import { conversionBody, isPlainConversion } from '../packages/contract/src/wire/conversion.ts';
import { parseJson } from '../packages/contract/src/wire/json.ts';
import { plan } from '../packages/ffmpeg/src/plan/planner.ts';
import { parseRequest } from '../packages/ffmpeg/src/plan/request/parse-request.ts';
import { readClientLimitsSetting } from '../packages/service/src/config/client-limits.ts';
import { mediaRoot } from '../test/support/media-root.ts';
import { recordedCatalogue } from '../test/support/recorded-catalogue.ts';
import { EXAMPLE, EXAMPLE_JSON } from './support/example.ts';
import { bound, spread } from './support/figures.ts';

const ROUNDS = 30;
const CHECKS = 2000;

const graph = {
  ...EXAMPLE,
  parameters: {
    ...EXAMPLE.parameters,
    filter_complex:
      "[0:v]split[a][b];[a]scale=180:320:force_original_aspect_ratio=increase,crop=180:320,boxblur=10:2[back];[b]scale=180:-2,drawtext=text='%{pts}':x=(w-tw)/2:enable='between(t,1,2)'[front];[back][front]overlay=(W-w)/2:(H-h)/2[v]",
    map: ['[v]', '0:a?'],
  },
};

const catalogue = recordedCatalogue();
const policy = mergeClientLimits({}, readClientLimitsSetting(''));

function check(bytes: Buffer): void {
  const body = parseJson(bytes);
  const request: ConversionRequest = isPlainConversion(body) ? body : conversionBody.parse(body);
  const parsed = parseRequest(request, mediaRoot('/media'));
  const planned = plan(parsed, { catalogue, policy, cores: 4 });
  if (!planned.ok) throw new Error(JSON.stringify(planned.errors));
}

/** The microseconds for one call of `work`. */
function timed(work: () => void): number {
  const from = performance.now();
  for (let n = 0; n < CHECKS; n += 1) work();
  return ((performance.now() - from) * 1000) / CHECKS;
}

const bytes = Buffer.from(EXAMPLE_JSON);
const graphBytes = Buffer.from(JSON.stringify(graph));
const round = () => ({
  json: timed(() => parseJson(bytes)),
  whole: timed(() => check(bytes)),
  graph: timed(() => check(graphBytes)),
});
round();
const rounds = Array.from({ length: ROUNDS }, round);
const of = (figure: 'json' | 'whole' | 'graph'): number[] => rounds.map((one) => one[figure]);
console.log(`its JSON alone            ${spread(of('json'), 1)} µs`);
console.log(`the whole check           ${spread(of('whole'), 1)} µs`);
console.log(`one with a filtergraph    ${spread(of('graph'), 1)} µs`);
bound('the whole check of the example, µs', of('whole'), '<=', 30, 1);
bound('the check of one with a filtergraph, µs', of('graph'), '<=', 90, 1);
