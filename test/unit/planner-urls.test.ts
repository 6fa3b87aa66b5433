import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { requestShape } from '../../packages/ffmpeg/src/plan/plan-cache.ts';
import type { PlanOrErrors } from '../../packages/ffmpeg/src/plan/plan-facts.ts';
import { plan } from '../../packages/ffmpeg/src/plan/planner.ts';
import { parseRequest } from '../../packages/ffmpeg/src/plan/request/parse-request.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { planProbe } from '../../packages/ffmpeg/src/probe/plan-probe.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE } from '../support/planning.ts';

const URLS: MediaRoot = { ...mediaRoot('/srv/media'), urls: { check: () => undefined } };

const planned = (request: ConversionRequest): PlanOrErrors =>
  plan(parseRequest(request, URLS), { catalogue: CATALOGUE });

function validPlan(request: ConversionRequest) {
  const result = planned(request);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.plan;
}

const SECRET = 'https://user:hunter2@example.org/films/in.mp4?sig=hunter2';

test('the argv has the logical name of a URL, and the plan its two forms', () => {
  const { inputs, passes } = validPlan({ input: SECRET, output: 'out.mp4' });
  expect(inputs).toEqual([
    { logical: 'in/0.mp4', path: 'https://example.org/films/in.mp4', url: SECRET, field: '/input' },
  ]);
  expect(passes[0]).toContain('file:in/0.mp4');
  expect(JSON.stringify(passes)).not.toContain('example.org');
});

test.each([
  ['https://example.org/in.MP4?x=a.png', 'in/0.mp4'],
  ['https://example.org/download?file=in.mp4', 'in/0'],
  ['https://example.org', 'in/0'],
  ['https://example.org/a.very-long-extension', 'in/0'],
  ['https://example.org/clip%20d.mp4', 'in/0.mp4'],
  ['https://example.org/frame%2503d.png', 'in/0.png'],
])('the URL %s is one file, named %s', (input, logical) => {
  expect(validPlan({ input, output: 'out.mp4' }).inputs).toMatchObject([{ logical }]);
});

test('a picture at a URL can be part of a slideshow', () => {
  const inputs = ['a%20d.png', 'b.jpg'].map((name) => ({ input: `https://example.org/${name}`, duration: '2' }));
  expect(validPlan({ inputs, output: 'out.mp4' }).inputs).toHaveLength(2);
});

test.each(['start_number', 'pattern_type'])('a URL is no sequence: %s', (name) => {
  const value = name === 'pattern_type' ? 'glob' : '1';
  const inputs = [{ input: 'https://example.org/a.png', parameters: { [name]: value } }];
  expect(planned({ inputs, output: 'out.mp4' })).toMatchObject({
    ok: false,
    errors: [{ field: `/inputs/0/parameters/${name}`, code: 'NO_SEQUENCE' }],
  });
});

test('no error or warning contains the secrets of a URL', () => {
  const requests: readonly ConversionRequest[] = [
    { input: SECRET, output: 'out.mp4', parameters: { crf: 'x', nonsense: '1', ss: '5', to: '3' } },
    { inputs: [SECRET, { input: SECRET, duration: '3' }], output: 'out.mp3', parameters: { vf: 'scale=', map: '7' } },
    { input: SECRET.replace('in.mp4', 'in.svg'), output: 'out.mp4' },
  ];
  for (const request of requests) {
    const result = planned(request);
    const texts = JSON.stringify(result.ok ? result.plan.warnings : result.errors);
    expect(texts).not.toBe('[]');
    expect(texts).not.toContain('hunter2');
  }
});

test('a job with a URL is never light, and does not share the cached plan of a file', () => {
  const picture = { output: 'out.png', parameters: { 'frames:v': '1' } };
  const file = { input: 'in.mp4', ...picture };
  const url = { input: 'https://example.org/in.mp4', ...picture };
  expect(workloadOf(validPlan(file)).lane).toBe('light');
  expect(workloadOf(validPlan(url)).lane).toBe('fetch');
  const keyOf = (request: ConversionRequest) => requestShape(request, { scope: URLS })?.key;
  expect(keyOf(url)).toBeDefined();
  expect(keyOf(url)).not.toBe(keyOf(file));
});

test('a filter reads no URL, and no output is one', () => {
  const request = { input: 'in.mp4', output: 'out.mp4', parameters: { vf: "subtitles='https://example.org/a.srt'" } };
  expect(planned(request).ok).toBe(false);
  expect(planned({ input: 'in.mp4', output: 'https://example.org/out.mp4' })).toMatchObject({
    errors: [{ field: '/output', code: 'STORAGE_NOT_ALLOWED' }],
  });
});

test('a probe of a URL has its two forms', () => {
  expect(planProbe({ input: SECRET }, URLS)).toMatchObject({
    plan: { path: 'https://example.org/films/in.mp4', url: SECRET, logical: 'in/0.mp4' },
  });
});
