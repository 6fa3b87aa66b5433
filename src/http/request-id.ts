import { randomBytes } from 'node:crypto';

/**
 * Makes ids that differ within a process by a counter and between processes by a random prefix. A client's own
 * id is never taken over: it would forge lines of the log.
 */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let n = 0;
  return () => {
    n += 1;
    return `${prefix}-${n}`;
  };
}
