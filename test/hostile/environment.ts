import type { Canaries } from './canaries.ts';
import type { Effect } from './row.ts';

/** A variable in the environment of the service that would change what ffmpeg does. */
export interface EnvironmentRow {
  readonly title: string;
  readonly effect: Effect;
  env(canaries: Canaries): Readonly<Record<string, string>>;
  /** A command on which the variable has its effect. */
  argv(canaries: Canaries, input: string): readonly string[];
}

const copy = (input: string): readonly string[] => ['-y', '-i', input, '-t', '0.2', '-c', 'copy', 'out/a.mkv'];

/** 9. The environment. */
export const ENVIRONMENT: readonly EnvironmentRow[] = [
  {
    title: 'FFREPORT writes a report',
    effect: 'writes',
    env: ({ folder }) => ({ FFREPORT: `file=${folder}/leak:level=32` }),
    argv: (_canaries, input) => copy(input),
  },
  {
    title: 'LADSPA_PATH loads a library',
    effect: 'loads',
    env: ({ library }) => ({ LADSPA_PATH: library.replace(/\/[^/]*$/, '') }),
    argv: (_canaries, input) => ['-y', '-i', input, '-af', 'ladspa=plugin', '-vn', 'out/a.mkv'],
  },
  {
    title: 'FREI0R_PATH loads a library',
    effect: 'loads',
    env: ({ library }) => ({ FREI0R_PATH: library.replace(/\/[^/]*$/, '') }),
    argv: (_canaries, input) => ['-y', '-i', input, '-vf', 'frei0r=plugin', '-an', 'out/a.mkv'],
  },
  {
    title: 'LD_PRELOAD loads a library',
    effect: 'loads',
    env: ({ library }) => ({ LD_PRELOAD: library }),
    argv: (_canaries, input) => copy(input),
  },
  {
    title: 'http_proxy redirects connections',
    effect: 'connects',
    env: ({ listener }) => ({ http_proxy: `http://${listener}` }),
    // Nothing listens at this address. ffmpeg connects to the proxy first.
    argv: () => ['-y', '-i', 'http://127.0.0.1:9/x.mp4', 'out/a.mkv'],
  },
];
