import type { Logger } from 'pino';
import type { LinkOperations, TokenOperations } from '../auth/operations.ts';
import type { Caller } from '../domain/client.ts';
import type { FileOperations } from '../files/operations.ts';
import type { CapabilityOperations } from '../jobs/capabilities/operations.ts';
import type { JobOperations, ProbeOperations } from '../jobs/operations.ts';
import type { CheckResult } from '../wire/system.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** What `GET /health` and `GET /ready` tell. */
export interface Health {
  readonly version: string;
  uptimeSeconds(): number;
  /** By name (`store`, `disk`, …). Should not throw; what it throws is answered as UNAVAILABLE. */
  ready(): Promise<Readonly<Record<string, CheckResult>>>;
}

/** One authenticated request of an MCP client. */
export interface McpCall {
  readonly caller: Caller;
  /** Where the client reaches the service, without a slash at its end. */
  readonly origin: string;
  /** On whose behalf. */
  readonly llmId: string;
  /** Counts a submission. Throws RATE_LIMITED. */
  countSubmission(): Promise<void>;
}

/** MCP: what answers JSON-RPC on `/mcp` once the token was checked. */
export interface McpDoor {
  /** `body`: parsed; of `request` only the headers and the signal are read. */
  fetch(request: Request, body: unknown, call: McpCall): Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** All that the HTTP face is given. */
export interface HttpDeps {
  readonly jobs: JobOperations;
  readonly probes: ProbeOperations;
  readonly capabilities: CapabilityOperations;
  readonly tokens: TokenOperations;
  readonly files: FileOperations;
  readonly links: LinkOperations;
  readonly mcp: McpDoor;
  /** How long signed links are good at most, and where nothing is asked for. */
  readonly linkSeconds: number;
  readonly health: Health;
  /** Submissions a minute and client; undefined: no limit. */
  readonly submissionsPerMinute?: number;
  /** Where clients reach the service, for the OpenAPI document; left out: where the document was read from. */
  readonly publicUrl?: string;
  /** The external issuer whose tokens are taken; left out: none, and clients are told of none. */
  readonly oauth?: ProtectedResource;
  /** Whose `X-Forwarded-For` is believed, as Fastify's `trustProxy` takes it; left out: nobody's. */
  readonly trustProxy?: boolean | string | readonly string[];
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info' | 'isLevelEnabled'>;
}
