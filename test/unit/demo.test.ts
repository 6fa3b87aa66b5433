import { expect, test } from 'vitest';
import { curlCommands, serveCommand } from '../../scripts/demo/by-hand.ts';
import { DEMO_CONVERSIONS } from '../../scripts/demo/conversions.ts';
import { differences } from '../../scripts/demo/verify.ts';
import type { ProbedFile } from '../../scripts/lib/probe.ts';

const gif: ProbedFile = {
  formats: ['gif'],
  durationSeconds: 3,
  sizeBytes: 900_000,
  videoFrames: undefined,
  streams: [{ codec_type: 'video', codec_name: 'gif', width: 320, height: 180 }],
  tags: {},
};
const expected = { format: 'gif', video: { codec: 'gif', width: 320, height: 180 }, seconds: 3 };

test('a correct result has no errors', () => {
  expect(differences(gif, expected)).toEqual([]);
});

test('reports each way in which a result can be wrong', () => {
  const audio = { codec_type: 'audio', codec_name: 'aac' } as const;
  expect(differences({ ...gif, formats: ['mp3'] }, expected)).toEqual(['container is mp3, expected gif']);
  expect(differences({ ...gif, durationSeconds: 2.4 }, expected)).toEqual(['duration is 2.4 s, expected 3 s']);
  expect(differences({ ...gif, streams: [...gif.streams, audio] }, expected)).toEqual([
    'audio codec is aac, expected none',
  ]);
  expect(differences({ ...gif, streams: [] }, expected)).toEqual([
    'video codec is missing, expected gif',
    'width is missing, expected 320',
    'height is missing, expected 180',
  ]);
});

test('the printed commands work in a folder with a space and a quote', () => {
  const [conversion] = DEMO_CONVERSIONS;
  if (conversion === undefined) throw new Error('the demo converts nothing');
  expect(curlCommands(conversion, "/tmp/it's here")).toContain(`-d @'/tmp/it'\\''s here/admin-client.json'`);
  expect(serveCommand({ TELECINE_DATA_DIR: '/tmp/a b' })).toBe(`TELECINE_DATA_DIR='/tmp/a b' npm start`);
});
