import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { planOfOutput } from '@telecine/contract/domain/plan.ts';
import { describe, expect, test } from 'vitest';
import { requestWith, validPlan, wholePlan } from '../../../../../test/support/planning.ts';
import { type Recorded, recordedCatalogue } from '../../../../../test/support/recorded-catalogue.ts';
import { foreseenWarnings } from '../foreseen-warnings.ts';
import { faultGuard } from '../rules.ts';

const FILM: MediaStream = {
  ...{ index: 0, type: 'video', codec: 'h264', width: 160, height: 90, pixelFormat: 'yuv420p' },
  ...{ frameRate: 29.97003, frameRateExact: '30000/1001', baseFrameRate: 29.97003, disposition: [], tags: {} },
};

interface Conversion {
  readonly parameters: Parameters;
  readonly output?: string;
  readonly build?: Recorded;
  readonly media?: { readonly names?: readonly string[]; readonly video?: Partial<MediaStream> };
}

/** What a dry run says of the frame rate: the message and the fix. */
function foreseen({ parameters, output = 'b.mp4', build = '7.1', media = {} }: Conversion): readonly string[] {
  const { names = ['mov', 'mp4'], video } = media;
  const encoder = String(parameters['c:v']);
  const info: MediaInfo = {
    format: { names, durationSeconds: 3, tags: {} },
    streams: [{ ...FILM, ...video }],
    chapters: [],
  };
  const faults: unknown[] = [];
  const found = foreseenWarnings(
    validPlan(requestWith({ an: '', ...parameters }, output), { catalogue: recordedCatalogue(build) }),
    [info],
    { seconds: 3, streams: [{ kind: 'video', encoder, source: { input: 0, stream: 0 }, seconds: 3 }] },
    faultGuard((error) => faults.push(error)),
  );
  expect(faults).toEqual([]);
  return found.flatMap(({ code, message, field, fix }) =>
    code === 'UNKNOWN_FRAME_RATE' ? [`${field}: ${message} ${fix === undefined ? '' : fixText(fix)}`] : [],
  );
}

const H264 = { 'c:v': 'libx264' };

describe('with ffmpeg 7, a dry run warns', () => {
  test.each<[what: string, conversion: Conversion, warning: RegExp]>([
    [
      'of a level that players reject',
      { parameters: { ...H264, vf: 'setpts=PTS/2,scale=80:-2' } },
      /^\/parameters\/vf: .* libx264 .* a level that many players reject.* Send "vf": "setpts=expr=PTS\/2,scale=w=80:h=-2,fps=30000\/1001"\.$/,
    ],
    [
      'also if times only begin at 0',
      { parameters: { ...H264, vf: 'trim=1:2,setpts=PTS-STARTPTS' }, output: 'b.mkv' },
      /Send "vf": "trim=start=1:end=2,setpts=expr=PTS-STARTPTS,fps=30000\/1001"\.$/,
    ],
    [
      'of an encoder that fails',
      { parameters: { 'c:v': 'libsvtav1', vf: 'setpts=PTS/2' }, output: 'b.webm' },
      /libsvtav1 .* and fails\./,
    ],
    [
      'of missed bit rates',
      { parameters: { 'c:v': 'mpeg4', 'b:v': '1M', vf: 'setpts=PTS/2' }, output: 'b.avi' },
      /mpeg4 .* misses bit rates\./,
    ],
    [
      'of 25 frames per second in a format with a constant rate',
      { parameters: { ...H264, vf: 'setpts=PTS/2' }, output: 'b.m3u8' },
      /the output gets 25 frames per second instead of 30000\/1001\./,
    ],
    [
      'of 25 frames per second if a constant rate is asked for',
      { parameters: { 'c:v': 'libvpx-vp9', vf: 'setpts=PTS/2', fps_mode: 'cfr' }, output: 'b.webm' },
      /the output gets 25 frames per second/,
    ],
    [
      'with the rate at which the frames are numbered',
      { parameters: { ...H264, vf: "select='not(mod(n,4))',setpts=N/(24*TB)" } },
      /fps=24"\.$/,
    ],
    [
      'with the rate that a filter sets before',
      { parameters: { ...H264, vf: 'fps=50,setpts=PTS/2' }, output: 'b.m3u8' },
      /instead of 50\. .*fps=50"\.$/,
    ],
    [
      'of joined parts, with an option',
      {
        parameters: {
          ...H264,
          filter_complex:
            '[0:v]trim=0:1,setpts=PTS-STARTPTS[a];[0:v]trim=2:3,setpts=PTS-STARTPTS[b];[a][b]concat=n=2:v=1[v]',
          map: '[v]',
        },
      },
      /^\/parameters\/filter_complex: .*\[a\]\[b\]concat=n=2:v=1,fps=30000\/1001\[v\]"/,
    ],
    [
      'of a filter that needs a rate',
      { parameters: { 'c:v': 'ffv1', vf: 'setpts=PTS-STARTPTS,decimate' }, output: 'b.mkv' },
      /the filter "decimate" needs one, and the job fails\. Send "vf": "setpts=expr=PTS-STARTPTS,fps=30000\/1001,decimate"\.$/,
    ],
  ])('%s', (_what, conversion, warning) => {
    expect(foreseen(conversion)).toEqual([expect.stringMatching(warning)]);
  });
});

test.each<[what: string, conversion: Conversion]>([
  ['ffmpeg 5', { parameters: { ...H264, vf: 'setpts=PTS/2' }, build: '5.1' }],
  ['ffmpeg 9, whose filter keeps the rate', { parameters: { ...H264, vf: 'setpts=PTS/2' }, build: '9.0' }],
  ['a later rate', { parameters: { ...H264, vf: 'setpts=PTS/2,fps=25' } }],
  ['an interpolated rate', { parameters: { ...H264, vf: 'setpts=PTS*2,minterpolate=fps=60' } }],
  ['a rate of the output', { parameters: { ...H264, vf: 'setpts=PTS/2', r: '25' } }],
  ['a time base of the output', { parameters: { ...H264, vf: 'setpts=PTS/2', enc_time_base: '1:25' } }],
  ['an encoder that needs no rate', { parameters: { 'c:v': 'libvpx-vp9', vf: 'setpts=PTS/2' }, output: 'b.webm' }],
  ['a source whose time base is a frame', { parameters: { ...H264, vf: 'setpts=PTS/2' }, media: { names: ['avi'] } }],
  ['a filter before that sets the time base', { parameters: { ...H264, vf: 'fps=25,setpts=PTS/2' } }],
  [
    'a source of 25 frames per second in HLS',
    {
      parameters: { ...H264, vf: 'setpts=PTS/2' },
      output: 'b.m3u8',
      media: { video: { frameRate: 25, frameRateExact: '25/1', baseFrameRate: 25 } },
    },
  ],
  [
    'a video that is drawn over another',
    {
      parameters: {
        ...H264,
        filter_complex: '[0:v]split[a][b];[b]setpts=PTS+1/TB,scale=80:-2[c];[a][c]overlay[v]',
        map: '[v]',
      },
    },
  ],
])('a dry run does not warn of the frame rate with %s', (_what, conversion) => {
  expect(foreseen(conversion)).toEqual([]);
});

test('a plan of several outputs knows for each of them that the rate is lost', () => {
  const outputs = ['b.mp4', 'c.mp4'].map((output) => ({ output, parameters: { vf: 'setpts=PTS/2' } }));
  const plan = wholePlan({ input: 'a.mp4', outputs }, { catalogue: recordedCatalogue('7.1') });
  expect(outputs.map((_, index) => planOfOutput(plan, index).setptsLosesRate)).toEqual([true, true]);
});
