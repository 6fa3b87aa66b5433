import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { plainText } from '../domain/text-validation.ts';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** What a JSON-RPC message asks for, in words for the log; nothing in it is believed. */
export interface Asked {
  /** The method, and what it is to be done with: `tools/call convert_media`. */
  readonly rpc: string;
  /** On whose behalf: as the arguments say, else the client's name, else its User-Agent. */
  readonly llmId: string;
}

const LONGEST_RPC = 200;

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = path.reduce(member, value);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
};

export function askedOf(message: unknown, userAgent: string | undefined): Asked {
  const params = member(message, 'params');
  const what = ['name', 'uri', 'taskId'].map((name) => textAt(params, name)).find((found) => found !== undefined);
  const llmId =
    textAt(params, 'arguments', 'llmId') ??
    textAt(params, '_meta', CLIENT_INFO, 'name') ??
    textAt(params, 'clientInfo', 'name') ??
    userAgent ??
    '';
  const rpc = [textAt(message, 'method') ?? '', what].filter(Boolean).join(' ');
  return {
    rpc: plainText(rpc).slice(0, LONGEST_RPC),
    llmId: plainText(llmId).trim().slice(0, REQUEST_LIMITS.llmIdLength) || 'mcp',
  };
}
