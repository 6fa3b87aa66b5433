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
  /** How long signed links are good. */
  readonly linkSeconds: number;
  readonly version: string;
  /** What `Host` and `Origin` may name; undefined: any host, and an origin of the same name. */
  readonly hosts: readonly string[] | undefined;
  /** What is our fault and no client may read. */
  readonly onFault: (error: unknown) => void;
}

/** One authenticated request of an MCP client, as the door hands it on. */
export interface McpRequest {
  readonly caller: Caller;
  /** Where the client reaches the service (`https://media.example`), without a slash at its end. */
  readonly origin: string;
  /** On whose behalf, where a tool's arguments do not say it. */
  readonly llmId: string;
  /** Counts a submission together with those of REST. Throws RATE_LIMITED. */
  countSubmission(): Promise<void>;
}
