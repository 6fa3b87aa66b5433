import { type HostileRow, withOptions } from './row.ts';

const CALM = 'the machine of the tests is to stay responsive';

/** Requests that are right by themselves and take more than they may: limits end them, not the checks. */
const ended = (title: string, request: HostileRow['request']): HostileRow => ({
  title,
  effect: 'exhausts',
  inert: CALM,
  request,
});

const graph = (title: string, filter_complex: string, more: Readonly<Record<string, string>> = {}): HostileRow =>
  ended(title, () => ({
    input: 'movie.mp4',
    output: 'out/a.mkv',
    parameters: { filter_complex: `${filter_complex}[o]`, map: '[o]', 'c:v': 'mpeg4', ...more },
  }));

/** What takes time, memory or disk without end. */
export const EXHAUSTION: readonly HostileRow[] = [
  graph('a source without end', 'testsrc'),
  graph('pictures too large for the memory', 'color=s=32000x32000', { t: '1' }),
  graph('pictures made too large', '[0:v]scale=30000:30000', { t: '1' }),
  graph('all pictures of a source without end, backwards', 'testsrc=s=1920x1080,reverse'),
  graph('one picture without end', '[0:v]tpad=stop=-1'),
  ended('a movie without end', () => ({
    inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
    output: 'out/a.mkv',
    parameters: { 'c:v': 'mpeg4' },
  })),
  withOptions(
    'exhausts',
    'OUT_OF_RANGE',
    'more threads than a process may have',
    { 'c:v': 'mpeg4', threads: '99999999999' },
    {
      inert: CALM,
    },
  ),
];
