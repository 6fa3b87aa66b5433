import { type HostileRow, withOptions } from './row.ts';

const TOO_HEAVY = 'it would slow down the test machine';

/** A valid request that exceeds a limit: the limit ends its job. The checks accept it. */
const exceeding = (title: string, request: HostileRow['request']): HostileRow => ({
  title,
  effect: 'exhausts',
  noEffectReason: TOO_HEAVY,
  request,
});

const graph = (title: string, filter_complex: string, more: Readonly<Record<string, string>> = {}): HostileRow =>
  exceeding(title, () => ({
    input: 'movie.mp4',
    output: 'out/a.mkv',
    parameters: { filter_complex: `${filter_complex}[o]`, map: '[o]', 'c:v': 'mpeg4', ...more },
  }));

/** 10. Requests for unlimited time, memory or disk. */
export const EXHAUSTION: readonly HostileRow[] = [
  graph('an endless source', 'testsrc'),
  graph('a source with frames larger than the memory', 'color=s=32000x32000', { t: '1' }),
  graph('frames scaled beyond the memory', '[0:v]scale=30000:30000', { t: '1' }),
  graph('an endless source reversed, which needs all frames in memory', 'testsrc=s=1920x1080,reverse'),
  graph('the last frame repeated endlessly', '[0:v]tpad=stop=-1'),
  exceeding('a movie looped endlessly', () => ({
    inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
    output: 'out/a.mkv',
    parameters: { 'c:v': 'mpeg4' },
  })),
  withOptions(
    'exhausts',
    'OUT_OF_RANGE',
    'more threads than a process can have',
    { 'c:v': 'mpeg4', threads: '99999999999' },
    {
      noEffectReason: TOO_HEAVY,
    },
  ),
];
