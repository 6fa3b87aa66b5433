import type { Finding } from '@telecine/contract/domain/finding.ts';
import type { SecretFile } from '@telecine/contract/domain/secret-command.ts';
import type { McpEndpoint } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { ProtectedResource } from '@telecine/contract/wire/protected-resource.ts';
import type { CheckResult } from '@telecine/contract/wire/system.ts';
import type { Logger } from 'pino';
import type { AuditOperations } from '../audit/audit-log.ts';
import type { ClientAdministration } from '../auth/client-administration.ts';
import type { LinkOperations } from '../auth/links.ts';
import type { OpenEventCounter } from '../auth/ports.ts';
import type { TokenOperations } from '../auth/token-operations.ts';
import type { SessionOperations } from '../auth/token-service.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { ShareUses } from '../files/share-uses.ts';
import type { ShareOperations } from '../files/shares.ts';
import type { UploadOperations } from '../files/uploads.ts';
import type { CapabilityOperations } from '../jobs/capabilities/capabilities.ts';
import type { ReadHistory } from '../jobs/job-history.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { PreviewOperations } from '../previews/preview-operations.ts';
import type { RecipeOperations } from '../recipes/operations.ts';
import type { WatchOperations } from '../watches/watch-operations.ts';
import type { WebhookOperations } from '../webhooks/webhook-operations.ts';
import type { WorkerOperations } from '../workers/worker-operations.ts';
import type { ConnectionLimits } from './connections/connection-table.ts';

/** The state that `GET /health` and `GET /ready` report. */
export interface Health {
  readonly version: string;
  uptimeSeconds(): number;
  /** Runs the readiness checks. Resolves to the result of each, by its name (`store`, `disk`, …). */
  ready(): Promise<Readonly<Record<string, CheckResult>>>;
}

/** Counts requests, and renders the metrics of the process. */
interface MetricsEndpoint {
  /** Counts a finished request. Must be fast. `route`: the pattern of the route. undefined: no route matches. */
  countRequest(sample: {
    readonly method: string;
    readonly route: string | undefined;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Counts a rejected connection or request. Must be fast. `why`: a reason, such as `address`. */
  countRefusal(why: string): void;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
  /** The token that a reader of the metrics must send. undefined: only callers on the same machine may read them. */
  readonly token?: string;
}

/** The span of a request that is being handled. */
export interface RequestTrace {
  readonly traceId: string;
  /** See `Caller.traceParent`. */
  readonly traceParent: string;
  end(request: { readonly status: number; readonly requestId: string; readonly clientId: string | undefined }): void;
}

export interface TraceEndpoint {
  /**
   * Starts the span of a request. Returns undefined if the request is not traced. Must be fast. `traceParent`: the
   * header field `traceparent`.
   */
  startRequest(method: string, route: string, traceParent: string | undefined): RequestTrace | undefined;
}

/** What the HTTP layer needs from the rest of the service. */
export interface HttpDeps {
  readonly jobs: JobOperations;
  readonly probes: ProbeOperations;
  readonly previews: PreviewOperations;
  readonly capabilities: CapabilityOperations;
  readonly recipes: RecipeOperations;
  readonly tokens: TokenOperations;
  readonly sessions: SessionOperations;
  /** Finds the file with the secret of the admin client on this machine. Default: there is none. */
  readonly findAdminSecret?: () => Promise<SecretFile | undefined>;
  readonly files: FileOperations;
  readonly uploads: UploadOperations;
  readonly links: LinkOperations;
  readonly shares: ShareOperations &
    Pick<LinkOperations, 'readerOf' | 'writerOf'> & {
      /** Counts the downloads of shared links. */
      readonly uses: Pick<ShareUses, 'add'>;
    };
  readonly workers: WorkerOperations;
  readonly history: ReadHistory;
  readonly audit: AuditOperations;
  readonly clients: ClientAdministration;
  /** Runs the checks of `telecine doctor`. */
  readonly doctor: () => Promise<readonly Finding[]>;
  readonly webhooks: WebhookOperations;
  readonly watches: WatchOperations;
  readonly mcp: McpEndpoint;
  /** The lifetime of signed links, in seconds. A request may only ask for a shorter one. */
  readonly linkSeconds: number;
  /** After this time without data, an event stream sends a heartbeat, in seconds. Default: 15. */
  readonly heartbeatSeconds?: number;
  readonly health: Health;
  readonly metrics: MetricsEndpoint;
  /** Default: requests are not traced. */
  readonly traces?: TraceEndpoint;
  /** Opens the counters for rate limits. Default: counters in memory. */
  readonly openCounter?: OpenEventCounter;
  /** The URL at which clients reach the service. Default: replies contain only paths, no whole URLs. */
  readonly publicUrl?: string;
  /** The external issuer whose tokens the service accepts too. undefined: there is none. */
  readonly oauth?: ProtectedResource;
  /** The folder with the built console. Default: no console. */
  readonly consoleFolder?: string;
  /** The origins of object stores to which downloads may be redirected. Default: none. */
  readonly fileOrigins?: readonly string[];
  /** The addresses and networks of trusted proxies, whose `X-Forwarded-For` is believed. Default: none. */
  readonly trustProxy?: readonly string[];
  /** Default: `DEFAULT_CONNECTION_LIMITS`. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** The origins whose web pages may call the service. `*`: all origins. Default: none. */
  readonly corsOrigins?: readonly string[] | '*';
  /** Returns whether the service is about to stop. Then each reply closes its connection. */
  readonly draining?: () => boolean;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Writes the log line of a request. Default: requests are not logged. */
  readonly logRequest?: ((fields: object) => void) | undefined;
}
