import type { LinkOperations } from '../auth/links.ts';
import type { AuditAction, AuditEvent } from '../domain/audit.ts';
import type { Caller } from '../domain/client.ts';
import type { ProblemCode } from '../domain/problem.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { CapabilityOperations } from '../jobs/capabilities/capabilities.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { PreviewOperations } from '../previews/preview-operations.ts';
import type { RecipeOperations } from '../recipes/operations.ts';
import type { ToldWarnings } from './results/told-warnings.ts';

/** The dependencies of the MCP tools. */
export interface McpDeps extends McpHandlerDeps {
  readonly told: ToldWarnings;
}

/** The dependencies of the MCP endpoint. */
export interface McpHandlerDeps {
  readonly jobs: Pick<
    JobOperations,
    | 'admit'
    | 'submit'
    | 'dryRun'
    | 'submitBatch'
    | 'dryRunBatch'
    | 'repeatBatch'
    | 'get'
    | 'findBatch'
    | 'measured'
    | 'wait'
    | 'waitForAll'
    | 'list'
    | 'cancel'
  >;
  readonly probes: ProbeOperations;
  readonly previews: PreviewOperations;
  readonly capabilities: CapabilityOperations;
  readonly files: Pick<FileOperations, 'list' | 'near' | 'newUploadLink'>;
  readonly recipes: Pick<RecipeOperations, 'find' | 'get'>;
  readonly links: Pick<LinkOperations, 'sign'>;
  /** The lifetime of signed links. */
  readonly linkSeconds: number;
  readonly version: string;
  /** The host names allowed in `Host` and `Origin`. If undefined: any `Host`, and an `Origin` with the same name. */
  readonly hosts: readonly string[] | undefined;
  /** Logs an internal error, whose details are not shown to clients. */
  readonly onInternalError: (error: unknown) => void;
}

/** One authenticated request of an MCP client. */
export interface McpRequest {
  readonly caller: Caller;
  /** The URL at which the client reaches the service (`https://media.example`), without a trailing slash. */
  readonly origin: string;
  /** The `llmId` of jobs, if the arguments do not have it. */
  readonly llmId: string;
  /**
   * Counts a submission, or with `batchSize` the other jobs of a batch whose first is counted. MCP and REST share this rate
   * limit. Throws RATE_LIMITED, and INVALID_REQUEST for a batch that never fits.
   */
  countSubmission(batchSize?: number): Promise<void>;
  /** Records an action of the client in the audit log. `refused`: the code of the problem, if the client may not do it. */
  audit(
    action: AuditAction,
    facts: Pick<AuditEvent, 'target' | 'details'> & { readonly refused?: ProblemCode },
  ): Promise<void>;
}
