import type { AuditAction, AuditEvent, AuditRecord } from '../domain/audit.ts';
import type { Caller } from '../domain/client.ts';
import type { ProblemCode } from '../domain/problem.ts';

/** One authenticated request of an MCP client. */
export interface McpRequest {
  readonly caller: Caller;
  /** The URL at which the client reaches the service (`https://media.example`), without a trailing slash. */
  readonly origin: string;
  /** The `llmId` for jobs if the arguments contain none. */
  readonly llmId: string;
  /**
   * Counts a submission. With `batchSize`: counts the other jobs of a batch whose first job is already counted. MCP and REST share this
   * rate limit. Throws RATE_LIMITED, or INVALID_REQUEST for a batch that never fits.
   */
  countSubmission(batchSize?: number): Promise<void>;
  /** Records an action of the client in the audit log. `refused`: the code of the problem. Present if the client may not do the action. */
  audit(
    action: AuditAction,
    facts: Pick<AuditEvent, 'target' | 'details'> & { readonly refused?: ProblemCode },
  ): Promise<void>;
  /** Returns the record of an action of the client that is stored together with what the action changes. */
  auditRecord(action: AuditAction, facts: Pick<AuditEvent, 'target' | 'details'>): AuditRecord;
}

/** Handles the JSON-RPC messages of `/mcp`, in the newest revision of MCP (`modern`) and in older ones (`legacy`). Call it only after the token was verified. */
export interface McpEndpoint {
  /**
   * Handles the parsed message `body`. Reads only the headers and the signal of `request`. If the result is a text, it is the JSON of a
   * reply with status 200.
   */
  fetch(request: Request, body: unknown, call: McpRequest): Promise<Response | string>;
  close(): Promise<void>;
}
