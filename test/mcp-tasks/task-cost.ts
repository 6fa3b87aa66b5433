import type { CallToolResult } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** What a task costs a model. */
export interface TaskCost {
  readonly calls: number;
  /** The codes of the errors of calls that failed. */
  readonly wrongTurns: readonly string[];
  /** Tokens (o200k) of the calls and of the texts of their results. Pictures are not counted. */
  readonly tokens: number;
}

export const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length;

const textOf = ({ content }: CallToolResult): string =>
  content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');

/** Sums what the calls of a task cost. */
export function costCounter() {
  let [calls, tokens] = [0, 0];
  const wrongTurns: string[] = [];
  return {
    add(tool: string, args: unknown, result: CallToolResult): void {
      calls += 1;
      tokens += tokensOf({ tool, args }) + encode(textOf(result)).length;
    },
    addWrongTurn: (code: string): number => wrongTurns.push(code),
    cost: (): TaskCost => ({ calls, wrongTurns, tokens }),
  };
}
