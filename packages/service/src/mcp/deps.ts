import type { LinkOperations } from '../auth/links.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { ShareOperations } from '../files/shares.ts';
import type { CapabilityOperations } from '../jobs/capabilities/capabilities.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { PreviewOperations } from '../previews/preview-operations.ts';
import type { RecipeOperations } from '../recipes/operations.ts';
import type { WatchOperations } from '../watches/watch-operations.ts';
import type { ShownWarnings } from './results/shown-warnings.ts';

export interface McpDeps extends McpHandlerDeps {
  readonly shownWarnings: ShownWarnings;
}

export interface McpHandlerDeps {
  readonly jobs: JobOperations;
  readonly probes: ProbeOperations;
  readonly previews: PreviewOperations;
  readonly capabilities: CapabilityOperations;
  readonly files: FileOperations;
  readonly recipes: RecipeOperations;
  readonly links: LinkOperations;
  readonly shares: Pick<ShareOperations, 'create' | 'list' | 'revoke'>;
  readonly watches: WatchOperations;
  readonly linkSeconds: number;
  readonly version: string;
  /**
   * The host names allowed in `Host` and `Origin`. undefined: any `Host` is allowed, and any `Origin` with the same
   * host name.
   */
  readonly hosts: readonly string[] | undefined;
  /** Logs an internal error, whose details clients do not see. */
  readonly onInternalError: (error: unknown) => void;
}
