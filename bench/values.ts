/**
 * `npm run bench:values`: measures the time to check the values of a request. Compares a plan with and without options, in
 * turns, and divides the difference by the number of options.
 */
import type { ConversionRequest, Parameters } from '../packages/contract/src/domain/conversion.ts';
import { plan } from '../packages/ffmpeg/src/plan/planner.ts';
import { parseRequest } from '../packages/ffmpeg/src/plan/request/parse-request.ts';
import { mediaRoot } from '../test/support/media-root.ts';
import { recordedCatalogue } from '../test/support/recorded-catalogue.ts';
import { bound, median, spread } from './support/figures.ts';

const ROUNDS = 30;
const PLANS = 2000;

const BARE: Parameters = { 'c:v': 'libx264', 'c:a': 'aac' };

/** Options with values of every kind, as an expert might send them together. */
const OPTIONS: Parameters = {
  'b:v': '2500k',
  maxrate: '3M',
  bufsize: '2*1024*1024',
  crf: '21',
  preset: 'veryfast',
  tune: 'film',
  'profile:v': 'high',
  'level:v': '4.1',
  g: '250',
  flags: '+cgop+global_header',
  movflags: '+faststart+frag_keyframe',
  pix_fmt: 'yuv420p',
  r: '30000/1001',
  s: '1280x720',
  aspect: '16:9',
  color_primaries: 'bt709',
  'x264-params': 'keyint=60:min-keyint=60:scenecut=0:ref=4',
  'b:a': '128k',
  ar: '48000',
  ac: '2',
  ss: '00:00:01.5',
  t: '12.5',
  'metadata:s:a:0': 'language=eng',
  disposition: 'default',
};

const catalogue = recordedCatalogue();

/** The microseconds for one plan. */
function timed(parameters: Parameters): number {
  const request: ConversionRequest = { input: 'in.mp4', output: 'out.mp4', parameters };
  const from = performance.now();
  for (let n = 0; n < PLANS; n += 1) {
    const planned = plan(parseRequest(request, mediaRoot('/media')), { catalogue });
    if (!planned.ok) throw new Error(JSON.stringify(planned.errors));
  }
  return ((performance.now() - from) * 1000) / PLANS;
}

const all = { ...BARE, ...OPTIONS };
const count = Object.keys(OPTIONS).length;
timed(BARE);
timed(all);
const rounds = Array.from({ length: ROUNDS }, () => ({ bare: timed(BARE), all: timed(all) }));
const each = rounds.map((round) => (round.all - round.bare) / count);
console.log(
  `two codecs          ${spread(
    rounds.map(({ bare }) => bare),
    1,
  )} µs a plan`,
);
console.log(
  `and ${count} options      ${spread(
    rounds.map((round) => round.all),
    1,
  )} µs a plan`,
);
console.log(
  `ratio               ${spread(
    rounds.map((round) => round.all / round.bare),
    2,
  )}`,
);
console.log(`one option          ${spread(each, 2)} µs, from parsing to argv`);
bound('microseconds an option', median(each), '<=', 10);
