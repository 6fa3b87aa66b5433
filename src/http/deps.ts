import type { Logger } from 'pino';
import type { LinkOperations, TokenOperations } from '../auth/operations.ts';
import type { FileOperations } from '../files/operations.ts';
import type { CapabilityOperations } from '../jobs/capabilities/operations.ts';
import type { JobOperations, ProbeOperations } from '../jobs/operations.ts';
import type { CheckResult } from '../wire/system.ts';
import type { LineSink } from './line-batch.ts';

/** What `GET /health` and `GET /ready` tell. */
export interface Health {
  readonly version: string;
  uptimeSeconds(): number;
  /** By name (`store`, `disk`, …). Should not throw; what it throws is answered as UNAVAILABLE. */
  ready(): Promise<Readonly<Record<string, CheckResult>>>;
}

/** All that the HTTP face is given. */
export interface HttpDeps {
  readonly jobs: JobOperations;
  readonly probes: ProbeOperations;
  readonly capabilities: CapabilityOperations;
  readonly tokens: TokenOperations;
  readonly files: FileOperations;
  readonly links: LinkOperations;
  /** How long signed links are good at most, and where nothing is asked for. */
  readonly linkSeconds: number;
  readonly health: Health;
  /** Submissions a minute and client; undefined: no limit. */
  readonly submissionsPerMinute?: number;
  /** Where clients reach the service, for the OpenAPI document; left out: where the document was read from. */
  readonly publicUrl?: string;
  /** Whose `X-Forwarded-For` is believed, as Fastify's `trustProxy` takes it; left out: nobody's. */
  readonly trustProxy?: boolean | string | readonly string[];
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Takes the lines of requests: the stream that `logger` writes to. Left out: requests are not logged. */
  readonly accessLog?: LineSink;
}
