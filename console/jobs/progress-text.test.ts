import { expect, test } from 'vitest';
import { speedNote, speedText, timeLeftText, unknownProgressText } from './progress-text.ts';

const PALETTE = 'fps=12,split[a][b];[a]palettegen[p];[b][p]paletteuse';

test.each([
  ['of the conversion', { parameters: { vf: PALETTE } }],
  ['of an output', { requestedOutputs: [{ output: 'a.gif', parameters: { 'filter:v': PALETTE } }] }],
  ['of a graph', { parameters: { filter_complex: `[0:v]${PALETTE}[v]`, map: '[v]' } }],
])('a GIF says that its colours are chosen while no frame is written: by the filters %s', (_what, job) => {
  expect(unknownProgressText({ ...job, phase: 'CONVERTING' })).toBe('Choosing the colours…');
  // The input is still fetched.
  expect(unknownProgressText({ ...job, phase: 'STAGING' })).toBeUndefined();
});

test.each([
  ['other filters', { parameters: { vf: 'scale=640:-2' } }],
  ['an output with the name of the filter', { requestedOutputs: [{ output: 'palettegen.mp4', parameters: {} }] }],
  ['a tag with the name of the filter', { parameters: { metadata: 'title=palettegen' } }],
  ['no options', {}],
])('a job with %s does not say that colours are chosen', (_what, job) => {
  expect(unknownProgressText({ ...job, phase: 'CONVERTING' })).toBeUndefined();
});

test('the GIF of the recipe says that its colours are chosen', async () => {
  const { BUILT_IN } = await import('../../packages/service/src/recipes/built-in/all.ts');
  const { vf } = BUILT_IN.find(({ name }) => name === 'gif')?.request.parameters ?? {};
  const filters = typeof vf === 'object' && 'otherwise' in vf ? String(vf.otherwise) : '';
  expect(unknownProgressText({ parameters: { vf: filters }, phase: 'CONVERTING' })).toBe('Choosing the colours…');
});

test.each([
  [{ progress: 0.4, etaSeconds: 45_420 }, 'about 10\u00a0h left'],
  [{ progress: 0.9, etaSeconds: 300_000 }, 'about 3\u00a0d left'],
  [{ progress: 0.9, etaSeconds: 5000 }, 'about 1\u00a0h left'],
  [{ etaSeconds: 600 }, 'estimating…'],
  [{ progress: 1, etaSeconds: 10_920 }, 'about 3\u00a0h left'],
  [{ progress: 1.9, etaSeconds: 2810 }, 'about 50\u00a0min left'],
  [{ progress: 1, etaSeconds: 3590 }, 'about 1\u00a0h left'],
  [{ progress: 1, etaSeconds: 200_000 }, 'about 2\u00a0d left'],
  [{ progress: 1, etaSeconds: 12 }, 'less than 1\u00a0min left'],
  [{ progress: 2, etaSeconds: 75 }, '1:15 left'],
  [{ progress: 2, etaSeconds: 41_325 }, '11\u00a0h left'],
  [{ progress: 50 }, undefined],
])('of %o is said %s', (job, text) => {
  expect(timeLeftText(job)).toBe(text);
});

test('at the beginning, the time left is that of all of the run so far, so that it does not jump', () => {
  const now = Date.parse('2026-01-01T00:04:24Z');
  const job = { progress: 0.4, startedAt: '2026-01-01T00:00:00Z' };
  for (const etaSeconds of [7000, 45_000, 300_000])
    expect(timeLeftText({ ...job, etaSeconds }, now)).toBe('about 20\u00a0h left');
});

test('a slow conversion says which option makes it slow', () => {
  const requestedOutputs = [{ output: 'a.mkv', parameters: { 'preset:v': 'slower' } }];
  const veryslow = { parameters: { preset: 'veryslow' } };
  expect(speedText({ speed: 3.14 })).toBe('3.1× playback');
  expect(speedNote({ speed: 3.14, fps: 78.4, ...veryslow })).toBe('78\u00a0fps');
  expect(speedNote({ speed: 0.0142, fps: 1.34, ...veryslow })).toBe('1.3\u00a0fps, slow because of preset veryslow');
  expect(speedNote({ speed: 0.0142, requestedOutputs })).toBe('slow because of preset:v slower');
  expect(speedNote({ speed: 0.0142, parameters: { preset: 'fast' } })).toBeUndefined();
  expect(speedText({})).toBeUndefined();
  expect(speedNote({ fps: 78.4 })).toBeUndefined();
});
