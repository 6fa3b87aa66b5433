import type { Parameters } from '../../src/domain/conversion.ts';
import { type HostileRow, withInput, withOptions } from './row.ts';

const slowly = (title: string, parameters: Parameters, inert?: string): HostileRow =>
  withInput(
    'hangs',
    'OPTION_NOT_ALLOWED',
    title,
    () => ({ input: 'movie.mp4', parameters }),
    inert === undefined ? {} : { inert },
  );

/** What waits for the clock, or works for as long as it runs. */
const WAITING: readonly HostileRow[] = [
  withOptions('hangs', 'FILTER_NOT_ALLOWED', 'pictures that wait for their time', { vf: 'realtime=speed=0.001' }),
  withOptions(
    'hangs',
    'FILTER_NOT_ALLOWED',
    'sound that waits for its time',
    { af: 'arealtime=speed=0.001' },
    { like: 'pictures that wait for their time' },
  ),
  slowly('an input read as slowly as it plays', { re: '' }, 'half a second is no time'),
  slowly('an input read a hundred thousand times as slowly', { readrate: '0.00001' }),
  withInput('hangs', 'OPTION_NOT_ALLOWED', 'an input that is waited for to grow', () => ({
    input: 'movie.mp4',
    parameters: { f: 'mpegts', follow: '1' },
  })),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop until an hour',
    { vf: "setpts='st(0,time(0));while(lt(time(0),ld(0)+999),1)'" },
    { like: 'a loop in enable' },
  ),
  {
    title: 'a frame for each tenth of a second since 1970',
    effect: 'hangs',
    request: () => ({
      input: 'movie.mp4',
      output: 'out/since-1970.mkv',
      parameters: { vf: 'setpts=PTS+gt(N\\,2)*time(0)/TB,fps=10', 'c:v': 'mpeg4', an: '' },
    }),
  },
  {
    title: 'time stamps of today, half a century after the first',
    effect: 'exhausts',
    inert: 'so short a movie has few',
    request: () => ({
      inputs: [{ input: 'movie.mp4', parameters: { use_wallclock_as_timestamps: '1' } }],
      output: 'out/today.mkv',
      parameters: { 'c:v': 'mpeg4', 'c:a': 'aac' },
    }),
  },
];

/** Any user of the machine may ask for the hour; what does is taken, and does its work. */
const telling = (
  title: string,
  parameters: Parameters,
  { output = 'out/hour.mkv' }: { readonly output?: string } = {},
): HostileRow => ({
  title: `the hour: ${title}`,
  effect: 'tells',
  inert: 'it is no secret',
  request: () => ({
    input: 'movie.mp4',
    output,
    parameters: { y: '', t: '0.2', 'c:v': 'mpeg4', 'c:a': 'aac', ...parameters },
  }),
});

const TELLING: readonly HostileRow[] = [
  telling('on the picture', { vf: "drawtext=text='%{localtime}'" }),
  telling('of Greenwich on the picture', { vf: "drawtext=text='%{gmtime}'" }),
  telling('by a pattern of dates', { vf: 'drawtext=expansion=strftime:text=%Y' }),
  telling('in what drawtext computes', { vf: "drawtext=text='%{expr\\:time(0)}'" }),
  telling('in a colour', { vf: "hue=h='time(0)'" }),
  telling('as time stamps, by their filter', { vf: 'setpts=(RTCTIME-RTCSTART)/(TB*1000000)' }),
  telling('where key frames are', { force_key_frames: 'expr:time(0)' }),
  telling('as the date of a recording', { timestamp: 'now', metadata: 'creation_time=now' }),
  telling('in each fragment', { write_prft: 'wallclock', movflags: 'frag_keyframe' }, { output: 'out/hour.mp4' }),
  telling('in a playlist', { hls_flags: 'program_date_time' }, { output: 'out/hour.m3u8' }),
  telling(
    'in the names of segments',
    { strftime: '1', hls_segment_filename: 'hour-%Y-%s.ts' },
    { output: 'out/hour-names.m3u8' },
  ),
];

/** The clock: what waits for it holds a worker, what reads it must not; beside the inventory. */
export const CLOCK: readonly HostileRow[] = [...WAITING, ...TELLING];
