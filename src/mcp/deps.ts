import type { LinkOperations } from '../auth/operations.ts';
import type { Caller } from '../domain/client.ts';
import type { FileOperations } from '../files/operations.ts';
import type { CapabilityOperations } from '../jobs/capabilities/operations.ts';
import type { JobOperations, ProbeOperations } from '../jobs/operations.ts';

/** What the MCP endpoint and its tools need. */
export interface McpDeps {
  readonly jobs: Pick<JobOperations, 'admit' | 'submit' | 'dryRun' | 'get' | 'wait' | 'list' | 'cancel'>;
  readonly probes: ProbeOperations;
  readonly capabilities: CapabilityOperations;
  readonly files: Pick<FileOperations, 'list'>;
  readonly links: Pick<LinkOperations, 'sign'>;
  /** Lifetime of signed links. */
  readonly linkSeconds: number;
  readonly version: string;
  /** Host names allowed in `Host` and `Origin`. undefined: any host, and an origin with the same name. */
  readonly hosts: readonly string[] | undefined;
  /** Logs an internal error, which no client may see. */
  readonly onInternalError: (error: unknown) => void;
}

/** One authenticated request of an MCP client. */
export interface McpRequest {
  readonly caller: Caller;
  /** The address of the service for the client (`https://media.example`), without a trailing slash. */
  readonly origin: string;
  /** The `llmId` of jobs whose arguments have none. */
  readonly llmId: string;
  /** Counts a submission for the rate limit that REST shares. Throws RATE_LIMITED. */
  countSubmission(): Promise<void>;
}
