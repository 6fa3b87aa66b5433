import type { SettingReader } from './setting.ts';

/** The points at which a crash test can stop the service. */
const POINTS = [
  ...(['after-claim', 'after-intent', 'after-link', 'after-commit', 'after-expired-removal'] as const),
  ...(['before-watch-page', 'after-watch-mark', 'after-watch-source'] as const),
];

/** The point, and the signal that the service sends itself there. SIGKILL simulates a crash, SIGSTOP a pause. */
export interface Failpoint {
  readonly point: (typeof POINTS)[number];
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/** Reads `POINT`, or `POINT:SIGSTOP`. */
export const readFailpoint: SettingReader<Failpoint> = (text) => {
  const [name, signal = 'SIGKILL'] = text.split(':');
  const point = POINTS.find((one) => one === name);
  if (point === undefined || (signal !== 'SIGKILL' && signal !== 'SIGSTOP'))
    throw new Error(`must be one of ${POINTS.join(', ')}, or one of them with :SIGSTOP`);
  return { point, signal };
};
