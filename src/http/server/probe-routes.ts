/** Monitoring reads them every few seconds, which would fill logs and traces. */
export const PROBE_ROUTES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
