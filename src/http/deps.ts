import type { Logger } from 'pino';
import type { LinkOperations, TokenOperations } from '../auth/operations.ts';
import type { Caller } from '../domain/client.ts';
import type { FileOperations } from '../files/operations.ts';
import type { CapabilityOperations } from '../jobs/capabilities/operations.ts';
import type { JobOperations, ProbeOperations } from '../jobs/operations.ts';
import type { ProtectedResource } from '../wire/protected-resource.ts';
import type { CheckResult } from '../wire/system.ts';

/** What `GET /health` and `GET /ready` report. */
export interface Health {
  readonly version: string;
  uptimeSeconds(): number;
  /** The checks by name (`store`, `disk`, …). It should not throw; if it does, the reply is UNAVAILABLE. */
  ready(): Promise<Readonly<Record<string, CheckResult>>>;
}

/** What the MCP endpoint gets with a message of an authenticated client. */
export interface McpContext {
  readonly caller: Caller;
  /** The address at which the client reaches the service, without a trailing slash. */
  readonly origin: string;
  /** The language model that the client works for. */
  readonly llmId: string;
  /** Counts a submission. Throws RATE_LIMITED. */
  countSubmission(): Promise<void>;
}

/** Handles the JSON-RPC messages of `/mcp` after the token is verified. */
export interface McpEndpoint {
  /** Reads only the headers and the signal of `request`; `body` is the parsed message. */
  fetch(request: Request, body: unknown, context: McpContext): Promise<Response>;
  /** Ends running calls. */
  close(): Promise<void>;
}

/** The dependencies of the HTTP layer. */
export interface HttpDeps {
  readonly jobs: JobOperations;
  readonly probes: ProbeOperations;
  readonly capabilities: CapabilityOperations;
  readonly tokens: TokenOperations;
  readonly files: FileOperations;
  readonly links: LinkOperations;
  readonly mcp: McpEndpoint;
  /** How long signed links are valid at most, and by default. */
  readonly linkSeconds: number;
  readonly health: Health;
  /** Submissions a minute of one client; undefined: no limit. */
  readonly submissionsPerMinute?: number;
  /** The address at which clients reach the service; left out: URLs in replies are paths. */
  readonly publicUrl?: string;
  /** The external issuer whose tokens are accepted; left out: none. */
  readonly oauth?: ProtectedResource;
  /** The proxies whose `X-Forwarded-For` is trusted, in Fastify's form of `trustProxy`; left out: none. */
  readonly trustProxy?: boolean | string | readonly string[];
  /** Gets internal errors and, at level `info`, one line a request. */
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Logs the line of a request; undefined: no such lines. */
  readonly logRequest?: ((fields: object) => void) | undefined;
}
