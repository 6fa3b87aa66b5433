import type { Config } from '../../config/config.ts';

type Failpoint = NonNullable<Config['failpoint']>;

/** Ends this process as a power cut would, when it comes to the configured point. */
export const failpoint =
  (configured: Failpoint | undefined) =>
  (reached: Failpoint): void => {
    if (reached === configured) process.kill(process.pid, 'SIGKILL');
  };
