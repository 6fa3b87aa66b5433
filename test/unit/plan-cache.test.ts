import { expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../src/domain/conversion.ts';
import { pathsLikeBefore, rememberPlanned } from '../../src/ffmpeg/plan/plan-cache.ts';
import { CATALOGUE, MEDIA_ROOT, missingFactsOf, planRequest } from '../support/planning.ts';

const INPUTS = [
  'a.mp4',
  'b.mp4',
  '/srv/media/a.mp4',
  'a.srt',
  'sub/b.srt',
  'a.png',
  'a%03d.png',
  'a.7z',
  'a',
  '../a.mp4',
];
const OUTPUTS = ['a.mp4', 'x/y.mp4', 'b.m3u8', 'hls/a.m3u8', 'x%v.m3u8', 'x.gif', 'x.GIF', 'x%d.png', 'b', 'x.ünï', ''];

/** Nothing in them has to do with names of files. */
const ORDINARY: readonly Parameters[] = [
  {},
  { 'c:v': 'libx264', 'b:v': '1M', 'c:a': 'aac' },
  { c: 'copy' },
  { crf: '23', vf: 'scale=640:-2', map: ['0:v'] },
  { 'c:v': 'libx264', 'b:v': '1M', pass: '2' },
  { framerate: '5', start_number: '1' },
  { loop: '1', t: '1.5' },
];
/** Refused, or planned by the very names of the files. */
const OTHERS: readonly Parameters[] = [
  { nope: '1' },
  { map: ['7:v'] },
  { vf: 'subtitles=a' },
  { vf: 'subtitles=a.srt' },
  { vf: "subtitles='a'.srt" },
  { vf: 'subtitles=a\\.srt' },
  { filter_complex: 'movie=a.png[x];[0:v][x]overlay' },
  { hls_segment_filename: '/hls/s%d.ts' },
  { var_stream_map: 'v:0 a:0', master_pl_name: 'b.m3u8' },
];
const FORMATS = [undefined, 'hls', 'gif', 'nope'];

/** Every request of these options, with every input and every output. */
const requests = (parameters: Parameters, format: string | undefined): ConversionRequest[] =>
  INPUTS.flatMap((input) =>
    OUTPUTS.map((output) => ({ input, output, parameters, ...(format === undefined ? {} : { format }) })),
  );

test.each([...ORDINARY, ...OTHERS])(
  'with %j, what is known of a request like another is what the planner says',
  (parameters) => {
    let known = 0;
    for (const format of FORMATS) {
      const all = requests(parameters, format).filter((one) => missingFactsOf(one) === undefined);
      const planned = new Map(all.map((one) => [one, planRequest(one)]));
      for (const before of all) {
        if (!planned.get(before)?.ok) continue;
        const facts = { catalogue: { ...CATALOGUE }, root: MEDIA_ROOT };
        rememberPlanned({ ...before, llmId: 'one' }, facts);
        for (const [one, result] of planned) {
          const paths = pathsLikeBefore(one, facts);
          if (paths === undefined) continue;
          known += 1;
          const files = result.ok && {
            output: { path: result.plan.output.path },
            inputs: result.plan.inputs.map(({ path, field }) => ({ path, field })),
          };
          expect({ before, one, files }).toEqual({ before, one, files: paths });
        }
        expect(pathsLikeBefore(before, { ...facts, catalogue: { ...CATALOGUE } })).toBeUndefined();
      }
    }
    expect(known > 0).toBe(ORDINARY.includes(parameters));
  },
);
