import { expect, test } from 'vitest';
import { fixWords } from './fix-words.ts';

test.each([
  ['Send "target": "pal-dv".', 'Send -p target=pal-dv.'],
  ['Send "bufsize": "600k" as well.', 'Send -p bufsize=600k as well.'],
  ['Send "map": ["[v]","0:a?"].', "Send -p 'map=[v]' -p 'map=0:a?'."],
  ['Send "map" with "0:a:1" instead of "0:a:5".', 'Send -p map=0:a:1 instead of "0:a:5".'],
  ['Send "c:v": "libx264" and "crf": "23".', 'Send -p c:v=libx264 and -p crf=23.'],
  ['Send "join": "encode".', 'Send --join encode.'],
  ['Send "shortest": "" as well.', 'Send -p shortest as well.'],
  ['Send "metadata": "title=It\'s \\"me\\"".', `Send -p 'metadata=title=It'\\''s "me"'.`],
  [
    'Send "inputs": ["a.mp4",{"input":"b.srt","parameters":{"sub_charenc":"WINDOWS-1254"}}], or save it as UTF-8.',
    'Send a.mp4 -i sub_charenc=WINDOWS-1254 b.srt, or save it as UTF-8.',
  ],
  ['Send "inputs": [{"input":"a.png","duration":"3"}].', 'Send --duration 3 a.png.'],
  [
    'Send "inputs": [{"input":"a.png","duration":"3"},{"input":"b.png","duration":"3"},"s.mp3",{"input":"c.png","duration":"2"}].',
    'Send --duration 3 a.png b.png s.mp3 --duration 2 c.png.',
  ],
  ['Send {"input":"p.raw","parameters":{"f":"s16le","ar":"44100"}}.', 'Send -i f=s16le -i ar=44100 p.raw.'],
  ['Send "format": "mp4" beside "parameters".', 'Send -f mp4.'],
  ['Send "inputs": ["a.mp4"], and "t": "5" in "parameters" for 5 seconds.', 'Send a.mp4, and -p t=5 for 5 seconds.'],
  ['Send "output": "out.mp4".', 'Send the output out.mp4.'],
  [
    'Send "parameters": {"c:v":"libx265","preset":"fast"}, and leave this "preset" out. For a recipe: GET /api/recipes?q=WORDS.',
    'Send -p c:v=libx265 -p preset=fast, and leave --preset out. For a recipe: telecine recipes WORDS.',
  ],
  [
    'Send the time in seconds: that share of the duration which a probe of the input shows.',
    'Send the time in seconds: that share of the duration which "telecine probe FILE" shows.',
  ],
  [
    'Send "join": "encode", and leave "preset" out. The files go in "inputs".',
    'Send --join encode, and leave --preset out. The files go in "inputs".',
  ],
  [
    'POST /api/watches/0199a7c2-5b1e/retry with {"paths": ["in/take 1.mov"]}.',
    "telecine watch retry 0199a7c2-5b1e 'in/take 1.mov'.",
  ],
  ['Send "preset": "slow".', 'Send -p preset=slow.'],
  ['Send "arguments": {"start":"00:00:02","end":5}.', 'Send -a start=00:00:02 -a end=5.'],
  ['Send "size": 0.45.', 'Send -a size=0.45.'],
  ['Send "crf": "20" in the "parameters" of the request.', 'Send -p crf=20.'],
  ['An option of ffmpeg belongs in "parameters".', 'An option of ffmpeg belongs in "parameters".'],
  // Text that is not a member of a request stays unchanged.
  ['Send "23".', 'Send "23".'],
  ['Leave "c:v" out: it is set.', 'Leave "c:v" out: it is set.'],
  ['For a list of filters: GET /api/capabilities/filters', 'For a list of filters: GET /api/capabilities/filters'],
  ['Send "x264-params": {"a":1}.', 'Send "x264-params": {"a":1}.'],
  ['Send "vf": "unclosed', 'Send "vf": "unclosed'],
])('%s', (fix, words) => {
  expect(fixWords(fix)).toBe(words);
});
