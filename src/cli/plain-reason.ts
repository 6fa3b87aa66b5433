import { ConfigError } from '../config/config.ts';
import { SandboxMissing } from '../ffmpeg/find-sandbox.ts';
import { FolderTaken } from '../store/data-folder.ts';
import { ToolError } from './tools.ts';

/** What the operator has to mend, where that is all there is to say; undefined: a fault, whose stack is needed. */
export function plainReason(error: unknown): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof ToolError ||
    error instanceof SandboxMissing ||
    error instanceof FolderTaken
  )
    return error.message;
  const { code, address, port } = (error ?? {}) as { code?: unknown; address?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return `Another program listens on ${address}:${port}. Stop it, or set TELECINE_PORT to another port.`;
  return undefined;
}
