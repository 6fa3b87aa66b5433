import { writeFileSync } from 'node:fs';

/** How often to try again. The kernel allows one change in 100 ms, unless the service is root. */
const RETRY_MS = 100;

/**
 * Gives the session that the process `pid` leads the niceness of its processes. Where sessions are scheduled as groups
 * (`/proc/sys/kernel/sched_autogroup_enabled`), the kernel compares a process only with those of its session, and
 * sessions with one another. In a cgroup of the cpu controller, where sessions are not groups, it has no effect.
 */
export function lowerSessionPriority(pid: number, niceness: number): void {
  try {
    // Synchronous, because the kernel takes microseconds and the process may end soon.
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch (error) {
    // Otherwise the process has ended, or the kernel has no such groups.
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN')
      setTimeout(lowerSessionPriority, RETRY_MS, pid, niceness).unref();
  }
}
