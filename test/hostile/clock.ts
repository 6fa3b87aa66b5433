import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { type HostileRow, withInput, withOptions } from './row.ts';

const slowInput = (title: string, parameters: Parameters, noEffectReason?: string): HostileRow =>
  withInput(
    'hangs',
    'OPTION_NOT_ALLOWED',
    title,
    () => ({ input: 'movie.mp4', parameters }),
    noEffectReason === undefined ? {} : { noEffectReason },
  );

/** Requests that wait for the clock or create output for a time span. */
const WAITING: readonly HostileRow[] = [
  withOptions('hangs', 'FILTER_NOT_ALLOWED', 'video in real time', { vf: 'realtime=speed=0.001' }),
  withOptions(
    'hangs',
    'FILTER_NOT_ALLOWED',
    'audio in real time',
    { af: 'arealtime=speed=0.001' },
    { slowVariantOf: 'video in real time' },
  ),
  slowInput('an input read in real time', { re: '' }, 'the movie lasts half a second'),
  // Since 6.1, ffmpeg reads the first half second at once, so the movie is stretched.
  slowInput('an input read at a hundred-thousandth of its speed', { itsscale: '10', readrate: '0.00001' }),
  withInput('hangs', 'OPTION_NOT_ALLOWED', 'an input that ffmpeg waits to grow', () => ({
    input: 'movie.mp4',
    parameters: { f: 'mpegts', follow: '1' },
  })),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop that runs for 999 seconds',
    { vf: "setpts='st(0,time(0));while(lt(time(0),ld(0)+999),1)'" },
    { slowVariantOf: 'an endless loop in enable' },
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
    title: 'timestamps from the clock, decades after the first',
    effect: 'exhausts',
    noEffectReason: 'the movie is too short for many frames',
    request: () => ({
      inputs: [{ input: 'movie.mp4', parameters: { use_wallclock_as_timestamps: '1' } }],
      output: 'out/today.mkv',
      parameters: { 'c:v': 'mpeg4', 'c:a': 'aac' },
    }),
  },
];

/** Requests that reveal the time. The time is not secret, so they are accepted and must succeed. */
const revealing = (
  title: string,
  parameters: Parameters,
  { output = 'out/hour.mkv' }: { readonly output?: string } = {},
): HostileRow => ({
  title: `the time: ${title}`,
  effect: 'reveals',
  noEffectReason: 'the time is no secret',
  request: () => ({
    input: 'movie.mp4',
    output,
    parameters: { y: '', t: '0.2', 'c:v': 'mpeg4', 'c:a': 'aac', ...parameters },
  }),
});

const REVEALING: readonly HostileRow[] = [
  revealing('drawn on the video', { vf: "drawtext=text='%{localtime}'" }),
  revealing('in UTC, drawn on the video', { vf: "drawtext=text='%{gmtime}'" }),
  revealing('drawn by a strftime pattern', { vf: 'drawtext=expansion=strftime:text=%Y' }),
  revealing('in an expression of drawtext', { vf: "drawtext=text='%{expr\\:time(0)}'" }),
  revealing('as a hue', { vf: "hue=h='time(0)'" }),
  revealing('as timestamps, by setpts', { vf: 'setpts=(RTCTIME-RTCSTART)/(TB*1000000)' }),
  revealing('as the position of key frames', { force_key_frames: 'expr:time(0)' }),
  revealing('as a timecode and a creation date', { timestamp: 'now', metadata: 'creation_time=now' }),
  revealing('in each MP4 fragment', { write_prft: 'wallclock', movflags: 'frag_keyframe' }, { output: 'out/hour.mp4' }),
  revealing('in an HLS playlist', { hls_flags: 'program_date_time' }, { output: 'out/hour.m3u8' }),
  revealing(
    'in the names of segments',
    { strftime: '1', hls_segment_filename: 'hour-%Y-%s.ts' },
    { output: 'out/hour-names.m3u8' },
  ),
];

/** Requests that wait for the clock, which would keep a worker busy, and requests that only read the clock. */
export const CLOCK: readonly HostileRow[] = [...WAITING, ...REVEALING];
