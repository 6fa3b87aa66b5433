import type { Caller } from '../domain/client.ts';

/** One authenticated request of an MCP client, as the door hands it on. */
export interface McpCall {
  readonly caller: Caller;
  /** Where the client reaches the service (`https://media.example`), without a slash at its end. */
  readonly origin: string;
  /** On whose behalf, where a tool's arguments do not say it. */
  readonly llmId: string;
  /** Counts a submission together with those of REST. Throws RATE_LIMITED. */
  countSubmission(): Promise<void>;
}
