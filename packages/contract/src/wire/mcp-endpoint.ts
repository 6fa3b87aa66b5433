import type { AuditAction, AuditEvent } from '../domain/audit.ts';
import type { Caller } from '../domain/client.ts';
import type { ProblemCode } from '../domain/problem.ts';

/** One authenticated request of an MCP client. */
export interface McpRequest {
  readonly caller: Caller;
  /** The URL at which the client reaches the service (`https://media.example`), without a trailing slash. */
  readonly origin: string;
  /** The `llmId` of jobs, if the arguments do not have it. */
  readonly llmId: string;
  /**
   * Counts a submission, or with `batchSize` the other jobs of a batch whose first job is counted. MCP and REST share this rate limit.
   * Throws RATE_LIMITED, and INVALID_REQUEST for a batch that never fits.
   */
  countSubmission(batchSize?: number): Promise<void>;
  /** Records an action of the client in the audit log. `refused`: the code of the problem, if the client may not do it. */
  audit(
    action: AuditAction,
    facts: Pick<AuditEvent, 'target' | 'details'> & { readonly refused?: ProblemCode },
  ): Promise<void>;
}

/** Handles the JSON-RPC messages of `/mcp`, for legacy and modern clients, after the token is verified. */
export interface McpEndpoint {
  /** Handles the parsed message `body`. Reads only the headers and the signal of `request`. A text is the JSON of a 200. */
  fetch(request: Request, body: unknown, call: McpRequest): Promise<Response | string>;
  /** Ends running calls. */
  close(): Promise<void>;
}
