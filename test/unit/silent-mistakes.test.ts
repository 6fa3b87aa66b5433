import { expect, test } from 'vitest';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Requests that ffmpeg completes without a word, with a result that nobody wants. */

const SMALL = { filter_complex: '[0:v]scale=640:-2[v]', 'c:v': 'libx264' };

test.each<[Parameters, output?: string]>([
  [{ ...SMALL, map: ['[v]', '0:a'], 'c:a': 'aac' }],
  [{ ...SMALL, map: ['[v]', '0'], 'c:a': 'aac' }],
  [{ ...SMALL, map: ['[v]', '0:1'], 'c:a': 'aac' }],
  [{ ...SMALL, map: '[v]', c: 'libx264' }],
  [{ map: '0:v', 'c:v': 'copy' }],
  [{ map: ['0', '-0:s'], 'c:v': 'copy', 'c:a': 'aac', 'c:s': 'copy' }, 'b.mkv'],
  [{ map: '0:m:language:eng', 'c:a': 'aac' }],
  [{ af: 'volume=-6dB' }],
  [{ af: 'volume=0.5' }],
  [{ af: 'volume=2' }],
  [{ af: 'volume=-1' }],
  [{ af: 'volume=0' }],
  // Strengths, and not "on".
  ...['hqdn3d=1', 'nlmeans=1', 'bm3d=1', 'vaguedenoiser=1'].map((vf): [Parameters] => [{ vf }]),
  [{ af: 'afftdn=1' }],
  [{ vf: 'scale=h=720' }],
  [{ vf: 'crop=16*20' }],
  [{ vf: 'pad=640*2' }],
  [{ af: 'rubberband=pitch=+1.5' }],
  [{ af: 'asplit[a][b];[a]showspectrum,nullsink;[b]anull' }],
  [{ map: '-0:s?' }],
  [{ 'frames:v': '5', update: '1' }, 'b.jpg'],
  // Texts that look like options.
  ...[
    String.raw`text='Show from=5\:to=10'`,
    String.raw`text='best=10\:end=20'`,
    String.raw`text=CSS\\:align=center`,
    String.raw`text='Note\:font=arial.ttf'`,
    // One of the backslashes is drawn before the letter.
    String.raw`text='\\\\\\\\n Z'`,
  ].map((text): [Parameters] => [{ vf: `drawtext=${text}` }]),
])('nothing is wrong with %j', (parameters, output) => {
  expect(mistakesIn(film(parameters, output))).toEqual([]);
});
