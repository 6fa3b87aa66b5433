import { expect, test } from 'vitest';
import { fixWords } from './fix-words.ts';

test.each([
  ['Send "target": "pal-dv".', 'Send -p target=pal-dv.'],
  ['Send "bufsize": "600k" as well.', 'Send -p bufsize=600k as well.'],
  ['Send "map": ["[v]","0:a?"].', "Send -p 'map=[v]' -p 'map=0:a?'."],
  ['Send "c:v": "libx264" and "crf": "23".', 'Send -p c:v=libx264 and -p crf=23.'],
  ['Send "join": "encode".', 'Send --join encode.'],
  ['Send "shortest": "" as well.', 'Send -p shortest as well.'],
  ['Send "metadata": "title=It\'s \\"me\\"".', `Send -p 'metadata=title=It'\\''s "me"'.`],
  ['Send "format": "mp4" beside "parameters".', 'Send -f mp4.'],
  ['Send "output": "out.mp4".', 'Send the output out.mp4.'],
  [
    'Leave this "preset" out. For a recipe: GET /api/recipes?q=WORDS.',
    'Leave this "preset" out. For a recipe: telecine recipes WORDS.',
  ],
  [
    'Send "join": "encode", and leave "preset" out. The files go in "inputs".',
    'Send --join encode, and leave --preset out. The files go in "inputs".',
  ],
  [
    'POST /api/watches/0199a7c2-5b1e/retry with {"paths": ["in/take 1.mov"]}.',
    "telecine watch retry 0199a7c2-5b1e --path 'in/take 1.mov'.",
  ],
  ['Send "preset": "slow".', 'Send -p preset=slow.'],
  ['Send "crf": "20" in the "parameters" of the request.', 'Send -p crf=20.'],
  // Text that is not a member of a request stays unchanged.
  ['Send "23".', 'Send "23".'],
  ['Leave "c:v" out: it is set.', 'Leave "c:v" out: it is set.'],
  ['For a list of filters: GET /api/capabilities/filters', 'For a list of filters: GET /api/capabilities/filters'],
  ['Send "x264-params": {"a":1}.', 'Send "x264-params": {"a":1}.'],
  ['Send "vf": "unclosed', 'Send "vf": "unclosed'],
])('%s', (fix, words) => {
  expect(fixWords(fix)).toBe(words);
});
