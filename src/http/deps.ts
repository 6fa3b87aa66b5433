import type { Logger } from 'pino';
import type { AuditOperations } from '../audit/audit-log.ts';
import type { ClientAdministration } from '../auth/client-administration.ts';
import type { LinkOperations } from '../auth/links.ts';
import type { OpenEventCounter } from '../auth/ports.ts';
import type { TokenOperations } from '../auth/token-operations.ts';
import type { SessionOperations } from '../auth/token-service.ts';
import type { AuditAction, AuditEvent } from '../domain/audit.ts';
import type { Caller } from '../domain/client.ts';
import type { Finding } from '../domain/finding.ts';
import type { ProblemCode } from '../domain/problem.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { UploadOperations } from '../files/resumable-uploads.ts';
import type { CapabilityOperations } from '../jobs/capabilities/capabilities.ts';
import type { ReadHistory } from '../jobs/job-history.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { PreviewOperations } from '../previews/preview-operations.ts';
import type { RecipeOperations } from '../recipes/operations.ts';
import type { WebhookOperations } from '../webhooks/webhook-operations.ts';
import type { ProtectedResource } from '../wire/protected-resource.ts';
import type { CheckResult } from '../wire/system.ts';
import type { WorkerOperations } from '../workers/operations.ts';
import type { ConnectionLimits } from './connections/connection-table.ts';

/** The state that `GET /health` and `GET /ready` report. */
export interface Health {
  readonly version: string;
  uptimeSeconds(): number;
  /**
   * Runs the readiness checks; the results are by name (`store`, `disk`, …). If it throws, the reply is UNAVAILABLE.
   */
  ready(): Promise<Readonly<Record<string, CheckResult>>>;
}

/** Counts requests, and renders the metrics of the process. */
export interface MetricsEndpoint {
  /** `route`: the pattern of the route; undefined if none matches. Must be fast. */
  countRequest(sample: {
    readonly method: string;
    readonly route: string | undefined;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** `why`: the reason for which a connection or a request was refused. Must be fast. */
  countRefusal(why: string): void;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
  /** The token that a reader must send. Without it, only callers on the same machine may read, and not through a proxy. */
  readonly token?: string;
}

/** The span of a request that is being handled. */
export interface RequestTrace {
  readonly traceId: string;
  /** See `Caller.traceParent`. */
  readonly traceParent: string;
  end(request: { readonly status: number; readonly requestId: string; readonly clientId: string | undefined }): void;
}

/** Starts the spans of requests. */
export interface TraceEndpoint {
  /** `traceParent`: the header field of that name. Returns undefined if the request is not traced. Must be fast. */
  startRequest(method: string, route: string, traceParent: string | undefined): RequestTrace | undefined;
}

/** The context of an MCP message: its authenticated client, and what the endpoint needs from HTTP. */
export interface McpContext {
  readonly caller: Caller;
  /** The URL at which the client reaches the service, without a trailing slash. */
  readonly origin: string;
  /** The name of the language model that uses the client. */
  readonly llmId: string;
  /**
   * Counts a submission of the client, or with `batchSize` the other jobs of a batch whose first is counted. Throws RATE_LIMITED if
   * it exceeds the limit, and INVALID_REQUEST for a batch that never fits.
   */
  countSubmission(batchSize?: number): Promise<void>;
  /** Records an action of the client in the audit log. `refused`: the code of the problem, if the client may not do it. */
  audit(
    action: AuditAction,
    facts: Pick<AuditEvent, 'target' | 'details'> & { readonly refused?: ProblemCode },
  ): Promise<void>;
}

/** Handles the JSON-RPC messages of `/mcp` after the token is verified. */
export interface McpEndpoint {
  /** Handles the parsed message `body`. Of `request`, it reads only the headers and the signal. A text is the JSON of a 200. */
  fetch(request: Request, body: unknown, context: McpContext): Promise<Response | string>;
  /** Ends running calls. */
  close(): Promise<void>;
}

/** The dependencies of the HTTP layer. */
export interface HttpDeps {
  readonly jobs: JobOperations;
  readonly probes: ProbeOperations;
  readonly previews: PreviewOperations;
  readonly capabilities: CapabilityOperations;
  readonly recipes: RecipeOperations;
  readonly tokens: TokenOperations;
  readonly sessions: SessionOperations;
  readonly files: FileOperations;
  readonly uploads: UploadOperations;
  readonly links: LinkOperations;
  readonly workers: WorkerOperations;
  readonly history: ReadHistory;
  readonly audit: AuditOperations;
  readonly clients: ClientAdministration;
  /** Runs the checks of `telecine doctor`. */
  readonly doctor: () => Promise<readonly Finding[]>;
  readonly webhooks: WebhookOperations;
  readonly mcp: McpEndpoint;
  /** The default and maximum lifetime of signed links. */
  readonly linkSeconds: number;
  /** The longest silence of an event stream. Default: 15. */
  readonly heartbeatSeconds?: number;
  readonly health: Health;
  readonly metrics: MetricsEndpoint;
  /** Default: requests are not traced. */
  readonly traces?: TraceEndpoint;
  /** The maximum number of submissions per minute and client; undefined means no limit. */
  readonly submissionsPerMinute?: number;
  /** Counts requests for the limits of requests per minute. Default: in memory. */
  readonly openCounter?: OpenEventCounter;
  /** The URL at which clients reach the service. If undefined, URLs in replies are only paths. */
  readonly publicUrl?: string;
  /** The external issuer whose tokens are accepted, if any. */
  readonly oauth?: ProtectedResource;
  /** The folder of the built console. If undefined, none is served. */
  readonly consoleFolder?: string;
  /** The origins to which downloads may be redirected. Default: none. */
  readonly fileOrigins?: readonly string[];
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustProxy?: readonly string[];
  /** What connections may take. Default: `DEFAULT_CONNECTION_LIMITS`. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** The origins whose pages may call the service, or `*` for all. Default: none. */
  readonly corsOrigins?: readonly string[] | '*';
  /** Whether the service is about to stop. Replies then close their connections, so that none is idle at the end. */
  readonly draining?: () => boolean;
  /** Receives internal errors and warnings. */
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Logs the line of a request. If undefined, requests are not logged. */
  readonly logRequest?: ((fields: object) => void) | undefined;
}
